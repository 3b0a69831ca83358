"""Where the photographer stands: a view that frames the tiles."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from models.train.render.scene import Floats, View

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Stance:
    """A way of holding the camera. Angles are radians."""

    elevation: float
    """Above the table, as seen from the tiles."""
    bearing: float
    """0 from the player's side, positive further right."""
    roll: float
    focal: float
    distortion: float
    fill: float
    """Share of the picture that the tiles span, in the tighter direction."""


def random_stance(rng: Rng) -> Stance:
    """Mostly from the player's side at 38 to 80 degrees; some straight down, some low."""
    low, high = ((38.0, 62.0), (62.0, 80.0), (80.0, 89.0), (32.0, 38.0))[
        rng.choice(4, p=(0.45, 0.27, 0.22, 0.06))
    ]
    return Stance(
        elevation=math.radians(rng.uniform(low, high)),
        bearing=rng.normal(0.0, 0.12) if rng.random() < 0.8 else rng.uniform(-0.8, 0.8),
        roll=rng.normal(0.0, 0.035),
        focal=rng.uniform(0.68, 0.95) if rng.random() < 0.75 else rng.uniform(0.95, 1.6),
        distortion=rng.normal(0.0, 0.03),
        fill=rng.uniform(0.5, 0.98),
    )


def _view(stance: Stance, target: Floats, distance: float) -> View:
    e, b = stance.elevation, stance.bearing
    out = np.array((math.cos(e) * math.sin(b), -math.cos(e) * math.cos(b), math.sin(e)))
    return View(target + distance * out, target, stance.roll, stance.focal, stance.distortion)


def frame(
    stance: Stance, points: Floats, size: tuple[int, int], place: tuple[float, float]
) -> View:
    """Return a view in which `points` (N, 3) span `stance.fill` of the picture.

    `place` says where the space that is left goes: 0, 0 to the right and below, 1, 1 to the left
    and above.
    """
    target = (points.min(axis=0) + points.max(axis=0)) / 2
    distance = max(12.0, 2.0 * float(np.linalg.norm(points.max(axis=0) - points.min(axis=0))))
    full = np.array(size, dtype=np.float64)
    free = np.zeros(2)
    for _ in range(6):
        view = _view(stance, target, distance)
        seen = view.project(points, size)
        low, high = seen.min(axis=0), seen.max(axis=0)
        share = ((high - low) / full).max() / stance.fill
        distance = max(9.0, distance * min(max(share, 0.5), 2.0))
        margin = np.maximum(full - (high - low), 0.0) * (1.0 - 0.5 * free.any())
        wanted = low - margin * np.array(place)
        scale = distance / (stance.focal * max(size))
        axes = view.frame()
        ground_down = np.array((axes[1][0], axes[1][1], 0.0))
        ground_down /= max(float(np.linalg.norm(ground_down)), 1e-6)
        slope = max(math.sin(stance.elevation), 0.35)
        target = target + axes[0] * wanted[0] * scale * 0.8
        target = target + ground_down * wanted[1] * scale / slope * 0.8
        target[2] = 0.5
    return replace(_view(stance, target, distance))
