"""Where to look closer: parts of a photograph in which the tiles are too small for the locator."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.preprocess import LOCATOR_SIDE

Window = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels of the photograph."""

SMALL = 24.0
"""Tiles narrower than this, in pixels of the locator's picture, are worth a closer look."""

COMFORTABLE = 30.0
"""What a closer look makes of them."""

CLEAR = 50.0
"""And what several looks make of them, as far as the photograph itself shows them so large: of a
table in play at 12 megapixels (`tests/prove/table_in_play.py`) 55 of 78 tiles are found at 30
pixels, 70 at 40, all at 50. Enlarged so far from a smaller photograph, tiles are lost."""

LARGEST = 60.0
"""The most that a closer look makes of a few tiles: a single one would be enlarged until its
circles came apart."""

FEW = 3
"""So many are a few. Of more some are found only when enlarged as far as the window allows."""

MARGIN = 2.5
"""Tile widths around the tiles found, since a tile missed lies mostly beside one found."""

OVERLAP = 2.5
"""Tile widths that neighbouring windows share, so that no tile is cut by both."""

MOST = 16
"""Windows to a photograph: bounds the time that a whole table takes."""


def closer(quads: Sequence[npt.NDArray[np.float32]], width: int, height: int) -> list[Window]:
    """Return the windows to look at again, none where the tiles (4, 2) found are large enough.

    `width` and `height` are the photograph's; so are the pixels of the quads.
    """
    if not quads:
        return []
    tile = float(np.median(_short_sides(np.stack(quads))))
    shrink = LOCATOR_SIDE / max(width, height)
    if tile * shrink >= SMALL:
        return []
    windows = _windows(quads, tile, COMFORTABLE, (width, height))
    if len(windows) > 1 and tile > COMFORTABLE:
        windows = _windows(quads, tile, min(tile, CLEAR), (width, height))
    return windows


def _windows(
    quads: Sequence[npt.NDArray[np.float32]], tile: float, shown: float, size: tuple[int, int]
) -> list[Window]:
    """Return windows that hold the quads, and show a tile of `tile` pixels in `shown` of theirs."""
    corners = np.concatenate(quads)
    low = np.maximum(corners.min(0) - MARGIN * tile, 0)
    high = np.minimum(corners.max(0) + MARGIN * tile, size)
    longest = max(LOCATOR_SIDE * tile / shown, (OVERLAP + 2) * tile)
    longest = min(longest, 0.8 * max(size))
    columns = _cuts(low[0], high[0], longest, OVERLAP * tile)
    rows = _cuts(low[1], high[1], longest, OVERLAP * tile)
    if len(columns) * len(rows) > MOST:
        stretch = math.sqrt(len(columns) * len(rows) / MOST)
        columns = _cuts(low[0], high[0], longest * stretch * 1.2, OVERLAP * tile)
        rows = _cuts(low[1], high[1], longest * stretch * 1.2, OVERLAP * tile)
    wide, high = size
    return [(x0, y0, min(x1, wide), min(y1, high)) for y0, y1 in rows for x0, x1 in columns]


def picture_side(window: Window, quads: Sequence[npt.NDArray[np.float32]]) -> int:
    """Return the longer side, in pixels, at which the locator is shown a window on these tiles."""
    if len(quads) > FEW:
        return LOCATOR_SIDE
    x0, y0, x1, y1 = window
    enlarge = LARGEST / float(np.median(_short_sides(np.stack(quads))))
    return min(LOCATOR_SIDE, math.ceil(enlarge * max(x1 - x0, y1 - y0)))


def _short_sides(quads: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    sides = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2)
    return np.asarray(sides.min(1), np.float32)


def _cuts(low: float, high: float, longest: float, shared: float) -> list[tuple[int, int]]:
    """Return the fewest equal, overlapping pieces of a stretch, none longer than `longest`."""
    length = high - low
    count = 1 if length <= longest else math.ceil((length - shared) / max(longest - shared, 1.0))
    piece = (length + (count - 1) * shared) / count
    starts = [low + k * (piece - shared) for k in range(count)]
    return [(math.floor(start), math.ceil(start + piece)) for start in starts]
