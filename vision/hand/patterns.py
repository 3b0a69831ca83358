"""Find false detections: squares and rings of a cloth, knots of wood.

Tiles of a set have one size. A detection of another size with an uncertain name is not a tile.
Neither is one of another size whose name is found much more often than a set has it, because
patterns repeat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from scorer.tiles import CODES, Tile, copies_in_set
from vision.geometry.neighbours import side_by_side
from vision.geometry.plane import quads_of
from vision.geometry.rows import REACH, SLANT, Layout
from vision.geometry.unlike import unlike
from vision.reading import TileReading

FAINT = 0.7
"""Below this confidence a name may belong to something that is not a tile."""

TOO_UNLIKE = 4 / 3
"""An uncertain detection whose width or height differs by more than this factor is not a tile. Of
real tiles in rows 1 in 200 differs by more than 1.22. Of uncertain ones none differs by more than
1.21, except one that was half hidden."""

FAR_TOO_UNLIKE = 1.6
"""The same for any doubtful detection."""

OFTEN, UNLIKE = 2, 1.2
"""A face found more often than this multiple of a set's tiles is a pattern, if its size differs by
more than the second factor."""

A_FEW = 2
"""This many detections taken for one face may be misread by chance; more are a pattern."""

FEWEST = 4
"""Confident adjacent tiles that are needed to know the size of the others."""


def patterns(tiles: Sequence[TileReading], others: Sequence[TileReading] = ()) -> frozenset[int]:
    """Return the positions of detections that are not tiles; `others` belong to other hands."""
    often = _often([*tiles, *others])
    suspects = [k for k, t in enumerate(tiles) if t.doubtful or t.code in often]
    sure = [k for k, t in enumerate(tiles) if t.confidence >= FAINT and t.code not in often]
    if not suspects or len(sure) < FEWEST:
        return frozenset()
    surely = quads_of(tiles[k] for k in sure)
    row = max(side_by_side(surely, REACH, SLANT), key=len)
    if len(row) < FEWEST:
        return frozenset()
    factors = unlike(quads_of(tiles[k] for k in suspects), surely, row)
    return frozenset(
        k for k, off in zip(suspects, factors, strict=True) if off > _allowed(tiles[k], often)
    )


def named_as_pattern(tiles: Sequence[TileReading], layout: Layout) -> frozenset[int]:
    """Return the remaining tiles with a face that patterns were taken for.

    Part of a pattern may have a tile's size by chance.
    """
    out = [tiles[k].code for k, why in layout.left_out.items() if why == "pattern"]
    faces = {code for code, n in Counter(out).items() if code in CODES and n > A_FEW}
    own = (k for k in range(len(tiles)) if k not in layout.left_out)
    return frozenset(k for k in own if tiles[k].code in faces)


def _often(tiles: Sequence[TileReading]) -> frozenset[str]:
    """Return the faces that were found much more often than a set has them."""
    found = Counter(tile.code for tile in tiles if tile.code in CODES)
    return frozenset(
        code for code, n in found.items() if n > OFTEN * copies_in_set(Tile.parse(code))
    )


def _allowed(tile: TileReading, often: frozenset[str]) -> float:
    """Return how far this may differ in size from the hand's tiles and still be one."""
    if tile.code in often:
        return UNLIKE
    if tile.confidence < FAINT:
        return TOO_UNLIKE
    return FAR_TOO_UNLIKE if tile.doubtful else np.inf
