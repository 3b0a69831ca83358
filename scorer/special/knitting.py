"""What the knitted hands lack: Knitting (BMJA-S13), Triple knitting (BMJA-S14) and their like.

A couple is one rank in two suits (BMJA-S35); a triplet is one rank in all three suits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from scorer.cache_sizes import MAX_CACHED_HANDS
from scorer.patterns.frames import COPIES_PER_TILE
from scorer.special.base import (
    MAX_MISSING_TILES,
    MissingFromTarget,
    MissingTiles,
    PlayerTiles,
    missing_singles,
)
from scorer.tiles import RANKS, SUITS

SUIT_RANKS = RANKS["B"]
SUIT_PAIRS = tuple(combinations(range(len(SUITS)), 2))
TRIPLET_TILES = len(SUITS)


def counts_by_rank(natural: Mapping[str, int], suits: tuple[str, ...]) -> Iterator[tuple[int, ...]]:
    """Yield for each rank, from 1 to 9, the number of tiles in each of these suits."""
    for rank in SUIT_RANKS:
        yield tuple([natural.get(suit + rank, 0) for suit in suits])


def missing_from_couples(
    held: PlayerTiles, suits: tuple[str, ...], couples: int
) -> MissingFromTarget:
    """Form all couples, then complete single tiles, then begin new couples."""
    ranks = {
        rank: list(counts)
        for rank, counts in zip(SUIT_RANKS, counts_by_rank(held.own, suits), strict=True)
    }
    to_come = couples - sum(_count_couples(counts) for counts in ranks.values())
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


def missing_from_triplets(held: PlayerTiles, triplets: int, couples: int) -> MissingFromTarget:
    """Return what is missing from the hand that needs fewest tiles; None when all are far.

    A hand has so many triplets, and one couple or none.
    """
    # By triplets, couples and usable wild tiles: the plan with fewest missing tiles.
    plans: Mapping[tuple[int, int, int], KnittingPlan] = {(0, 0, 0): KnittingPlan(0, ())}
    for rank, counts in zip(SUIT_RANKS, counts_by_rank(held.own, tuple(SUITS)), strict=True):
        further: dict[tuple[int, int, int], KnittingPlan] = {}
        unreachable = tuple(suit + rank in held.unreachable for suit in SUITS)
        parts = _best_parts(counts, unreachable, held.wilds)
        for (some, pairs, wilds), plan in plans.items():
            for part in parts:
                state = (
                    some + part.triplets,
                    pairs + part.couples,
                    min(wilds + part.wilds, held.wilds),
                )
                missing = plan.missing + len(part.tiles)
                if (
                    state[0] > triplets
                    or state[1] > couples
                    or missing - held.wilds > MAX_MISSING_TILES
                ):
                    continue
                if state not in further or missing <= further[state].missing:
                    further[state] = KnittingPlan(missing, (*plan.parts, (rank, part)))
        plans = further
    whole = {state: plan for state, plan in plans.items() if state[:2] == (triplets, couples)}
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
