"""How unlike the tiles of a row others are in width and height, seen from straight above."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.geometry.plane import Quads, flatten, mean_sides, median
from vision.preprocess import Float64s


def unlike(quads: Quads, tiles: Quads, row: Sequence[int]) -> Float64s:
    """Return by what factor, 1 or more, each quad (N,) is too wide or tall, too narrow or low.

    `tiles` are surely tiles; they alone tell how the view is tilted, and those of them in `row`,
    which lie side by side, the size. Which way a quad is turned is all one.
    """
    flat = flatten(tiles, np.array(row)).quads
    seen, from_above = (each.reshape(-1, 2).astype(np.float64) for each in (tiles, flat))
    to_plane, _ = cv2.findHomography(seen, from_above)
    corners = np.asarray(
        cv2.perspectiveTransform(quads.reshape(-1, 1, 2).astype(np.float64), to_plane), np.float64
    )
    usual = [float(median(sides[list(row)])) for sides in _sides(flat)]
    wide, tall = _sides(corners.reshape(-1, 4, 2))
    return np.minimum(_off(wide, tall, usual), _off(tall, wide, usual))


def _sides(quads: Float64s) -> tuple[Float64s, Float64s]:
    across, down = mean_sides(quads)
    return np.hypot(*across.T), np.hypot(*down.T)


def _off(wide: Float64s, tall: Float64s, usual: Sequence[float]) -> Float64s:
    sides = np.maximum(np.stack([wide / usual[0], tall / usual[1]]), 1e-6)
    return np.asarray(np.exp(np.abs(np.log(sides)).max(0)))
