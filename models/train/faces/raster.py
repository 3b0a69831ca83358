"""Drawings to pixels through OpenCV."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from .curves import flatten
from .layers import Pixels, straightened
from .shapes import HEIGHT, WIDTH, Circle, Drawing, Group, Ink, Path, Shape

_SHIFT = 4


def raster(drawing: Drawing, width: int, height: int, fine: int = 4) -> Pixels:
    """Return the drawing as RGBA pixels (height, width, 4), straight alpha, clear background.

    It is drawn `fine` times as large each way and then averaged.
    """
    size = (height * fine, width * fine, 4)
    canvas = np.zeros(size, dtype=np.uint8)
    scale = np.array([size[1] / WIDTH, size[0] / HEIGHT])
    for shape in drawing.shapes:
        _draw(canvas, shape, scale)
    small = cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA)
    return straightened(np.asarray(small, dtype=np.uint8))


def _draw(canvas: Pixels, shape: Shape, scale: NDArray[np.float64]) -> None:
    mean = float(scale.mean())
    match shape:
        case Group(shapes=shapes):
            for inner in shapes:
                _draw(canvas, inner, scale)
        case Circle(centre=centre, radius=radius, ink=ink, width=width):
            _ellipse(canvas, np.asarray(centre) * scale, radius * scale, ink, width * mean)
        case Path(ink=ink, width=width):
            lines = [_fixed(points * scale) for points in flatten(shape)]
            if width:
                thickness = max(1, round(width * mean))
                cv2.polylines(canvas, lines, shape.closed, _colour(ink), thickness, shift=_SHIFT)
            else:
                cv2.fillPoly(canvas, lines, _colour(ink), shift=_SHIFT)


def _ellipse(
    canvas: Pixels,
    centre: NDArray[np.float64],
    axes: NDArray[np.float64],
    ink: Ink,
    thickness: float,
) -> None:
    drawn = max(1, round(thickness)) if thickness else cv2.FILLED
    whole = (_fixed(centre), _fixed(axes))
    (x, y), (a, b) = whole[0].tolist(), whole[1].tolist()
    cv2.ellipse(canvas, (x, y), (a, b), 0, 0, 360, _colour(ink), drawn, shift=_SHIFT)


def _fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.round(points * (1 << _SHIFT)).astype(np.int32)


def _colour(ink: Ink) -> tuple[int, int, int, int]:
    # Clear pixels are all zero, so that averaging them gives premultiplied alpha.
    return (0, 0, 0, 0) if ink is None else (*ink, 255)
