"""Choose the windows of a photograph in which to look closer for small tiles."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.preprocess import LOCATOR_SIDE

Window = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels of the photograph."""

SMALL = 24.0
"""Tiles narrower than this, in pixels of the locator's input, need a closer look."""

COMFORTABLE = 30.0
"""Width of a tile in a closer look, in pixels of the locator's input."""

CLEAR = 50.0
"""The same where several windows are needed and the photograph shows the tiles so large. On a table
in play at 12 megapixels (`tests/prove/table_in_play.py`) 55 of 78 tiles are found at 30 pixels, 70
at 40 and all at 50. Enlarging a smaller photograph so far loses tiles."""

LARGEST = 60.0
"""Widest that a closer look makes a few tiles. Enlarged further, the circles of a single tile would
be found as tiles."""

FEW = 3
"""At most this many tiles are a few. Some of a larger group are found only at full enlargement."""

MARGIN = 2.5
"""Space around the tiles found, in tile widths: missed tiles mostly lie beside found ones."""

OVERLAP = 2.5
"""Overlap of neighbouring windows, in tile widths, so that no tile is cut by both."""

MOST = 16
"""Windows per photograph; limits the time for a whole table."""


def closer(quads: Sequence[npt.NDArray[np.float32]], width: int, height: int) -> list[Window]:
    """Return the windows to look at again; empty where the tiles (4, 2) are large enough.

    `width` and `height` are the photograph's; the quads are in its pixels.
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
    """Return windows around the quads that show a tile of `tile` pixels at `shown` pixels."""
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
    """Return the longer side, in pixels, of the locator's input for a window on these tiles."""
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
