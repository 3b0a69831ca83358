"""How well a drawing or a text is seen, as WCAG 2 measures it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

DRAWING, TEXT = 3.0, 4.5
"""Least contrast of a drawing (WCAG 1.4.11) and of text (1.4.3)."""

_GREY_STEPS = 64
"""Of the ground's luminance, which is a little uneven."""


def luminance(colours: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Return the relative luminance of RGB colours in the last axis."""
    share = colours / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(picture: npt.NDArray[np.uint8]) -> float:
    """Return the contrast between a picture's ground, which is most of it, and its ink.

    The ink is what differs most from the ground; a hundredth of the picture may differ more.
    """
    luminances = luminance(picture.reshape(-1, 3))
    counts, edges = np.histogram(luminances, bins=_GREY_STEPS, range=(0, 1))
    ground = edges[counts.argmax()] + 0.5 / _GREY_STEPS
    ratios = (np.maximum(luminances, ground) + 0.05) / (np.minimum(luminances, ground) + 0.05)
    return float(np.quantile(ratios, 0.99))
