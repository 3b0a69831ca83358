"""The knitted hands: Knitting (BMJA-S13) and Triple knitting (BMJA-S14).

A couple is one rank in two suits; a triplet is one rank in all three suits.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from scorer.ruleset import Ruleset
from scorer.special.held import Held, singly
from scorer.special.holding import ONE_TO_NINE, SUIT_LETTERS, Holding, by_rank
from scorer.special.shapes import Target, TilesHand
from scorer.tiles import SUITS

COUPLES = 7
FEWEST = 4
"""With fewer suit tiles no knitted hand is near, even with four wild tiles."""


class Knitting(TilesHand):
    """BMJA-S13: seven couples; some tables require the same two suits in all (BMJA-S35, C08)."""

    def made(self, holding: Holding, rules: Ruleset) -> bool:
        if not SUIT_LETTERS.issuperset(holding.families):
            return False
        return any(_pairs_off(holding, suits) for suits in _suits(rules))

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        if is_far(held):
            return ()
        return (_missing(held, suits) for suits in _suits(rules))


def is_far(held: Held) -> bool:
    """Return whether the player holds too few suit tiles for any knitted hand."""
    return sum(n for code, n in held.own.items() if code[0] in SUIT_LETTERS) < FEWEST


def _suits(rules: Ruleset) -> Iterable[tuple[str, ...]]:
    """Return each group of suits that a hand may use."""
    return combinations(SUITS, 2) if rules.is_on("knitting_two_suits") else (tuple(SUITS),)


def _pairs_off(holding: Holding, suits: tuple[str, ...]) -> bool:
    """Return whether all tiles are of these suits and form couples, rank by rank."""
    uncoupled = used = 0
    for counts in by_rank(holding.natural, suits):
        total = sum(counts)
        used += total
        uncoupled += max(2 * max(counts) - total, total % 2)
    return used == holding.natural.total() and uncoupled <= holding.wilds


def _missing(held: Held, suits: tuple[str, ...]) -> Target:
    """Form all couples, then complete single tiles, then begin new couples."""
    ranks = {
        rank: list(counts)
        for rank, counts in zip(ONE_TO_NINE, by_rank(held.own, suits), strict=True)
    }
    to_come = COUPLES - sum(_couples(counts) for counts in ranks.values())
    missing: list[str] = []
    for at_once in (1, 2):
        for rank, counts in ranks.items():
            while to_come > 0:
                added = _one_more(counts, at_once)
                if added is None:
                    break
                missing += [suits[place] + rank for place in added]
                to_come -= 1
    return singly(missing)


def _couples(counts: list[int]) -> int:
    return min(sum(counts) // 2, sum(counts) - max(counts))


def _one_more(counts: list[int], at_once: int) -> tuple[int, ...] | None:
    """Add `at_once` tiles of different suits that make one more couple; None if impossible."""
    for places in combinations(range(len(counts)), at_once):
        more = [n + (place in places) for place, n in enumerate(counts)]
        if max(more) <= 4 and _couples(more) > _couples(counts):
            counts[:] = more
            return places
    return None
