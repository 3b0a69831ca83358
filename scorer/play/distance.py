"""Measure how many tiles a hand lacks for sets and a pair, and which tiles bring it nearer.

A table says what a suit lacks for a number of sets, chows and pairs. The honours count as a fourth
suit. Each table is made once for the same tiles of a suit, so a hand takes four look-ups.

>>> hand = Distance(("B1", "B1", "B1", "B2", "B3", "DR", "DR"), sets=2, chows=1)
>>> hand.missing, sorted(hand.useful())
(1, ['B1', 'B4', 'DR'])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from scorer.hand import Codes
from scorer.patterns.frames import COPIES_PER_TILE, PLACE_BY_CODE, PLAYING_CODES

SUIT_FACES = 9
MAX_CACHED_FAMILIES = 100_000
"""Counts of one suit that are remembered; each takes about 1.5 kB at most."""

MAX_CACHED_PLANS = 1_000
"""First ranks of a suit whose plans are remembered; each takes some 8 kB."""

MAX_CACHED_STATES = 4_000
"""States of a family, each with what may follow it, that are remembered."""

UNREACHABLE_TILES = 99
"""More tiles than any hand lacks."""

Counts = tuple[int, ...]
State = tuple[int, int, int, int, int]
"""Pairs, sets and chows of the ranks so far, and the runs that began at the last two ranks."""

_EQUAL_SETS = ((0, 0, 0), (1, 0, 3), (0, 1, 2), (1, 1, 5))
"""Pungs and pairs of one face, and how many tiles they take."""


class FamilyCosts(NamedTuple):
    """What a family lacks, at `pair * width + sets * (chows + 1) + chows`.

    `chows` is the most that may be used.
    """

    tiles: tuple[int, ...]
    """How many tiles it lacks at least."""
    ranks: tuple[int, ...]
    """The places of the tiles that it may lack then, each as a bit."""


def count_families(codes: Iterable[str]) -> list[list[int]]:
    """Return the counts of the three suits and of the honours."""
    counts = [[0] * SUIT_FACES for _ in range(3)] + [[0] * (len(PLAYING_CODES) - 27)]
    for code in codes:
        place = PLACE_BY_CODE[code]
        counts[min(place // SUIT_FACES, 3)][place - min(place // SUIT_FACES, 3) * SUIT_FACES] += 1
    return counts


def code_at(family: int, index: int) -> str:
    """Return the tile at a place of a family's counts."""
    return PLAYING_CODES[family * SUIT_FACES + index]


class Distance:
    """How many tiles a concealed hand lacks for a number of sets and a pair."""

    def __init__(self, codes: Iterable[str], sets: int, chows: int) -> None:
        self.sets, self.chows = sets, max(min(chows, sets), 0)
        self.counts = [tuple(family) for family in count_families(codes)]
        shape = (self.sets, self.chows)
        self._costs = [family_costs(counts, *shape, i == 3) for i, counts in enumerate(self.counts)]
        b, c, o, h = (costs.tiles for costs in self._costs)
        bc, oh = _combine(b, c, *shape), _combine(o, h, *shape)
        self._rest = (
            _combine(c, oh, *shape),
            _combine(b, oh, *shape),
            _combine(bc, h, *shape),
            _combine(bc, o, *shape),
        )
        self._splits = _pairs_of_places(*shape)[-1]
        self.missing = min([b[i] + self._rest[0][j] for i, j in self._splits])

    def after_discards(self) -> dict[str, int]:
        """Return, for each tile of the hand, what lacks after its discard."""
        return {
            code_at(family, index): self._missing_with(
                family, (*counts[:index], count - 1, *counts[index + 1 :])
            )
            for family, counts in enumerate(self.counts)
            for index, count in enumerate(counts)
            if count
        }

    def useful(self) -> Codes:
        """Return the tiles that bring the hand nearer: those that it may lack when it is near."""
        codes: list[str] = []
        for family, (costs, rest) in enumerate(zip(self._costs, self._rest, strict=True)):
            ranks = 0
            for i, j in self._splits:
                if costs.tiles[i] + rest[j] == self.missing:
                    ranks |= costs.ranks[i]
            indices = range(len(self.counts[family]))
            codes += [code_at(family, index) for index in indices if ranks >> index & 1]
        return tuple(codes)

    def _missing_with(self, family: int, counts: Counts) -> int:
        """Return the tiles that lack when one family has other counts."""
        costs = family_costs(counts, self.sets, self.chows, family == 3).tiles
        rest = self._rest[family]
        return min([costs[i] + rest[j] for i, j in self._splits])


