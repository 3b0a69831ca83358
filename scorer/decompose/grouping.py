"""Find every way to split concealed tiles into sets.

>>> for sets in complete(("B1", "B1", "B1", "B2", "B3"), sets=1, pairs=1, chows=1):
...     print([(each.kind, each.tiles) for each in sets])
[('pair', ('B1', 'B1')), ('chow', ('B1', 'B2', 'B3'))]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from scorer.breakdown import TileSet
from scorer.hand import Codes
from scorer.memo_sizes import FEW, MANY
from scorer.sets import ALIKE, make_set

Sets = tuple[TileSet, ...]


class Split(NamedTuple):
    """One way to split tiles into sets."""

    sets: Sets
    """Pungs, kongs, chows and pairs."""
    pairs: int
    chows: int


def complete(codes: Sequence[str], *, sets: int, pairs: int, chows: int) -> Iterator[Sets]:
    """Yield each way to split all the tiles into this many sets and pairs (0 or 1).

    At most `chows` of the sets are chows.
    """
    of_families = [family_splits(family) for family in families(codes)]
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


def families(codes: Sequence[str]) -> list[Codes]:
    """Return the tiles grouped by suit; each honour is a family of its own."""
    found: dict[str, list[str]] = {}
    for code in sorted(codes):
        found.setdefault(code if code[0] in "WD" else code[0], []).append(code)
    return [tuple(tiles) for tiles in found.values()]


@lru_cache(maxsize=MANY)
def family_splits(codes: Codes) -> tuple[Split, ...]:
    """Return every way to split sorted tiles of one family, with at most one pair."""
    return tuple(_use_up(codes))


def _use_up(codes: Codes) -> Iterator[Split]:
    """Put copies of the lowest tile in a pair, pung or kong, and the others in chows."""
    if not codes:
        yield Split((), 0, 0)
        return
    lowest = codes[0]
    count = codes.count(lowest)
    for size in (0, *ALIKE):
        if size > count:
            break
        rest, runs = _without_chows(codes[size:], lowest, count - size)
        if rest is None:
            continue
        alike = _known(codes[:size]) if size else ()
        for others in _use_up(rest):
            pairs = others.pairs + (size == 2)
            if pairs <= 1:
                yield Split(alike + runs + others.sets, pairs, others.chows + len(runs))


def _without_chows(codes: Codes, lowest: str, chows: int) -> tuple[Codes | None, Sets]:
    """Take this many chows, each beginning with the lowest tile; None if tiles are lacking."""
    rest = list(codes)
    runs: Sets = ()
    for _ in range(chows):
        run = run_from(lowest)
        if any(rest.count(code) == 0 for code in run) or not run:
            return None, ()
        for code in run:
            rest.remove(code)
        runs += _known(run)
    return tuple(rest), runs


@lru_cache(maxsize=FEW)
def run_from(code: str) -> Codes:
    """Return the codes of the chow that begins with this tile; empty if there is none."""
    if code[0] not in "BCO" or code[1] > "7":
        return ()
    return tuple(f"{code[0]}{int(code[1]) + step}" for step in range(3))


def _known(codes: Codes) -> Sets:
    found = make_set(codes, concealed=True)
    return (found,) if found else ()
