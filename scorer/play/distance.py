"""Measure how far a hand is from sets and a pair, and which tiles bring it nearer.

Tables make it quick. A table says what each suit lacks for so many sets, chows and pairs; the
honours are a fourth suit. Each table is made once for each count of tiles; four give the hand.

>>> hand = Distance(("B1", "B1", "B1", "B2", "B3", "DR", "DR"), sets=2, chows=1)
>>> hand.missing, sorted(hand.useful())
(1, ['B1', 'B4', 'DR'])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from scorer.hand import Codes
from scorer.patterns.frames import COPIES_PER_TILE, PLACE_BY_CODE, PLAYING_CODES

SUIT_FACES = 9
MAX_CACHED_FAMILIES = 100_000
"""Counts of one suit that are remembered; each takes about 1 kB at most."""

UNREACHABLE_TILES = 99
"""More tiles than any hand lacks."""

Counts = tuple[int, ...]
CostTable = tuple[int, ...]
"""The tiles that a family lacks, by `pair * width + sets * (chows + 1) + chows`, at most so many
chows being used."""


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
        b, c, o, h = self._costs
        bc, oh = _combine(b, c, *shape), _combine(o, h, *shape)
        self._rest = (
            _combine(c, oh, *shape),
            _combine(b, oh, *shape),
            _combine(bc, h, *shape),
            _combine(bc, o, *shape),
        )
        self.missing = _join(b, self._rest[0], *shape)

    def missing_with(self, family: int, counts: Counts) -> int:
        """Return the tiles that lack when one family has other counts."""
        costs = family_costs(counts, self.sets, self.chows, family == 3)
        return _join(costs, self._rest[family], self.sets, self.chows)

    def after_discards(self) -> dict[str, int]:
        """Return, for each tile of the hand, what lacks after its discard."""
        return {
            code_at(family, index): self.missing_with(family, _shift_count(counts, index, -1))
            for family, counts in enumerate(self.counts)
            for index, count in enumerate(counts)
            if count
        }

    def useful(self) -> Codes:
        """Return the tiles that bring the hand nearer."""
        codes = []
        for family, counts in enumerate(self.counts):
            for index, count in enumerate(counts):
                if count == COPIES_PER_TILE:
                    continue
                if self.missing_with(family, _shift_count(counts, index, 1)) < self.missing:
                    codes.append(code_at(family, index))
        return tuple(codes)


def _shift_count(counts: Counts, index: int, step: int) -> Counts:
    return (*counts[:index], counts[index] + step, *counts[index + 1 :])


@lru_cache(maxsize=MAX_CACHED_FAMILIES)
def family_costs(counts: Counts, sets: int, chows: int, is_honours: bool) -> CostTable:
    """Return what a family lacks for each number of sets, chows and pairs."""
    width = (sets + 1) * (chows + 1)
    costs = [UNREACHABLE_TILES] * (2 * width)
    states: Mapping[tuple[int, int, int, int, int], int] = {(0, 0, 0, 0, 0): 0}
    for rank, count in enumerate(counts):
        runs_begin = not is_honours and rank < SUIT_FACES - 2
        after: dict[tuple[int, int, int, int, int], int] = {}
        for (pair, set_count, chow_count, run_before_last, last_runs), cost in states.items():
            max_runs = min(sets - set_count, chows - chow_count) if runs_begin else 0
            for runs in range(max_runs + 1):
                for pung, eyes in ((0, 0), (1, 0), (0, 1), (1, 1)):
                    tiles = run_before_last + last_runs + runs + 3 * pung + 2 * eyes
                    new_sets = set_count + runs + pung
                    if tiles > COPIES_PER_TILE or pair + eyes > 1 or new_sets > sets:
                        continue
                    state = (pair + eyes, new_sets, chow_count + runs, last_runs, runs)
                    price = cost + max(tiles - count, 0)
                    if price < after.get(state, UNREACHABLE_TILES):
                        after[state] = price
        states = after
    for (pair, set_count, chow_count, _, _), cost in states.items():
        for limit in range(chow_count, chows + 1):
            place = pair * width + set_count * (chows + 1) + limit
            costs[place] = min(costs[place], cost)
    return tuple(costs)


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
def _combine(first: CostTable, other: CostTable, sets: int, chows: int) -> CostTable:
    """Return what two families lack together."""
    return tuple(
        min([first[i] + other[j] for i, j in places]) for places in _pairs_of_places(sets, chows)
    )


def _join(first: CostTable, other: CostTable, sets: int, chows: int) -> int:
    """Return what a whole hand lacks: all sets and a pair."""
    return min([first[i] + other[j] for i, j in _pairs_of_places(sets, chows)[-1]])
