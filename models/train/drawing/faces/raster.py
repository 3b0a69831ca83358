"""Drawings as RGBA pixels with straight alpha: drawn, laid over one another, inks mixed.

Pixels are worked on in bytes and by planes, which OpenCV does several times as fast as NumPy does
with masks.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.drawing.faces.shapes import (
    FACE_HEIGHT,
    FACE_WIDTH,
    Circle,
    Colour,
    Drawing,
    Group,
    Ink,
    Path,
    Shape,
    flatten,
)

Pixels = NDArray[np.uint8]
Plane = NDArray[np.floating[Any]]


def unpremultiply(pixels: Pixels) -> Pixels:
    """Return RGBA pixels with straight alpha, from premultiplied ones."""
    *colours, alpha = cv2.split(pixels)
    return _merge_planes([*(cv2.divide(plane, alpha, scale=255) for plane in colours), alpha])


def premultiply(pixels: Pixels) -> Pixels:
    """Return RGBA pixels with premultiplied alpha."""
    *colours, alpha = cv2.split(pixels)
    return _merge_planes([*(cv2.multiply(plane, alpha, scale=1 / 255) for plane in colours), alpha])


def lay_over(lower_picture: Pixels, upper_picture: Pixels) -> Pixels:
    """Return one picture laid over another of the same size."""
    upper, lower = premultiply(upper_picture), premultiply(lower_picture)
    clear = cv2.bitwise_not(upper[..., 3])
    visible_part = cv2.multiply(lower, cv2.merge([clear] * 4), scale=1 / 255)
    return unpremultiply(np.asarray(cv2.add(upper, visible_part), dtype=np.uint8))


def colour_film(colour: Colour, cover: Plane) -> Pixels:
    """Return a picture of one colour that covers each pixel by 0 to 1."""
    alpha = cv2.convertScaleAbs(np.maximum(cover, 0), alpha=255)
    return _merge_planes([*(np.full(cover.shape, channel, np.uint8) for channel in colour), alpha])


def mix_ink(face: Pixels, colour: Colour, part: Plane) -> Pixels:
    """Return the face with `part` (0 to 1 for each pixel) of a colour mixed into its inks."""
    part = np.clip(part, 0, 1)
    *colours, alpha = cv2.split(face)
    inks = [
        cv2.blendLinear(plane, np.full_like(plane, channel), 1 - part, part)
        for plane, channel in zip(colours, colour, strict=True)
    ]
    return _merge_planes([*inks, alpha])


def _merge_planes(planes: list[cv2.typing.MatLike]) -> Pixels:
    return np.asarray(cv2.merge(planes), dtype=np.uint8)


_FRACTION_BITS = 4


def rasterise(drawing: Drawing, width: int, height: int, fine: int = 4) -> Pixels:
    """Return the drawing as RGBA pixels (height, width, 4), straight alpha, clear background.

    It is drawn `fine` times as large each way and then averaged.
    """
    size = (height * fine, width * fine, 4)
    canvas = np.zeros(size, dtype=np.uint8)
    scale = np.array([size[1] / FACE_WIDTH, size[0] / FACE_HEIGHT])
    for shape in drawing.shapes:
        _draw(canvas, shape, scale)
    small = cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA)
    return unpremultiply(np.asarray(small, dtype=np.uint8))


def _draw(canvas: Pixels, shape: Shape, scale: NDArray[np.float64]) -> None:
    mean = float(scale.mean())
    match shape:
        case Group(shapes=shapes):
            for inner in shapes:
                _draw(canvas, inner, scale)
        case Circle(centre=centre, radius=radius, ink=ink, width=width):
            _ellipse(canvas, np.asarray(centre) * scale, radius * scale, ink, width * mean)
        case Path(ink=ink, width=width):
            lines = [_to_fixed_point(points * scale) for points in flatten(shape)]
            if width:
                thickness = max(1, round(width * mean))
                cv2.polylines(
                    canvas, lines, shape.is_closed, _colour(ink), thickness, shift=_FRACTION_BITS
                )
            else:
                cv2.fillPoly(canvas, lines, _colour(ink), shift=_FRACTION_BITS)


def _ellipse(
    canvas: Pixels,
    centre: NDArray[np.float64],
    axes: NDArray[np.float64],
    ink: Ink,
    thickness: float,
) -> None:
    line_thickness = max(1, round(thickness)) if thickness else cv2.FILLED
    ellipse_points = (_to_fixed_point(centre), _to_fixed_point(axes))
    (x, y), (a, b) = ellipse_points[0].tolist(), ellipse_points[1].tolist()
    cv2.ellipse(
        canvas, (x, y), (a, b), 0, 0, 360, _colour(ink), line_thickness, shift=_FRACTION_BITS
    )


def _to_fixed_point(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.round(points * (1 << _FRACTION_BITS)).astype(np.int32)


def _colour(ink: Ink) -> tuple[int, int, int, int]:
    # Clear pixels are all zero, so that averaging them gives premultiplied alpha.
    return (0, 0, 0, 0) if ink is None else (*ink, 255)