@lru_cache(maxsize=MAX_CACHED_FAMILIES)
def family_costs(counts: Counts, sets: int, chows: int, is_honours: bool) -> FamilyCosts:
    """Return what a family lacks for each number of sets, chows and pairs."""
    width = (sets + 1) * (chows + 1)
    costs = [UNREACHABLE_TILES << SUIT_FACES] * (2 * width)
    for (pair, set_count, chow_count, _, _), plan in _plans(
        counts, sets, chows, is_honours
    ).items():
        for limit in range(chow_count, chows + 1):
            place = pair * width + set_count * (chows + 1) + limit
            costs[place] = _cheaper(costs[place], plan)
    return FamilyCosts(
        tuple([plan >> SUIT_FACES for plan in costs]),
        tuple([plan & (1 << SUIT_FACES) - 1 for plan in costs]),
    )


@lru_cache(maxsize=MAX_CACHED_PLANS)
def _plans(counts: Counts, sets: int, chows: int, is_honours: bool) -> Mapping[State, int]:
    """Return the cheapest plan that comes to each state after these ranks.

    A plan is the tiles it lacks, then their ranks as bits, in one number.
    """
    if not counts:
        return {(0, 0, 0, 0, 0): 0}
    *ranks_before, count = counts
    runs_begin = not is_honours and len(ranks_before) < SUIT_FACES - 2
    rank_bit = 1 << len(ranks_before)
    plans: dict[State, int] = {}
    for before, plan in _plans(tuple(ranks_before), sets, chows, is_honours).items():
        for state, tiles in _next_states(before, sets, chows, runs_begin):
            next_plan = plan
            if tiles > count:
                next_plan = plan + (tiles - count << SUIT_FACES) | rank_bit
            rival = plans.get(state, UNREACHABLE_TILES << SUIT_FACES)
            if next_plan < rival:
                plans[state] = next_plan
            if next_plan >> SUIT_FACES == rival >> SUIT_FACES:
                plans[state] = next_plan | rival
    return plans


@lru_cache(maxsize=MAX_CACHED_STATES)
def _next_states(
    state: State, sets: int, chows: int, runs_begin: bool
) -> tuple[tuple[State, int], ...]:
    """Return what may stand after one more rank, and how many tiles of that rank it takes."""
    pair, set_count, chow_count, run_before_last, last_runs = state
    max_runs = min(sets - set_count, chows - chow_count) if runs_begin else 0
    return tuple(
        ((pair + eyes, set_count + runs + pung, chow_count + runs, last_runs, runs), tiles)
        for runs in range(max_runs + 1)
        for pung, eyes, equal_tiles in _EQUAL_SETS
        for tiles in (run_before_last + last_runs + runs + equal_tiles,)
        if tiles <= COPIES_PER_TILE and pair + eyes <= 1 and set_count + runs + pung <= sets
    )


def _cheaper(plan: int, rival: int) -> int:
    """Return the plan that lacks fewer tiles; of two alike, every rank that may be among them."""
    if plan >> SUIT_FACES == rival >> SUIT_FACES:
        return plan | rival
    return min(plan, rival)


@lru_cache(maxsize=64)
def _pairs_of_places(sets: int, chows: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return, for each place of a sum, the places of its two parts."""
    step, width = chows + 1, (sets + 1) * (chows + 1)
    return tuple(
        tuple(
            (
                one_pair * width + one_sets * step + one_chows,
                (pair - one_pair) * width + (all_sets - one_sets) * step + all_chows - one_chows,
            )
            for one_pair in range(pair + 1)
            for one_sets in range(all_sets + 1)
            for one_chows in range(all_chows + 1)
        )
        for pair in range(2)
        for all_sets in range(sets + 1)
        for all_chows in range(step)
    )


@lru_cache(maxsize=MAX_CACHED_FAMILIES)
def _combine(first: Counts, other: Counts, sets: int, chows: int) -> Counts:
    """Return what two families lack together."""
    return tuple(
        min([first[i] + other[j] for i, j in places]) for places in _pairs_of_places(sets, chows)
    )
