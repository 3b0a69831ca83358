"""Find the exposed sets of a hand that is not laid in two rows.

Some players push exposed sets forward in the one row that they lay. Others lay them in a block by
itself, beside or above their own tiles. Either way their own tiles have the loose ones or the pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from scorer.layings import cut_into_sets, laying_shapes
from vision.geometry.plane import HEIGHT_PER_WIDTH, median, quads_of, rotation_to_row
from vision.geometry.rows import Layout, RowExtent, TileRow
from vision.geometry.runs import find_components
from vision.hand.arrangement import is_bonus, is_bonus_row
from vision.preprocess import Float64s
from vision.reading import TileReading

MIN_FORWARD_HEIGHTS = 0.2
"""A set is pushed forward if it lies this much farther from the player, in tile heights."""

MIN_FORWARD_SHARE = 0.4
"""And if that is this share of all that the sets differ by; else the row only runs aslant."""

MIN_BLOCK_GAP_WIDTHS = 1.1
"""Blocks lie farther apart than sets of a row, in tile widths."""

_Group = tuple[int, ...]


def separate_exposed_rows(tiles: Sequence[TileReading], layout: Layout, rules: str) -> Layout:
    """Return the layout with exposed sets in rows of their own, the player's own row last.

    It stays as it is where nothing sets them apart, and on a mat, which names its rows itself.
    """
    codes = [tile.code for tile in tiles]
    playing_rows = [row for row in layout.rows if not is_bonus_row(codes, row)]
    if not playing_rows or any(row.meaning for row in playing_rows):
        return layout
    flat = layout.plane.flatten(quads_of(tiles))
    longest = max((row.tiles for row in playing_rows), key=len)
    centres = np.asarray(flat.mean(1) @ rotation_to_row(flat[list(longest)]))
    rows = _own_block_last(codes, layout, centres, rules)
    rows = rows or _forward_sets(codes, layout, centres, rules)
    return replace(layout, rows=tuple(_measure(row, centres) for row in rows)) if rows else layout


def _measure(row: TileRow, centres: Float64s) -> TileRow:
    x, y = centres[list(row.tiles)].T
    extent = RowExtent(float(x.min()) - 0.5, float(x.max()) + 0.5, float(median(y)))
    return replace(row, extent=extent)


def _own_block_last(
    codes: Sequence[str], layout: Layout, centres: Float64s, rules: str
) -> tuple[TileRow, ...]:
    """Return the rows of a hand in blocks; none if it is in one, or if none is clearly the own."""
    pieces = [piece for row in layout.rows for piece in cut_at_wide_gaps(row, centres)]
    is_adjacent = (
        np.array([[_gap(centres, a, b) for b in pieces] for a in pieces]) < MIN_BLOCK_GAP_WIDTHS
    )
    blocks = find_components(range(len(pieces)), is_adjacent)
    odd = [block for block in blocks if any(_count_odd(codes, pieces[k], rules) for k in block)]
    if len(odd) != 1:
        return ()
    (own_block,) = odd
    if all(is_bonus_row(codes, pieces[k]) for k in range(len(pieces)) if k not in own_block):
        return ()
    order = sorted(range(len(pieces)), key=lambda k: (k in own_block, k))
    return tuple(pieces[k] for k in order)


def cut_at_wide_gaps(row: TileRow, centres: Float64s) -> list[TileRow]:
    """Return the pieces of a row between gaps wider than those between sets.

    `centres` (N, 2) are in tile widths, seen from above.
    """
    cut: list[list[_Group]] = []
    for group in row.groups:
        if cut and _step(centres, cut[-1][-1][-1], group[0]) <= 1 + MIN_BLOCK_GAP_WIDTHS:
            cut[-1].append(group)
        else:
            cut.append([group])
    return [replace(row, groups=tuple(groups)) for groups in cut]


def _step(centres: Float64s, left: int, right: int) -> float:
    return float(np.hypot(*(centres[right] - centres[left])))


def _gap(centres: Float64s, a: TileRow, b: TileRow) -> float:
    """Return the free distance between two pieces, in tile widths."""
    gaps = np.abs(centres[list(a.tiles)][:, None] - centres[list(b.tiles)])
    free = np.maximum(gaps - (1.0, HEIGHT_PER_WIDTH), 0.0)
    return float(np.hypot(free[..., 0], free[..., 1]).min())


def _count_odd(codes: Sequence[str], piece: TileRow, rules: str) -> int:
    """Return how many tiles of a piece are in no set of three or four."""
    sizes = (size for group in piece.groups for size in set_sizes(codes, group, rules))
    return sum(size for size in sizes if size < 3)


def set_sizes(codes: Sequence[str], group: Sequence[int], rules: str) -> list[int]:
    """Return how many tiles the sets, pairs and loose tiles of a group have, without flowers."""
    names = tuple(codes[tile] for tile in group if not is_bonus(codes[tile]))
    return [cut.stop - cut.start for cut in cut_into_sets(names, laying_shapes(rules))]


def _forward_sets(
    codes: Sequence[str], layout: Layout, centres: Float64s, rules: str
) -> tuple[TileRow, ...]:
    """Return the sets pushed forward and the others of a hand that lies side by side.

    None if no set is clearly pushed forward, or if what is makes no sets.
    """
    playing_rows = [row for row in layout.rows if not is_bonus_row(codes, row)]
    longest = max((row.tiles for row in playing_rows), key=len)
    turn = 1.0 if centres[longest[-1], 0] >= centres[longest[0], 0] else -1.0
    x, height = turn * centres[:, 0], turn * centres[:, 1] / HEIGHT_PER_WIDTH
    sets = sorted(
        (s for row in playing_rows for s in _cut_at_sets(codes, row, rules)),
        key=lambda s: float(x[list(s)].min()),
    )
    if any(x[list(a)].max() > x[list(b)].min() for a, b in pairwise(sets)):
        return ()
    levels = np.array([_level(height, each, layout.sideways) for each in sets])
    order = np.argsort(levels)
    steps = np.diff(levels[order])
    if not len(steps) or steps.max() < max(MIN_FORWARD_HEIGHTS, MIN_FORWARD_SHARE * steps.sum()):
        return ()
    cut = int(steps.argmax()) + 1
    forward, own_row = (
        TileRow(tuple(sets[k] for k in sorted(part))) for part in (order[:cut], order[cut:])
    )
    if is_bonus_row(codes, forward) or _count_odd(codes, forward, rules):
        return ()
    return (*(row for row in layout.rows if row not in playing_rows), forward, own_row)


def _cut_at_sets(codes: Sequence[str], row: TileRow, rules: str) -> Iterator[_Group]:
    """Yield the sets and loose tiles of a row, bonus tiles by themselves."""
    for group in row.groups:
        names = tuple(codes[tile] for tile in group)
        for cut in cut_into_sets(names, laying_shapes(rules)):
            yield group[cut]


def _level(heights: Float64s, tiles: _Group, sideways: frozenset[int]) -> float:
    upright = [tile for tile in tiles if tile not in sideways] or list(tiles)
    return float(median(heights[upright]))
