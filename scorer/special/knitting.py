"""The special hand of seven couples, one rank in two suits each: Knitting (BMJA-S13)."""

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
"""Suit tiles without which no knitting is near, even with four wild tiles."""


class Knitting(TilesHand):
    """BMJA-S13: seven couples; some tables want the same two suits throughout (BMJA-S35, C08)."""

    def made(self, holding: Holding, rules: Ruleset) -> bool:
        if not SUIT_LETTERS.issuperset(holding.families):
            return False
        return any(_pairs_off(holding, suits) for suits in _suits(rules))

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        if is_far(held):
            return ()
        return (_missing(held, suits) for suits in _suits(rules))


def is_far(held: Held) -> bool:
    """Whether the player holds too few suit tiles for any knitting."""
    return sum(n for code, n in held.own.items() if code[0] in SUIT_LETTERS) < FEWEST


def _suits(rules: Ruleset) -> Iterable[tuple[str, ...]]:
    """Return the suits that a hand may be of, for each kind of hand."""
    return combinations(SUITS, 2) if rules.is_on("knitting_two_suits") else (tuple(SUITS),)


def _pairs_off(holding: Holding, suits: tuple[str, ...]) -> bool:
    """Return whether the tiles of these suits, and there are no others, pair off rank by rank."""
    uncoupled = used = 0
    for counts in by_rank(holding.natural, suits):
        total = sum(counts)
        used += total
        uncoupled += max(2 * max(counts) - total, total % 2)
    return used == holding.natural.total() and uncoupled <= holding.wilds


def _missing(held: Held, suits: tuple[str, ...]) -> Target:
    """Couple what can be coupled, then single tiles with one more, then begin couples."""
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
    """Add so many tiles, in different suits, that make one more couple; None where none do."""
    for places in combinations(range(len(counts)), at_once):
        more = [n + (place in places) for place, n in enumerate(counts)]
        if max(more) <= 4 and _couples(more) > _couples(counts):
            counts[:] = more
            return places
    return None
