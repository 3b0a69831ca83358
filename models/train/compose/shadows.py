"""Shadows: the outlines of bodies, thrown on a level and blurred."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from models.train.compose.canvas import Canvas, fill, hull
from models.train.compose.colours import F32
from models.train.compose.lamps import Lighting
from models.train.compose.lofts import Loft
from models.train.render.scene import Floats

_PART = 0.25
"""Shadows are drawn at this part of the canvas's size: they are soft."""
_HIGH = 3.5
"""From this rise above a level, cm, a body's shadow counts as a high one's."""


def _thrown(loft: Loft, level: float, lighting: Lighting) -> Floats | None:
    """Return where the lamp's light throws the body's points on a level, (N, 3)."""
    points = loft.rings.reshape(-1, 3)
    rise = points[:, 2] - level
    if rise.max() < 0.08:
        return None
    rise = np.maximum(rise, 0.0)
    reach = lighting.towards[:2] / max(float(lighting.towards[2]), 0.25)
    flat = points[:, :2] - rise[:, None] * reach
    return np.column_stack((flat, np.full(len(flat), level)))


def _blurred(mask: F32, sigma: float) -> F32:
    return mask if sigma < 0.3 else np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.float32)


def shadow(canvas: Canvas, lofts: Sequence[Loft], level: float, lighting: Lighting) -> F32 | None:
    """Return how much of the lamp is hidden on a level, coarsely (H, W), if any is."""
    size = (round(canvas.size[0] * _PART), round(canvas.size[1] * _PART))
    masks = {high: np.zeros((size[1], size[0]), dtype=np.float32) for high in (False, True)}
    for loft in lofts:
        points = _thrown(loft, level, lighting)
        if points is not None:
            fill(masks[loft.top - level > _HIGH], hull(canvas.project(points)), 1.0, _PART)
    if not any(mask.any() for mask in masks.values()):
        return None
    pixel = _PART * canvas.scale(level)
    low = _blurred(masks[False], 0.12 * pixel + 0.45 * lighting.softness * pixel)
    high = _blurred(masks[True], 0.2 * pixel + 2.0 * lighting.softness * pixel)
    return np.maximum(low, high)


def contact(canvas: Canvas, lofts: Sequence[Loft]) -> F32:
    """Return how closed-in the table is beside and below bodies, coarsely (H, W), 0 to 1."""
    size = (round(canvas.size[0] * _PART), round(canvas.size[1] * _PART))
    mask = np.zeros((size[1], size[0]), dtype=np.float32)
    for loft in lofts:
        if loft.rings[..., 2].min() < 0.3 and not loft.over:
            foot = loft.rings.reshape(-1, 3) * (1.0, 1.0, 0.0)
            fill(mask, hull(canvas.project(foot)), min(1.0, 0.4 + 0.4 * loft.top), _PART)
    pixel = _PART * canvas.scale(0.0)
    return 0.55 * _blurred(mask, 0.18 * pixel) + 0.45 * _blurred(mask, 0.8 * pixel)
