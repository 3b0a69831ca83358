"""Pictures with straight alpha laid over one another, and colours mixed where there is ink.

All in bytes and by planes, which OpenCV does several times as fast as NumPy does with masks.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from .shapes import Colour

Pixels = NDArray[np.uint8]
Plane = NDArray[np.floating[Any]]


def straightened(pixels: Pixels) -> Pixels:
    """Return RGBA pixels with straight alpha of those whose colours are weighted by it."""
    *colours, alpha = cv2.split(pixels)
    return _merged([*(cv2.divide(plane, alpha, scale=255) for plane in colours), alpha])


def weighted(pixels: Pixels) -> Pixels:
    """Return RGBA pixels whose colours are weighted by their alpha."""
    *colours, alpha = cv2.split(pixels)
    return _merged([*(cv2.multiply(plane, alpha, scale=1 / 255) for plane in colours), alpha])


def over(below: Pixels, above: Pixels) -> Pixels:
    """Return one picture laid over another of the same size."""
    upper, lower = weighted(above), weighted(below)
    clear = cv2.bitwise_not(upper[..., 3])
    shown = cv2.multiply(lower, cv2.merge([clear] * 4), scale=1 / 255)
    return straightened(np.asarray(cv2.add(upper, shown), dtype=np.uint8))


def film(colour: Colour, cover: Plane) -> Pixels:
    """Return a picture of one colour that covers each pixel by 0 to 1."""
    alpha = cv2.convertScaleAbs(np.maximum(cover, 0), alpha=255)
    return _merged([*(np.full(cover.shape, channel, np.uint8) for channel in colour), alpha])


def mixed(face: Pixels, colour: Colour, part: Plane) -> Pixels:
    """Return the face with `part` (0 to 1 for each pixel) of a colour mixed into its inks."""
    part = np.clip(part, 0, 1)
    *colours, alpha = cv2.split(face)
    inks = [
        cv2.blendLinear(plane, np.full_like(plane, channel), 1 - part, part)
        for plane, channel in zip(colours, colour, strict=True)
    ]
    return _merged([*inks, alpha])


def _merged(planes: list[cv2.typing.MatLike]) -> Pixels:
    return np.asarray(cv2.merge(planes), dtype=np.uint8)
