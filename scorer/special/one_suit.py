"""Special hands of one suit or of green tiles.

Purity (BMJA-S11), Buried treasure (S15), Imperial jade (S18), Wriggling snake (S17), Gates of
heaven (S23).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scorer.breakdown import TileSet
from scorer.decompose.readings import SETS_IN_A_HAND, HandReading
from scorer.message import message
from scorer.reasons import Reason, about, because, only
from scorer.ruleset import Ruleset
from scorer.sets import CHOW_TRAIT, HONOUR_TRAIT, KONG_TRAIT, ONE_SUIT_TRAITS, SUIT_TRAITS
from scorer.special.faults import (
    claimed_early,
    exposed_early,
    is_a_chow,
    is_of_another_suit,
    main_suit,
)
from scorer.special.held import HONOURS, OF_SUIT, Held, sets_and_pair
from scorer.special.shapes import SetsHand, Target


class Purity(SetsHand):
    """BMJA-S11: one suit throughout, without chow or honours."""

    def made(self, arrangement: HandReading, traits: int, rules: Ruleset) -> bool:
        return not traits & (CHOW_TRAIT | HONOUR_TRAIT) and traits & SUIT_TRAITS in ONE_SUIT_TRAITS

    def why_not(self, arrangement: HandReading, rules: Ruleset) -> Reason:
        main = main_suit(arrangement)
        return only(
            fault
            for each in arrangement.sets
            for fault in (is_a_chow(each), is_of_another_suit(each, main), _is_of_honours(each))
        )

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        return (sets_and_pair(held, suit) for suit in OF_SUIT.values())


def _is_of_honours(each: TileSet) -> Reason:
    return about("not-of-a-suit", each) if each.tile.is_honour else None


class BuriedTreasure(SetsHand):
    """BMJA-S15: four concealed pungs of one suit and honours; the last set may be claimed.

    At least the pair must be of the suit; the other faces may be honours (BMJA-S36).
    """

    def made(self, arrangement: HandReading, traits: int, rules: Ruleset) -> bool:
        if traits & (CHOW_TRAIT | KONG_TRAIT) or traits & SUIT_TRAITS not in ONE_SUIT_TRAITS:
            return False
        exposed = arrangement.exposed_places
        if exposed != ([arrangement.claim.place] if arrangement.claim else []):
            return False
        return not _pung_claimed_against_the_rules(arrangement, rules)

    def why_not(self, arrangement: HandReading, rules: Ruleset) -> Reason:
        return only(
            (
                *(_is_no_pung(each) for each in arrangement.sets),
                *map(claimed_early, exposed_early(arrangement)),
                _pung_claimed_against_the_rules(arrangement, rules),
                *_suit_faults(arrangement),
            )
        )

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        """Yield nothing when a set lies on the table: only the last tile may be claimed."""
        if held.fixed:
            return ()
        honours = {*[face for face in held.faces if face in HONOURS][:SETS_IN_A_HAND]}
        return (sets_and_pair(held, suit | honours) for suit in OF_SUIT.values())


def _is_no_pung(each: TileSet) -> Reason:
    return about("no-pung", each) if each.kind in ("chow", "kong") else None


def _pung_claimed_against_the_rules(arrangement: HandReading, rules: Ruleset) -> Reason:
    """Return the reason against a claimed last pung, where only a pair may be (BMJA-C09)."""
    claim = arrangement.claim
    if not claim or rules.is_on("buried_treasure_last_pung_claimable"):
        return None
    of_pair = arrangement.sets[claim.place].kind == "pair"
    return None if of_pair else because("last-pung-claimed")


def _suit_faults(arrangement: HandReading) -> Iterator[Reason]:
    """Yield what is wrong with the suits: none, a set of another suit, or two whole suits.

    Three suits give two reasons, so that the hand counts as far.
    """
    main = main_suit(arrangement)
    foreign = [fault for each in arrangement.sets if (fault := is_of_another_suit(each, main))]
    match arrangement.suits:
        case ():
            yield because("no-suit-tile")
        case (first, second) if len(foreign) > 1:
            yield because(
                "two-suits", one=message(f"suit.{first}"), other=message(f"suit.{second}")
            )
        case _:
            yield from foreign
