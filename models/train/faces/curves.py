"""Smooth contours as cubic Bézier pieces: one meaning for the SVG and for the raster."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .shapes import Contour, Path

Array = NDArray[np.float64]


def beziers(contour: Contour, closed: bool) -> Array:
    """Return the spline through a contour as cubic pieces, (n, 4, 2).

    The tangent at a point is parallel to the chord between its neighbours and each handle is a
    third of its piece, so uneven spacing does not overshoot. A doubled point makes a corner.
    """
    points = np.asarray(contour, dtype=np.float64)
    if closed:
        before, after = np.roll(points, 1, axis=0), np.roll(points, -1, axis=0)
    else:
        before = np.vstack([points[:1], points[:-1]])
        after = np.vstack([points[1:], points[-1:]])
    chord = after - before
    length = np.maximum(np.hypot(chord[:, 0], chord[:, 1]), 1e-9)
    tangent = chord / length[:, None]
    start, end = points, after
    last = np.roll(tangent, -1, axis=0)
    if not closed:
        start, end, tangent, last = points[:-1], after[:-1], tangent[:-1], tangent[1:]
    step = np.hypot(*(end - start).T)[:, None] / 3
    pieces: Array = np.stack([start, start + tangent * step, end - last * step, end], axis=1)
    return np.asarray(pieces[step[:, 0] > 1e-6])


def flatten(path: Path, steps: int = 6) -> list[Array]:
    """Return each contour of a path as the points of a polygon or an open line, (n, 2)."""
    if not path.smooth:
        return [np.asarray(contour, dtype=np.float64) for contour in path.contours]
    return [_sampled(beziers(contour, path.closed), steps) for contour in path.contours]


def _sampled(pieces: Array, steps: int) -> Array:
    t = np.arange(steps) / steps
    basis = np.stack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3], axis=1)
    points: Array = (basis @ pieces).reshape(-1, 2)
    return np.vstack([points, pieces[-1:, 3]])
