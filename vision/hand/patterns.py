"""What the locator found that is no tile: squares and rings of a cloth, knots of wood.

A tile is of the size of the others of its set. What is not, and is named so faintly that it may be
anything, is none; nor is what is found far oftener than a set has it, for a pattern repeats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from scorer.tiles import CODES, Tile, copies
from vision.geometry.neighbours import side_by_side
from vision.geometry.plane import quads_of
from vision.geometry.rows import REACH, SLANT, Layout
from vision.geometry.unlike import unlike
from vision.reading import TileReading

FAINT = 0.7
"""A name less sure may be nothing's at all."""

TOO_UNLIKE = 4 / 3
"""From this factor, in width or height, what is faintly named is no tile of the hand's set. Of the
real photographs' tiles in rows 1 in 200 is more than 1.22 off, of those faintly named none that we
have more than 1.21 but one of which half is hidden."""

FAR_TOO_UNLIKE = 1.6
"""The same for what is in any doubt."""

OFTEN, UNLIKE = 2, 1.2
"""So many times as often as a set holds a face, it is a pattern that is taken for it, where it is
so unlike the hand's tiles."""

A_FEW = 2
"""So many things that are taken for one face may be misread by chance; more are a pattern."""

FEWEST = 4
"""Tiles side by side, surely named, that tell the size of the others."""


def patterns(tiles: Sequence[TileReading], others: Sequence[TileReading] = ()) -> frozenset[int]:
    """Return the places of what is no tile; `others` are those that are not this hand's."""
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
    """Return the tiles not left out that may be the pattern too: it has been taken for their face.

    Part of a pattern may be of a tile's size by chance.
    """
    out = [tiles[k].code for k, why in layout.left_out.items() if why == "pattern"]
    faces = {code for code, n in Counter(out).items() if code in CODES and n > A_FEW}
    own = (k for k in range(len(tiles)) if k not in layout.left_out)
    return frozenset(k for k in own if tiles[k].code in faces)


def _often(tiles: Sequence[TileReading]) -> frozenset[str]:
    """Return the faces that were found far oftener than there are."""
    found = Counter(tile.code for tile in tiles if tile.code in CODES)
    return frozenset(code for code, n in found.items() if n > OFTEN * copies(Tile.parse(code)))


def _allowed(tile: TileReading, often: frozenset[str]) -> float:
    """Return how unlike the hand's tiles this may be and still be one."""
    if tile.code in often:
        return UNLIKE
    if tile.confidence < FAINT:
        return TOO_UNLIKE
    return FAR_TOO_UNLIKE if tile.doubtful else np.inf
