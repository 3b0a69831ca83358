"""Find what a losing hand was waiting for, and the special hands nearest to it."""

from __future__ import annotations

import sys
from bisect import insort
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
        sufficient = keep_enough_for_two(hand, candidates, rules)
        if sufficient:
            best = choose_best(sufficient, limit)
            special = best.special.id if best.special else None
            waits.append(Wait(code, 4 - hand.tiles.count(code), best.capped_score(limit), special))
    return tuple(sorted(waits, key=lambda wait: -wait.total))


MAX_SHOWN_SPECIALS = 3

MAX_SHOWN_MISSING = 3
"""Most tiles that a special hand which is shown may need: as many as a set has."""


def nearest_specials(
    hand: Hand, rules: Ruleset, completions: Completions
) -> tuple[NearbySpecial, ...]:
    """Return the special hands that a player was close to, nearest first, then dearest.

    A special hand that the player fishes for, among the tiles `completions`, needs one tile. All
    missing tiles can still come. Wild tiles reduce their number.
    """
    return specials_within_reach(hand, rules, completions, MAX_SHOWN_SPECIALS, MAX_SHOWN_MISSING)


def specials_within_reach(
    hand: Hand,
    rules: Ruleset,
    completions: Completions,
    max_count: int = sys.maxsize,
    max_tiles: int = MAX_MISSING_TILES,
) -> tuple[NearbySpecial, ...]:
    """Return up to `max_count` special hands that need up to `max_tiles`, nearest first.

    Of equally near ones the dearest comes first.

    Those that may be nearest are compared first, so that of others only what is nearer is sought.
    """
    reach = _Reach(hand, rules, completions)
    by_distance = list[tuple[int, int, NearbySpecial]]()
    for min_tiles, place in sorted(reach.list_places()):
        tiles, last = (
            by_distance[max_count - 1][:2]
            if len(by_distance) >= max_count
            else (max_tiles, sys.maxsize)
        )
        if min_tiles > tiles:
            break
        special = rules.specials[place]
        missing_tiles = reach.find_needed(special, tiles if place < last else tiles - 1)
        if missing_tiles:
            insort(
                by_distance,
                (len(missing_tiles), place, NearbySpecial(special.id, special.name, missing_tiles)),
            )
    return tuple(each for _, _, each in by_distance[:max_count])


class _Reach:
    """What one hand lacks for the special hands of a ruleset."""

    def __init__(self, hand: Hand, rules: Ruleset, completions: Completions) -> None:
        self._rules = rules
        self._search = MissingSearch(tiles_of_player(hand))
        self._chows = rules.chows_for(hand)
        self._fishing_tiles = {
            candidate.special.id: (tile,)
            for tile in reversed(tuple(completions))  # the first tile wins; wild tiles come last
            for candidate in completions[tile]
            if candidate.special
        }

    def list_places(self) -> Iterator[tuple[int, int]]:
        """Yield how many tiles each special hand lacks at least, and its place among all."""
        for place, special in enumerate(self._rules.specials):
            if special.id in self._fishing_tiles:
                yield 1, place
            elif special.pattern and not (special.concealed and self._search.tiles.has_exposed):
                yield self._search.estimate_missing(special.pattern), place

    def find_needed(self, special: SpecialHand, max_tiles: int) -> Codes:
        """Return the tiles that the nearest version of a special hand needs, up to `max_tiles`.

        In a hand of four sets a set that may be a pung is a chow only where an ordinary one may be.
        """
        if special.id in self._fishing_tiles or special.pattern is None:
            return self._fishing_tiles.get(special.id, ()) if max_tiles else ()
        chows = self._chows if special.of == "sets" else SETS_PER_HAND
        return self._search.find_missing(special.pattern, chows, max_tiles)
