"""Why a winner's hand is not the special hand that it nearly is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorer.decompose.readings import HandReading
from scorer.reasons import Reason
from scorer.ruleset import Ruleset, SpecialHand
from scorer.special.faults import claimed_early, exposed_early
from scorer.special.made import made_of_tiles
from scorer.special.table import EVENT_HANDS, SETS_HANDS


def why_no_special_hands(
    arrangement: HandReading, rules: Ruleset, made: frozenset[str], above: int
) -> Iterator[tuple[str, Reason]]:
    """Yield the id of each special hand that the arrangement is not, and the reason if it is near.

    Hands in `made` are skipped, because the hand is these too. Hands worth no more than `above`
    are skipped as well, unless it is 0.
    """
    spoiled = _spoiled_by_exposure(arrangement, rules)
    for special in rules.specials:
        if special.id in made or (above and special.value <= above):
            continue
        yield special.id, spoiled.get(special.id) or _why_not(special, arrangement, rules)


def _why_not(special: SpecialHand, arrangement: HandReading, rules: Ruleset) -> Reason:
    match special.of:
        case "sets":
            return SETS_HANDS[special.when].why_not(arrangement, rules)
        case "event":
            return EVENT_HANDS[special.when].why_not(arrangement, rules)
        case _:
            return None


def _spoiled_by_exposure(arrangement: HandReading, rules: Ruleset) -> dict[str, Reason]:
    """Return the concealed hands that one set, claimed too early, prevents (BMJA-S05)."""
    early = exposed_early(arrangement)
    if len(early) != 1:
        return {}
    claim, hand = arrangement.claim, arrangement.hand
    by_claim = hand.exposed[claim.place : claim.place + 1] if claim and claim.lay_exposed else ()
    kept = replace(hand, exposed=by_claim, concealed=(*hand.concealed, *early[0].tiles))
    return {each.id: claimed_early(early[0]) for each in made_of_tiles(kept, rules)}
