"""What the knitted hands lack: Knitting (BMJA-S13), Triple knitting (BMJA-S14) and their like.

A couple is one rank in two suits (BMJA-S35); a triplet is one rank in all three suits. So what one
rank gives to a hand does not depend on the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

from scorer.cache_sizes import MAX_CACHED_HANDS
from scorer.hand import Codes
from scorer.patterns.frames import COPIES_PER_TILE
from scorer.special.base import MAX_MISSING_TILES, MissingTiles, PlayerTiles
from scorer.tiles import RANKS

MAX_COUPLES_OF_A_RANK = 6
"""Twelve tiles in three suits."""


class RankPart(NamedTuple):
    """What one rank may contribute to a hand, and the tiles missing for that."""

    triplets: int
    couples: int
    tiles: tuple[int, ...]
    """The suits, by place, of the tiles that are missing; first those that must be wild."""
    wilds: int
    """How many of them wild tiles may replace: one in each triplet or couple (BMJA-G05)."""


class KnittingPlan(NamedTuple):
    """What the ranks so far contribute to a hand."""

    missing: int
    """The number of tiles missing from the parts, before wild tiles replace some."""
    parts: tuple[tuple[str, RankPart], ...] = ()
    """By rank."""


def missing_from_knitting(
    player: PlayerTiles,
    suits: str,
    triplets: int,
    couples: int,
    max_missing: int = MAX_MISSING_TILES,
) -> tuple[MissingTiles, ...] | None:
    """Return the fewest tiles missing from this number of triplets and couples of these suits.

    Return None when every such hand lacks more than `max_missing`.
    """
    # By triplets, couples and usable wild tiles: the plan with fewest missing tiles.
    plans: Mapping[tuple[int, int, int], KnittingPlan] = {(0, 0, 0): KnittingPlan(0)}
    for rank in reversed(RANKS["B"]):  # of equal hands the last is kept, of the lowest ranks
        counts = tuple([player.counts.get(suit + rank, 0) for suit in suits])
        wild_only = tuple([suit + rank in player.unreachable for suit in suits])
        parts = _best_parts(counts, wild_only, player.wilds, triplets, couples)
        further: dict[tuple[int, int, int], KnittingPlan] = {}
        for (triplet_count, pairs, wilds), plan in plans.items():
            for part in parts:
                missing = plan.missing + len(part.tiles)
                state = (
                    triplet_count + part.triplets,
                    pairs + part.couples,
                    min(wilds + part.wilds, player.wilds),
                )
                if state[0] > triplets or state[1] > couples:
                    continue
                if missing - player.wilds > max_missing:
                    continue
                if state not in further or missing < further[state].missing:
                    further[state] = KnittingPlan(missing, (*plan.parts, (rank, part)))
        plans = further
    complete_plans = [
        (plan.missing - state[2], plan)
        for state, plan in plans.items()
        if state[:2] == (triplets, couples)
    ]
    if not complete_plans:
        return None
    _, best = min(complete_plans, key=lambda pair: pair[0])
    return tuple(MissingTiles(_codes(suits, rank, part), part.wilds) for rank, part in best.parts)


def _codes(suits: str, rank: str, part: RankPart) -> Codes:
    return tuple(suits[place] + rank for place in part.tiles)


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _best_parts(
    counts: tuple[int, ...], wild_only: tuple[bool, ...], wilds: int, triplets: int, couples: int
) -> tuple[RankPart, ...]:
    """Return what a rank may contribute, given the number held in each suit.

    Of parts that contribute the same, only the one with fewest missing tiles is returned.
    """
    best: dict[tuple[int, int, int], RankPart] = {}
    for triplet_count, pairs, uses in _all_uses(len(counts), triplets, couples):
        missing = [max(use - n, 0) for use, n in zip(uses, counts, strict=True)]
        places = sorted(range(len(counts)), key=lambda place: not wild_only[place])
        tiles = tuple(place for place in places for _ in range(missing[place]))
        usable = min(len(tiles), triplet_count + pairs, wilds)
        forced_count = sum(n for place, n in enumerate(missing) if wild_only[place])
        gives = (triplet_count, pairs, usable)
        if forced_count <= usable and (gives not in best or len(tiles) < len(best[gives].tiles)):
            best[gives] = RankPart(triplet_count, pairs, tiles, usable)
    return tuple(best.values())


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _all_uses(
    suits: int, triplets: int, couples: int
) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
    """Return the triplets and couples that a rank may hold, and their tiles in each suit."""
    return tuple(_find_uses(suits, triplets, couples))


def _find_uses(
    suits: int, triplets: int, couples: int
) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    for triplet_count in range(min(triplets, COPIES_PER_TILE) + 1):
        for pairs in range(min(couples, MAX_COUPLES_OF_A_RANK) + 1):
            known_uses = set[tuple[int, ...]]()
            for suit_pairs in combinations_with_replacement(combinations(range(suits), 2), pairs):
                counts = tuple(
                    triplet_count + sum(place in pair for pair in suit_pairs)
                    for place in range(suits)
                )
                if max(counts) <= COPIES_PER_TILE and counts not in known_uses:
                    known_uses.add(counts)
                    yield triplet_count, pairs, counts
