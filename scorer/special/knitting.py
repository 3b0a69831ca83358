"""The knitted hands: Knitting (BMJA-S13) and Triple knitting (BMJA-S14).

A couple is one rank in two suits; a triplet is one rank in all three suits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from scorer.cache_sizes import MAX_CACHED_HANDS
from scorer.ruleset import Ruleset
from scorer.special.base import (
    MAX_MISSING_TILES,
    SUIT_LETTERS,
    SUIT_RANKS,
    MissingFromTarget,
    MissingTiles,
    PlayerTiles,
    TileCounts,
    TilesHand,
    counts_by_rank,
    missing_singles,
)
from scorer.tiles import SUITS

COUPLES_PER_HAND = 7
MIN_SUIT_TILES = 4
"""With fewer suit tiles no knitted hand is near, even with four wild tiles."""


class Knitting(TilesHand):
    """BMJA-S13: seven couples; some tables require the same two suits in all (BMJA-S35, C08)."""

    def matches(self, holding: TileCounts, rules: Ruleset) -> bool:
        if not SUIT_LETTERS.issuperset(holding.families):
            return False
        return any(_pairs_off(holding, suits) for suits in _allowed_suits(rules))

    def missing(self, held: PlayerTiles, rules: Ruleset) -> Iterable[MissingFromTarget]:
        if has_too_few_suit_tiles(held):
            return ()
        return (_missing_from_couples(held, suits) for suits in _allowed_suits(rules))


def has_too_few_suit_tiles(held: PlayerTiles) -> bool:
    """Return whether the player holds too few suit tiles for any knitted hand."""
    return sum(n for code, n in held.own.items() if code[0] in SUIT_LETTERS) < MIN_SUIT_TILES


def _allowed_suits(rules: Ruleset) -> Iterable[tuple[str, ...]]:
    """Return each group of suits that a hand may use."""
    return combinations(SUITS, 2) if rules.is_on("knitting_two_suits") else (tuple(SUITS),)


def _pairs_off(holding: TileCounts, suits: tuple[str, ...]) -> bool:
    """Return whether all tiles are of these suits and form couples, rank by rank."""
    uncoupled = used = 0
    for counts in counts_by_rank(holding.natural, suits):
        total = sum(counts)
        used += total
        uncoupled += max(2 * max(counts) - total, total % 2)
    return used == holding.natural.total() and uncoupled <= holding.wilds


def _missing_from_couples(held: PlayerTiles, suits: tuple[str, ...]) -> MissingFromTarget:
    """Form all couples, then complete single tiles, then begin new couples."""
    ranks = {
        rank: list(counts)
        for rank, counts in zip(SUIT_RANKS, counts_by_rank(held.own, suits), strict=True)
    }
    to_come = COUPLES_PER_HAND - sum(_count_couples(counts) for counts in ranks.values())
    missing: list[str] = []
    for at_once in (1, 2):
        for rank, counts in ranks.items():
            while to_come > 0:
                added = _add_couple(counts, at_once)
                if added is None:
                    break
                missing += [suits[place] + rank for place in added]
                to_come -= 1
    return missing_singles(missing)


def _count_couples(counts: list[int]) -> int:
    return min(sum(counts) // 2, sum(counts) - max(counts))


def _add_couple(counts: list[int], at_once: int) -> tuple[int, ...] | None:
    """Add `at_once` tiles of different suits that make one more couple; None if impossible."""
    for places in combinations(range(len(counts)), at_once):
        more = [n + (place in places) for place, n in enumerate(counts)]
        if max(more) <= 4 and _count_couples(more) > _count_couples(counts):
            counts[:] = more
            return places
    return None


TRIPLETS_PER_HAND = 4
COPIES_PER_TILE = 4
"""Copies of each tile (BMJA-T04)."""
SUIT_PAIRS = tuple(combinations(range(len(SUITS)), 2))


class TripleKnitting(TilesHand):
    """BMJA-S14: four triplets, and a couple: one rank in two suits."""

    largest_claim = 3

    def matches(self, holding: TileCounts, rules: Ruleset) -> bool:
        if not SUIT_LETTERS.issuperset(holding.families):
            return False
        of_suits = Counter(code[0] for code in holding.natural.elements())
        if any(of_suits[suit] < TRIPLETS_PER_HAND - holding.wilds for suit in SUITS):
            return False  # each triplet takes one of every suit
        reached = {KnittingSum(0, 0, 0, 0)}
        for counts in counts_by_rank(holding.natural, tuple(SUITS)):
            if any(counts):
                parts = set(_knit_rank(counts))
                together = {before.plus(part) for before in reached for part in parts}
                reached = {knitted for knitted in together if knitted.is_within(holding)}
        # A couple of two wild tiles need not be tried: a triplet can be split instead.
        return any(knitted[:3] == (TRIPLETS_PER_HAND, 1, holding.wilds) for knitted in reached)

    def missing(self, held: PlayerTiles, rules: Ruleset) -> Iterable[MissingFromTarget]:
        return () if has_too_few_suit_tiles(held) else (_missing_from_triplets(held),)


class KnittingSum(NamedTuple):
    """How many triplets and couples some tiles form, and the wild tiles in them."""

    triplets: int
    couples: int
    wilds: int
    """The number of wild tiles needed."""
    extra: int
    """How many of these are the second wild tile of their group."""

    def is_within(self, holding: TileCounts) -> bool:
        """Return whether the hand has room for it and enough wild tiles."""
        return self.couples <= 1 and self.wilds <= holding.wilds and self.extra <= holding.spare

    def plus(self, other: KnittingSum) -> KnittingSum:
        """Return the sum of both."""
        return KnittingSum(*(a + b for a, b in zip(self, other, strict=True)))


def _knit_rank(counts: tuple[int, ...]) -> Iterable[KnittingSum]:
    """Yield the ways to knit all tiles of one rank, with at most one couple."""
    for couple in ((), *SUIT_PAIRS):
        for absent in ((), *((place,) for place in couple)):
            rest = list(counts)
            for place in set(couple) - set(absent):
                rest[place] -= 1
            if min(rest) < 0:
                continue
            wilds = len(absent)
            for triplets in range(max(rest), min(TRIPLETS_PER_HAND, sum(rest)) + 1):
                missing = TRIPLET_TILES * triplets - sum(rest)
                extra = max(missing - triplets, 0)
                yield KnittingSum(triplets, int(bool(couple)), wilds + missing, extra)


TRIPLET_TILES = len(SUITS)


class RankPart(NamedTuple):
    """What one rank may contribute to a hand, and the tiles missing for that."""

    triplets: int
    couples: int
    tiles: tuple[int, ...]
    """The suits, by place, of the tiles that are missing."""
    wilds: int
    """How many of them wild tiles may replace: one in each triplet or couple (BMJA-G05)."""


class KnittingPlan(NamedTuple):
    """What the ranks so far contribute to a hand."""

    missing: int
    """The number of tiles missing from the parts, before wild tiles replace some."""
    parts: tuple[tuple[str, RankPart], ...]
    """By rank."""


def _missing_from_triplets(held: PlayerTiles) -> MissingFromTarget:
    """Return what is missing from the hand that needs fewest tiles; None when all are far."""
    # By triplets, couples and usable wild tiles: the plan with fewest missing tiles.
    plans: Mapping[tuple[int, int, int], KnittingPlan] = {(0, 0, 0): KnittingPlan(0, ())}
    for rank, counts in zip(SUIT_RANKS, counts_by_rank(held.own, tuple(SUITS)), strict=True):
        further: dict[tuple[int, int, int], KnittingPlan] = {}
        unreachable = tuple(suit + rank in held.unreachable for suit in SUITS)
        parts = _best_parts(counts, unreachable, held.wilds)
        for (triplets, couples, wilds), plan in plans.items():
            for part in parts:
                state = (
                    triplets + part.triplets,
                    couples + part.couples,
                    min(wilds + part.wilds, held.wilds),
                )
                missing = plan.missing + len(part.tiles)
                if (
                    state[0] > TRIPLETS_PER_HAND
                    or state[1] > 1
                    or missing - held.wilds > MAX_MISSING_TILES
                ):
                    continue
                if state not in further or missing <= further[state].missing:
                    further[state] = KnittingPlan(missing, (*plan.parts, (rank, part)))
        plans = further
    whole = {state: plan for state, plan in plans.items() if state[:2] == (TRIPLETS_PER_HAND, 1)}
    if not whole:
        return None
    best = min(whole, key=lambda state: whole[state].missing - state[2])
    return [
        MissingTiles(tuple(list(SUITS)[place] + rank for place in part.tiles), part.wilds)
        for rank, part in whole[best].parts
    ]


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _best_parts(
    counts: tuple[int, ...], unreachable: tuple[bool, ...], wilds: int
) -> tuple[RankPart, ...]:
    """Return what a rank may contribute, given the number held in each suit.

    Of parts that contribute the same, only the one with fewest missing tiles is returned. An
    unreachable tile must be wild (BMJA-G07).
    """
    best: dict[tuple[int, int, int], RankPart] = {}
    for part in _all_parts(counts, unreachable):
        usable = min(part.wilds, wilds)
        gives = (part.triplets, part.couples, usable)
        fewest = gives not in best or len(part.tiles) <= len(best[gives].tiles)
        if fewest and sum(unreachable[place] for place in part.tiles) <= usable:
            best[gives] = part._replace(wilds=usable)
    return tuple(best.values())


def _all_parts(counts: tuple[int, ...], unreachable: tuple[bool, ...]) -> Iterator[RankPart]:
    for couple in ((), *reversed(SUIT_PAIRS)):  # of equal parts the last is kept
        # Wild tiles replace the first ones: unreachable tiles, then those of the couple.
        places = sorted(
            range(TRIPLET_TILES), key=lambda at: (not unreachable[at], at not in couple)
        )
        for triplets in range(COPIES_PER_TILE - bool(couple) + 1):
            missing = [max(triplets + (at in couple) - n, 0) for at, n in enumerate(counts)]
            tiles = tuple(at for at in places for _ in range(missing[at]))
            groups = triplets + any(missing[at] for at in couple)
            yield RankPart(triplets, int(bool(couple)), tiles, min(len(tiles), groups))
