"""The camera: where it stands, and where in the picture a place of the table is seen."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Size = tuple[int, int]
"""Width and height of a picture, pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A pinhole: centimetres in the room, pixels in the picture."""

    eye: Floats
    axes: Floats
    """(3, 3): rows are the camera's right, up and backward directions in the room."""
    focal: float
    """Pixels."""
    size: Size

    def project(self, points: Floats) -> Floats:
        """Return (N, 2) pixels of (N, 3) points; whole numbers are centres of pixels."""
        seen = (np.asarray(points, np.float64) - self.eye) @ self.axes.T
        flat = seen[:, :2] * (1.0, -1.0) / -seen[:, 2:] * self.focal
        return np.asarray(flat + np.array(self.size) / 2 - 0.5)


@dataclass(frozen=True, slots=True)
class Stance:
    """How a phone is held; angles in radians."""

    elevation: float
    """Above the table; a right angle looks straight down."""
    azimuth: float = 0.0
    """To the right of the player."""
    roll: float = 0.0
    field: float = 1.1
    """Of view, across the picture's width."""
    fill: float = 0.85
    """Share of the picture that what matters reaches across."""
    aperture: float = 0.15
    """Of the lens, centimetres: the larger, the less is sharp."""


def stand(stance: Stance, points: Floats, size: Size) -> View:
    """Return the nearest view from which all `points` (N, 3) lie within the share to be filled."""
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    near, far = 5.0, 2000.0
    for _ in range(40):
        distance = math.sqrt(near * far)
        view = aimed(stance, middle, points, distance, size)
        reach = np.abs((view.project(points) + 0.5) / size * 2 - 1).max()
        behind = ((points - view.eye) @ view.axes[2]).max() > -1.0
        near, far = (distance, far) if behind or reach > stance.fill else (near, distance)
    return aimed(stance, middle, points, far, size)


def aimed(stance: Stance, middle: Floats, points: Floats, distance: float, size: Size) -> View:
    """Return the view from so far away, shifted until the points' extent is amid the picture."""
    axes = _axes(stance)
    focal = size[0] / 2 / math.tan(stance.field / 2)
    at = np.array(middle, np.float64)
    view = View(at + distance * axes[2], axes, focal, size)
    for _ in range(3):
        if ((points - view.eye) @ axes[2]).max() > -1.0:
            break
        seen = view.project(points)
        off = (seen.min(axis=0) + seen.max(axis=0)) / 2 + 0.5 - np.array(size) / 2
        at = at + (axes[0] * off[0] - axes[1] * off[1]) * distance / focal
        view = View(at + distance * axes[2], axes, focal, size)
    return view


def _axes(stance: Stance) -> Floats:
    ce, se = math.cos(stance.elevation), math.sin(stance.elevation)
    ca, sa = math.cos(stance.azimuth), math.sin(stance.azimuth)
    back = np.array((sa * ce, -ca * ce, se))
    right = np.array((ca, sa, 0.0))
    up = np.cross(back, right)
    cr, sr = math.cos(stance.roll), math.sin(stance.roll)
    return np.stack((cr * right + sr * up, cr * up - sr * right, back))
