"""Find every way to split concealed tiles into sets.

>>> for sets in split_into_sets(("B1", "B1", "B1", "B2", "B3"), sets=1, pairs=1, chows=1):
...     print([(each.kind, each.tiles) for each in sets])
[('pair', ('B1', 'B1')), ('chow', ('B1', 'B2', 'B3'))]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from scorer.breakdown import TileSet
from scorer.cache_sizes import MAX_CACHED_HANDS, MAX_CACHED_TABLES
from scorer.hand import Codes
from scorer.sets import KIND_BY_SIZE, make_set

Sets = tuple[TileSet, ...]


class Split(NamedTuple):
    """One way to split tiles into sets."""

    sets: Sets
    """Pungs, kongs, chows and pairs."""
    pairs: int
    chows: int


def split_into_sets(codes: Sequence[str], *, sets: int, pairs: int, chows: int) -> Iterator[Sets]:
    """Yield each way to split all the tiles into this many sets and pairs (0 or 1).

    At most `chows` of the sets are chows.
    """
    of_families = [split_family(family) for family in group_by_family(codes)]
    splits: list[Split] = [Split((), 0, 0)]
    for family in of_families:
        splits = [
            Split(before.sets + split.sets, before.pairs + split.pairs, before.chows + split.chows)
            for before in splits
            for split in family
            if before.pairs + split.pairs <= pairs and before.chows + split.chows <= chows
        ]
    for split in splits:
        if split.pairs == pairs and len(split.sets) == sets + pairs:
            yield split.sets


def group_by_family(codes: Sequence[str]) -> list[Codes]:
    """Return the tiles grouped by suit; each honour is a family of its own."""
    families: dict[str, list[str]] = {}
    for code in sorted(codes):
        families.setdefault(code if code[0] in "WD" else code[0], []).append(code)
    return [tuple(tiles) for tiles in families.values()]


@lru_cache(maxsize=MAX_CACHED_HANDS)
def split_family(codes: Codes) -> tuple[Split, ...]:
    """Return every way to split sorted tiles of one family, with at most one pair."""
    return tuple(_split_lowest(codes))


def _split_lowest(codes: Codes) -> Iterator[Split]:
    """Put copies of the lowest tile in a pair, pung or kong, and the others in chows."""
    if not codes:
        yield Split((), 0, 0)
        return
    lowest = codes[0]
    count = codes.count(lowest)
    for size in (0, *KIND_BY_SIZE):
        if size > count:
            break
        rest, runs = _take_chows(codes[size:], lowest, count - size)
        if rest is None:
            continue
        equal_sets = _as_sets(codes[:size]) if size else ()
        for other_sets in _split_lowest(rest):
            pairs = other_sets.pairs + (size == 2)
            if pairs <= 1:
                yield Split(
                    equal_sets + runs + other_sets.sets, pairs, other_sets.chows + len(runs)
                )


def _take_chows(codes: Codes, lowest: str, chows: int) -> tuple[Codes | None, Sets]:
    """Take this many chows, each beginning with the lowest tile; None if tiles are lacking."""
    rest = list(codes)
    runs: Sets = ()
    for _ in range(chows):
        run = chow_codes_from(lowest)
        if any(rest.count(code) == 0 for code in run) or not run:
            return None, ()
        for code in run:
            rest.remove(code)
        runs += _as_sets(run)
    return tuple(rest), runs


@lru_cache(maxsize=MAX_CACHED_TABLES)
def chow_codes_from(code: str) -> Codes:
    """Return the codes of the chow that begins with this tile; empty if there is none."""
    if code[0] not in "BCO" or code[1] > "7":
        return ()
    return tuple(f"{code[0]}{int(code[1]) + step}" for step in range(3))


def _as_sets(codes: Codes) -> Sets:
    tile_set = make_set(codes, concealed=True)
    return (tile_set,) if tile_set else ()
