"""Colours: linear red, green, blue."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
F32 = NDArray[np.float32]

Colour = tuple[float, float, float]
"""Linear red, green, blue; 0 to 1 for surfaces, any size for lights."""

Art = NDArray[np.uint8]
"""(H, W, 4) RGBA of a face, transparent where the body shows."""

_LINEAR = ((np.arange(256) / 255) ** 2.2).astype(np.float32)

WOODS: tuple[Colour, ...] = (
    (0.52, 0.34, 0.16),  # beech
    (0.34, 0.17, 0.07),  # oak
    (0.20, 0.08, 0.03),  # walnut
    (0.08, 0.03, 0.015),  # wenge
    (0.58, 0.45, 0.29),  # birch
    (0.30, 0.09, 0.03),  # cherry
)


def pick_colour(rng: Rng, colours: tuple[Colour, ...]) -> Colour:
    """Return one of these colours, a little changed."""
    r, g, b = np.clip(
        np.array(colours[rng.integers(len(colours))]) * rng.uniform(0.8, 1.2, 3), 0, 1
    )
    return (float(r), float(g), float(b))


def random_colour(
    rng: Rng,
    value: tuple[float, float] = (0.1, 0.9),
    saturation: tuple[float, float] = (0.1, 0.9),
) -> Colour:
    """Return a colour of any hue whose sRGB value and saturation lie within these bounds."""
    low, high = saturation
    dull = low + (high - low) * rng.beta(1.3, 2.0)
    r, g, b = colorsys.hsv_to_rgb(rng.random(), dull, rng.uniform(*value))
    return (r**2.2, g**2.2, b**2.2)


def to_linear(art: Art, size: tuple[int, int]) -> F32:
    """Return 8-bit RGBA, shrunk, as linear light with its alpha multiplied in, (H, W, 4)."""
    solid = art[..., 3].min() == 255
    alpha = cv2.cvtColor(art[..., 3], cv2.COLOR_GRAY2RGB)
    clear = art[..., :3] if solid else cv2.multiply(art[..., :3], alpha, scale=1 / 255)
    thin = cv2.resize(np.dstack((clear, art[..., 3])), size, interpolation=cv2.INTER_AREA)
    cover = thin[..., 3:].astype(np.float32) / 255
    colour = _LINEAR[np.minimum(thin[..., :3] / np.maximum(cover, 1 / 255), 255).astype(np.uint8)]
    return np.concatenate((colour * cover, cover), axis=2, dtype=np.float32)


def dim_colour(colour: Colour, share: float = 0.7) -> Colour:
    """Return a darker colour."""
    r, g, b = colour
    return (r * share, g * share, b * share)


def to_rgba(colour: Colour) -> tuple[int, int, int, int]:
    """Return the 8-bit RGBA of a linear colour, for drawing with OpenCV."""
    r, g, b = (round(255 * min(max(c, 0.0), 1.0) ** (1 / 2.2)) for c in colour)
    return (r, g, b, 255)
