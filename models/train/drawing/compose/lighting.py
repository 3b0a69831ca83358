"""Light in the room and the shadows it throws: one lamp far away, the sky of ceiling and walls."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from models.train.drawing.compose.bodies import Floats
from models.train.drawing.compose.canvas import Canvas, fill, hull
from models.train.drawing.compose.colours import F32
from models.train.drawing.compose.lofts import Loft

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Blot:
    """A soft patch of the picture that is darker (negative) or brighter. Shares of its width."""

    x: float
    y: float
    reach: float
    stretch: float
    angle: float
    amount: float


@dataclass(frozen=True, slots=True, eq=False)
class Lighting:
    """What lights a scene; a level white sheet gets about 1."""

    lamp_direction: Floats
    """(3,) unit vector to the lamp."""
    lamp: Floats
    """(3,) what it gives to a surface facing it."""
    sky: Floats
    """(3,) what a level surface gets from the room."""
    softness: float
    """Width of the half-shadow for each cm of height."""
    contact: float
    """How dark it gets where bodies touch, 0 to 1."""
    slope: tuple[float, float]
    """How fast the light falls off to the right and down, over the picture's size."""
    blots: tuple[Blot, ...] = ()

    def light_on(self, normals: Floats) -> Floats:
        """Return the light (N, 3) that surfaces with these normals (N, 3) get."""
        lamp_cosine = np.maximum(normals @ self.lamp_direction, 0.0)[:, None]
        open_sky = 0.62 + 0.38 * normals[:, 2:]
        return np.asarray(self.sky * open_sky + self.lamp * lamp_cosine)

    @property
    def level(self) -> Floats:
        """Light (3,) on a level surface."""
        return np.asarray(self.light_on(np.array(((0.0, 0.0, 1.0),)))[0])

    @property
    def shadow_light(self) -> Floats:
        """Share (3,) of a level surface's light that is left in full shadow."""
        return np.asarray(self.sky / self.level)


def random_lighting(rng: Rng) -> Lighting:
    """Make up a room: daylight, lamps of any height and warmth, now and then hard side light."""
    side = rng.random() < 0.25
    height = math.radians(rng.uniform(15.0, 38.0) if side else rng.uniform(35.0, 88.0))
    bearing = rng.uniform(0.0, 2 * math.pi)
    flat = math.cos(height)
    lamp_direction = np.array(
        (flat * math.cos(bearing), flat * math.sin(bearing), math.sin(height))
    )
    share = rng.uniform(0.25, 0.85)
    warmth = rng.normal(0.03, 0.08)
    tint = np.exp(np.array((warmth, 0.0, -1.2 * warmth)))
    cool = np.exp(np.array((1.0, 0.0, -1.2)) * rng.normal(0.0, 0.05))
    return Lighting(
        lamp_direction=lamp_direction,
        lamp=tint * share / max(lamp_direction[2], 0.35),
        sky=cool * (1.0 - share),
        softness=math.exp(rng.uniform(math.log(0.04), math.log(0.9))),
        contact=rng.uniform(0.3, 0.8),
        slope=(rng.normal(0.0, 0.45 if side else 0.2), rng.normal(0.0, 0.3)),
        blots=tuple(_blot(rng) for _ in range(rng.choice((0, 1, 2, 3), p=(0.4, 0.3, 0.2, 0.1)))),
    )


def _blot(rng: Rng) -> Blot:
    bright = rng.random() < 0.25
    return Blot(
        x=rng.uniform(-0.1, 1.1),
        y=rng.uniform(-0.1, 0.9),
        reach=rng.uniform(0.08, 0.4),
        stretch=rng.uniform(0.4, 2.5),
        angle=rng.uniform(0.0, math.pi),
        amount=rng.uniform(0.2, 0.8) if bright else -rng.uniform(0.2, 0.75),
    )


def _pixel_places(size: tuple[int, int]) -> tuple[F32, F32]:
    """Return x (1, W) and y (H, 1), shares of the width, at the middles of pixels."""
    width, height = size
    x = ((np.arange(width) + 0.5) / width).astype(np.float32)
    y = ((np.arange(height) + 0.5) / width).astype(np.float32)
    return x[None], y[:, None]


