"""The camera's place: how it is held, what it sees, and a view that frames the tiles."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from models.train.drawing.compose.bodies import Floats


@dataclass(frozen=True, slots=True)
class View:
    """A camera with a little lens distortion."""

    position: Floats
    target: Floats
    roll: float
    focal: float
    """Focal length over the picture's longer side."""
    distortion: float = 0.0

    def frame(self) -> Floats:
        """Return (3, 3): rows are right, down and forward."""
        forward = self.target - self.position
        forward = forward / np.linalg.norm(forward)
        right = np.cross(forward, (0.0, 0.0, 1.0))
        if np.linalg.norm(right) < 1e-6:
            right = np.array((1.0, 0.0, 0.0))
        right = right / np.linalg.norm(right)
        downward = np.cross(forward, right)
        c, s = np.cos(self.roll), np.sin(self.roll)
        return np.stack((c * right + s * downward, c * downward - s * right, forward))

    def project(self, points: Floats, size: tuple[int, int]) -> Floats:
        """Return the pixels (N, 2) where world points (N, 3) appear in a picture of this size."""
        local = (points - self.position) @ self.frame().T
        ideal = local[:, :2] / np.maximum(local[:, 2:], 1e-6)
        projected = ideal
        for _ in range(6):
            projected = ideal / (1.0 + self.distortion * (projected**2).sum(axis=1, keepdims=True))
        centre = np.array(size, dtype=np.float64) / 2
        pixels: Floats = projected * (self.focal * max(size)) + centre
        return pixels


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


def _view(stance: Stance, target: Floats, distance: float) -> View:
    e, b = stance.elevation, stance.bearing
    direction = np.array((math.cos(e) * math.sin(b), -math.cos(e) * math.cos(b), math.sin(e)))
    return View(target + distance * direction, target, stance.roll, stance.focal, stance.distortion)


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
        projected = view.project(points, size)
        low, high = projected.min(axis=0), projected.max(axis=0)
        share = ((high - low) / full).max() / stance.fill
        distance = max(9.0, distance * min(max(share, 0.5), 2.0))
        margin = np.maximum(full - (high - low), 0.0) * (1.0 - 0.5 * free.any())
        target_corner = low - margin * np.array(place)
        scale = distance / (stance.focal * max(size))
        axes = view.frame()
        ground_down = np.array((axes[1][0], axes[1][1], 0.0))
        ground_down /= max(float(np.linalg.norm(ground_down)), 1e-6)
        slope = max(math.sin(stance.elevation), 0.35)
        target = target + axes[0] * target_corner[0] * scale * 0.8
        target = target + ground_down * target_corner[1] * scale / slope * 0.8
        target[2] = 0.5
    return replace(_view(stance, target, distance))
