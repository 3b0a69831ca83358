"""Find false detections: squares and rings of a cloth, knots of wood, figures on paper, keys.

Tiles of a set have one size. A detection of another size with an uncertain name is not a tile.
Neither is one of another size whose name is found much more often than a set has it, because
patterns repeat. And where of many that lie together hardly any has a sure name, none is a tile:
keyboards look so, alone or beside a hand, and no tile set does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scorer.tiles import CODES, FACE_DOWN, Tile, copies_in_set
from vision.geometry.plane import Quads, quads_of, size_ratios
from vision.geometry.rows import MAX_ROW_GAP_WIDTHS, MAX_ROW_OFFSET_HEIGHTS, Layout
from vision.geometry.runs import find_components, find_runs
from vision.reading import TileReading

MIN_SURE_CONFIDENCE = 0.7
"""Below this confidence a name may belong to something that is not a tile."""

MAX_FAINT_SIZE_RATIO = 4 / 3
"""An uncertain detection whose width or height differs by more than this factor is not a tile. Of
real tiles in rows 1 in 200 differs by more than 1.22. Of uncertain ones none differs by more than
1.21, except one that was half hidden."""

MAX_DOUBTFUL_SIZE_RATIO = 1.6
"""The same for any doubtful detection."""

MAX_SET_MULTIPLE, MAX_REPEATED_SIZE_RATIO = 2, 1.2
"""A face found more often than this multiple of a set's tiles is a pattern, if its size differs by
more than the second factor."""

MAX_CHANCE_MISREADS = 2
"""This many detections taken for one face may be misread by chance; more are a pattern."""

MIN_SURE_ROW_TILES = 4
"""Confident adjacent tiles that are needed to know the size of the others."""

MIN_SURE_SET_TILES = 3
"""Where no row is longer than a set, as in a stack, rows of at least this many count together."""

MIN_KEYS, MAX_SURE_KEY_SHARE = 20, 0.08
"""So many detections that lie together are no tiles if no more than this share has a sure name. Of
six photographs of a keyboard 0 to 7 % have one; of the strangest tile sets more than a third."""

MAX_KEY_STEP_SIDES = 2.0
"""Keys lie together whose middles are no farther apart than this, in their longer sides."""


def find_false_detections(
    tiles: Sequence[TileReading], other_tiles: Sequence[TileReading] = ()
) -> frozenset[int]:
    """Return the positions of detections that are not tiles.

    `other_tiles` belong to other hands.
    """
    everything = [*tiles, *other_tiles]
    keys = _find_keys(everything)
    frequent_faces = _repeated_faces([t for k, t in enumerate(everything) if k not in keys])
    keys &= frozenset(range(len(tiles)))
    suspects = [
        k for k, t in enumerate(tiles) if k not in keys and (t.doubtful or t.code in frequent_faces)
    ]
    sure = [
        k
        for k, t in enumerate(tiles)
        if k not in keys and t.confidence >= MIN_SURE_CONFIDENCE and t.code not in frequent_faces
    ]
    if not suspects or len(sure) < MIN_SURE_ROW_TILES:
        return keys
    surely = quads_of(tiles[k] for k in sure)
    row = _adjacent_tiles(surely)
    if len(row) < MIN_SURE_ROW_TILES:
        return keys
    factors = size_ratios(quads_of(tiles[k] for k in suspects), surely, row)
    return keys.union(
        k
        for k, off in zip(suspects, factors, strict=True)
        if off > _max_size_ratio(tiles[k], frequent_faces)
    )


def _find_keys(tiles: Sequence[TileReading]) -> frozenset[int]:
    """Return the positions of keys, and of other things that lie together in such numbers.

    A group of detections is taken for keys if hardly any has a sure name. Doubtful detections next
    to a key are taken for keys, too. Backs make no such group, and a row of sure tiles stays.
    """
    is_doubtful = np.array([tile.doubtful for tile in tiles], np.bool_)
    if is_doubtful.sum() < (1 - MAX_SURE_KEY_SHARE) * MIN_KEYS:
        return frozenset()
    quads = quads_of(tiles)
    centres = quads.mean(1)
    sides = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).max(1)
    steps = np.linalg.norm(centres[:, None] - centres, axis=2)
    is_near = steps <= MAX_KEY_STEP_SIDES * np.minimum(sides[:, None], sides)
    rest = sorted(set(range(len(tiles))).difference(*_sure_rows(quads, is_doubtful)))
    keys: set[int] = set()
    for component in [range(len(tiles)), *find_components(rest, is_near)]:
        faces = [k for k in component if tiles[k].code != FACE_DOWN]
        doubtful_faces = [k for k in faces if is_doubtful[k]]
        if MIN_KEYS <= len(faces) <= len(doubtful_faces) + MAX_SURE_KEY_SHARE * len(faces):
            reach = MAX_KEY_STEP_SIDES * sides[doubtful_faces, None]
            in_reach = is_doubtful & (steps[doubtful_faces] <= reach).any(0)
            keys.update(component, np.flatnonzero(in_reach).tolist())
    return frozenset(keys.intersection(rest))


def _sure_rows(quads: Quads, is_doubtful: npt.NDArray[np.bool_]) -> list[list[int]]:
    """Return the rows in which enough tiles, and half of them or more, are sure."""
    runs = find_runs(quads, MAX_ROW_GAP_WIDTHS, MAX_ROW_OFFSET_HEIGHTS)
    sure_counts = [len(run) - int(is_doubtful[run].sum()) for run in runs]
    return [
        run
        for run, count in zip(runs, sure_counts, strict=True)
        if count >= max(MIN_SURE_SET_TILES, len(run) / 2)
    ]


def _adjacent_tiles(quads: Quads) -> list[int]:
    """Return the longest row, or all rows if none is longer than a set."""
    runs = find_runs(quads, MAX_ROW_GAP_WIDTHS, MAX_ROW_OFFSET_HEIGHTS)
    longest = max(runs, key=len)
    if len(longest) >= MIN_SURE_ROW_TILES:
        return longest
    return [k for run in runs if len(run) >= MIN_SURE_SET_TILES for k in run]


def find_pattern_suspects(tiles: Sequence[TileReading], layout: Layout) -> frozenset[int]:
    """Return the remaining tiles with a face that patterns were taken for.

    Part of a pattern may have a tile's size by chance.
    """
    pattern_faces = [tiles[k].code for k, why in layout.left_out.items() if why == "pattern"]
    faces = {
        code
        for code, n in Counter(pattern_faces).items()
        if code in CODES and n > MAX_CHANCE_MISREADS
    }
    remaining_tiles = (k for k in range(len(tiles)) if k not in layout.left_out)
    return frozenset(k for k in remaining_tiles if tiles[k].code in faces)


def _repeated_faces(tiles: Sequence[TileReading]) -> frozenset[str]:
    """Return the faces that were found much more often than a set has them."""
    face_counts = Counter(tile.code for tile in tiles if tile.code in CODES)
    return frozenset(
        code
        for code, n in face_counts.items()
        if n > MAX_SET_MULTIPLE * copies_in_set(Tile.parse(code))
    )


def _max_size_ratio(tile: TileReading, frequent_faces: frozenset[str]) -> float:
    """Return how far this may differ in size from the hand's tiles and still be one."""
    if tile.code in frequent_faces:
        return MAX_REPEATED_SIZE_RATIO
    if tile.confidence < MIN_SURE_CONFIDENCE:
        return MAX_FAINT_SIZE_RATIO
    return MAX_DOUBTFUL_SIZE_RATIO if tile.doubtful else np.inf
