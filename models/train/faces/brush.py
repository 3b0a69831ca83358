"""Strokes of a pointed brush: a centre line and how its width swells and tapers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .curves import flatten
from .shapes import Ink, Path, Point, line
from .strokes import CHARACTERS

Array = NDArray[np.float64]

_PROFILES: dict[str, tuple[float, ...]] = {
    "h": (0.86, 0.66, 0.60, 0.66, 1.12),
    "s": (1.22, 0.94, 0.88, 0.90, 1.02),
    "n": (1.20, 0.98, 0.95, 0.80, 0.04),
    "b": (1.20, 0.94, 0.90, 0.94, 0.96),
    "p": (1.20, 1.00, 0.88, 0.60, 0.04),
    "a": (0.30, 0.62, 0.92, 1.42, 0.04),
    "d": (0.16, 0.80, 1.22, 1.36, 0.90),
    "t": (1.15, 1.00, 0.78, 0.46, 0.04),
    "g": (1.10, 0.86, 0.62, 0.34, 0.04),
}
"""Width along a stroke, start to end in equal steps, as a part of the hand's weight."""

_PEN = np.array([0.64, 0.77])
"""Direction of the brush's edge where a stroke is set down: from upper left to lower right, which
gives the slanted heads of regular script."""

_POINTED = 0.3
"""An end narrower than this is left sharp, in grid units."""

_SAMPLES = 7


@dataclass(frozen=True, slots=True)
class Hand:
    """One writer: brush weight in grid units, thick-thin contrast, slant and unsteadiness."""

    weight: float = 9.0
    contrast: float = 1.0
    slant: float = 0.0
    """Degrees to the right."""
    wobble: float = 0.0
    """Standard deviation of each control point in grid units."""
    seed: int = 0


def character(sign: str, hand: Hand, ink: Ink) -> tuple[Path, ...]:
    """Return one of `CHARACTERS` on its 100 x 100 grid; raise KeyError for any other."""
    rng = np.random.default_rng([hand.seed, ord(sign)])
    paths = []
    # Characters of many strokes are written with a finer brush.
    strokes = [text.split() for text in CHARACTERS[sign].split(";")]
    weight = hand.weight * (1.12 - 0.022 * len(strokes))
    for kind, *texts in strokes:
        points = np.array([text.split(",") for text in texts], dtype=np.float64)
        points += rng.normal(0, hand.wobble, points.shape)
        points[:, 0] -= np.tan(np.radians(hand.slant)) * (points[:, 1] - 50)
        widths = weight * np.asarray(_PROFILES[kind]) ** hand.contrast
        paths.append(
            brushed([(x, y) for x, y in points.tolist()], tuple(widths), ink, pen=kind != "d")
        )
    return tuple(paths)


def brushed(points: list[Point], widths: tuple[float, ...], ink: Ink, pen: bool = False) -> Path:
    """Return the outline of a brush drawn through the points; `widths` are spread along it.

    With `pen` the start is cut along the brush's slanted edge; other ends are round or pointed.
    """
    centre = _resampled(points)
    along = np.gradient(centre, axis=0)
    along /= np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)[:, None]
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
    places = np.linspace(0, 1, len(centre))
    half = np.interp(places, np.linspace(0, 1, len(widths)), widths)[:, None] / 2
    side = normal * half
    if pen:
        side[0] = _edge(normal[0], half[0, 0])
    outline = np.vstack(
        [
            _end(centre[0], -along[0], half[0, 0]),
            centre + side,
            _end(centre[-1], along[-1], half[-1, 0]),
            (centre - side)[::-1],
        ]
    )
    return Path((tuple((x, y) for x, y in outline.tolist()),), ink, smooth=True)


def taper(points: list[Point], start: float, end: float, ink: Ink) -> Path:
    """Return a stem or blade whose width runs evenly from `start` to `end`."""
    return brushed(points, (start, end), ink)


def _edge(normal: Array, half: float) -> Array:
    """Return the half edge of a stroke's start, along the pen where that is not too slanted."""
    across = float(normal @ _PEN)
    if abs(across) < 0.5:
        return normal * half
    edge: Array = _PEN * half / across
    return edge


def _end(point: Array, outwards: Array, half: float) -> Array:
    """Return what closes a stroke: a point given twice, or the bulge of a round end."""
    if half < _POINTED:
        return np.stack([point, point])
    return (point + outwards * half * 0.55)[None]


def _resampled(points: list[Point]) -> Array:
    """Return `_SAMPLES` points equally spaced along the spline through `points`."""
    if len(points) == 2:
        dense = np.linspace(points[0], points[1], 2)
    else:
        dense = flatten(line(points, None, 1.0, smooth=True), steps=8)[0]
    lengths = np.r_[0, np.cumsum(np.hypot(*np.diff(dense, axis=0).T))]
    count = _SAMPLES if len(points) > 2 else 4
    marks = np.linspace(0, lengths[-1], count)
    return np.stack([np.interp(marks, lengths, dense[:, axis]) for axis in (0, 1)], axis=1)