def light_falloff(lighting: Lighting, size: tuple[int, int]) -> F32:
    """Return how much of the light reaches each pixel (H, W, 1) of a picture of this size."""
    x, y = _pixel_places((size[0] // 8, size[1] // 8))
    field = np.exp(lighting.slope[0] * (0.5 - x) + lighting.slope[1] * (0.4 - y))
    for blot in lighting.blots:
        c, s = math.cos(blot.angle), math.sin(blot.angle)
        dx, dy = x - blot.x, y - blot.y
        distance_squared = ((c * dx + s * dy) / blot.reach) ** 2
        distance_squared += ((c * dy - s * dx) / blot.reach * blot.stretch) ** 2
        field *= 1.0 + blot.amount / (1.0 + distance_squared**2)
    return np.asarray(cv2.resize(field, size), dtype=np.float32)[..., None]


def lamp_glare(canvas: Canvas, lighting: Lighting, size: tuple[int, int]) -> F32 | None:
    """Return the mirrored lamp on level surfaces as a picture (H, W, 1) of this size, if seen."""
    eye, lamp = canvas.eye, lighting.lamp_direction
    height_ratio = eye[2] / max(lamp[2], 0.1)
    spot = eye + height_ratio * np.array((lamp[0], lamp[1], -lamp[2]))
    if (spot - eye) @ canvas.lens[2] < 1.0:
        return None
    place = canvas.project(spot)
    reach = max(canvas.size) * (0.1 + 0.3 * min(lighting.softness, 0.7))
    if ((place < -2 * reach) | (place > np.array(canvas.size) + 2 * reach)).any():
        return None
    x, y = _pixel_places((canvas.size[0] // 8, canvas.size[1] // 8))
    dx, dy = x * canvas.size[0] - place[0], y * canvas.size[0] - place[1]
    blob = np.exp(-0.5 * (dx * dx + 0.45 * dy * dy) / (reach * 0.5) ** 2)
    return np.asarray(cv2.resize(blob, size), dtype=np.float32)[..., None]


_SHADOW_SCALE = 0.25
"""Shadows are drawn at this part of the canvas's size: they are soft."""
_MIN_HIGH_RISE_CM = 3.5
"""From this rise above a level, cm, a body's shadow counts as a high one's."""


def _cast_points(loft: Loft, level: float, lighting: Lighting) -> Floats | None:
    """Return where the lamp's light throws the body's points on a level, (N, 3)."""
    points = loft.rings.reshape(-1, 3)
    rise = points[:, 2] - level
    if rise.max() < 0.08:
        return None
    rise = np.maximum(rise, 0.0)
    reach = lighting.lamp_direction[:2] / max(float(lighting.lamp_direction[2]), 0.25)
    flat = points[:, :2] - rise[:, None] * reach
    return np.column_stack((flat, np.full(len(flat), level)))


def _blur(mask: F32, sigma: float) -> F32:
    return mask if sigma < 0.3 else np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.float32)


def cast_shadow(
    canvas: Canvas, lofts: Sequence[Loft], level: float, lighting: Lighting
) -> F32 | None:
    """Return how much of the lamp is hidden on a level, coarsely (H, W), if any is."""
    size = (round(canvas.size[0] * _SHADOW_SCALE), round(canvas.size[1] * _SHADOW_SCALE))
    masks = {high: np.zeros((size[1], size[0]), dtype=np.float32) for high in (False, True)}
    for loft in lofts:
        points = _cast_points(loft, level, lighting)
        if points is not None:
            fill(
                masks[loft.top - level > _MIN_HIGH_RISE_CM],
                hull(canvas.project(points)),
                1.0,
                _SHADOW_SCALE,
            )
    if not any(mask.any() for mask in masks.values()):
        return None
    pixel = _SHADOW_SCALE * canvas.scale(level)
    low = _blur(masks[False], 0.12 * pixel + 0.45 * lighting.softness * pixel)
    high = _blur(masks[True], 0.2 * pixel + 2.0 * lighting.softness * pixel)
    return np.maximum(low, high)


def contact_shadow(canvas: Canvas, lofts: Sequence[Loft]) -> F32:
    """Return how closed-in the table is beside and below bodies, coarsely (H, W), 0 to 1."""
    size = (round(canvas.size[0] * _SHADOW_SCALE), round(canvas.size[1] * _SHADOW_SCALE))
    mask = np.zeros((size[1], size[0]), dtype=np.float32)
    for loft in lofts:
        if loft.rings[..., 2].min() < 0.3 and not loft.is_raised:
            foot = loft.rings.reshape(-1, 3) * (1.0, 1.0, 0.0)
            fill(mask, hull(canvas.project(foot)), min(1.0, 0.4 + 0.4 * loft.top), _SHADOW_SCALE)
    pixel = _SHADOW_SCALE * canvas.scale(0.0)
    return 0.55 * _blur(mask, 0.18 * pixel) + 0.45 * _blur(mask, 0.8 * pixel)
