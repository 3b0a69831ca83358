"""Compare the sizes of quads with those of tiles, seen from straight above."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.geometry.plane import Quads, flatten, mean_sides, median
from vision.preprocess import Float64s


def unlike(quads: Quads, tiles: Quads, row: Sequence[int]) -> Float64s:
    """Return the factor, 1 or more, by which each quad (N,) differs in width or height.

    `tiles` are certainly tiles and alone determine the plane. Those in `row`, which are adjacent,
    give the usual size. The turn of a quad does not matter.
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
