"""Find what a losing hand was waiting for, and the special hands nearest to it."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.breakdown import NearbySpecial, Wait
from scorer.explain.warnings import keep_enough_for_two
from scorer.hand import Codes, Hand
from scorer.patterns.frames import SETS_PER_HAND
from scorer.ruleset import Ruleset, SpecialHand
from scorer.scoring.candidates import Completions, choose_best
from scorer.special.base import MAX_MISSING_TILES, tiles_of_player
from scorer.special.group_search import MissingSearch


def find_waits(hand: Hand, rules: Ruleset, completions: Completions) -> tuple[Wait, ...]:
    """Return each tile that would complete the hand, with its score, dearest first.

    A tile that would not allow Mah-Jong with two players is left out (BMJA-N02).
    """
    limit = rules.limit_for(hand)
    waits = []
    for code, candidates in completions.items():
        enough = keep_enough_for_two(hand, candidates, rules)
        if enough:
            best = choose_best(enough, limit)
            special = best.special.id if best.special else None
            waits.append(Wait(code, 4 - hand.tiles.count(code), best.capped_score(limit), special))
    return tuple(sorted(waits, key=lambda wait: -wait.total))


MAX_SHOWN_SPECIALS = 3


def nearest_specials(hand: Hand, rules: Ruleset, coming: Completions) -> tuple[NearbySpecial, ...]:
    """Return the special hands that need fewest tiles, nearest first, then dearest.

    A special hand that the player fishes for, among the tiles `coming`, needs one tile. All missing
    tiles can still come. Wild tiles reduce their number.
    """
    near = specials_within_reach(hand, rules, coming)
    return tuple(sorted(near, key=lambda each: len(each.needed))[:MAX_SHOWN_SPECIALS])


def specials_within_reach(
    hand: Hand, rules: Ruleset, coming: Completions
) -> Iterator[NearbySpecial]:
    """Yield every special hand within reach, dearest first."""
    search = MissingSearch(tiles_of_player(hand))
    chows = rules.chows_for(hand)
    fished = {
        candidate.special.id: (tile,)
        for tile in reversed(tuple(coming))  # the first tile wins; wild tiles come last
        for candidate in coming[tile]
        if candidate.special
    }
    for special in rules.specials:
        needed = fished.get(special.id) or _needed(special, search, chows)
        if 0 < len(needed) <= MAX_MISSING_TILES:
            yield NearbySpecial(special.id, special.name, needed)


def _needed(special: SpecialHand, search: MissingSearch, chows: int) -> Codes:
    """Return the tiles that the nearest version of a special hand needs; empty without one.

    In a hand of four sets a set that may be a pung is a chow only where an ordinary one may be.
    """
    if special.pattern is None or (special.concealed and search.held.has_exposed):
        return ()
    return search.fewest(special.pattern, chows if special.of == "sets" else SETS_PER_HAND)
