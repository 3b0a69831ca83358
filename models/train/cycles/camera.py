"""The camera: where it stands, what it sees, and how its light becomes a JPEG file."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from models.train.cycles.spots import Rng

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


def place_camera(stance: Stance, points: Floats, size: Size) -> View:
    """Return the nearest view from which all `points` (N, 3) lie within the share to be filled."""
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    near, far = 5.0, 2000.0
    for _ in range(40):
        distance = math.sqrt(near * far)
        view = aim_camera(stance, middle, points, distance, size)
        reach = np.abs((view.project(points) + 0.5) / size * 2 - 1).max()
        behind = ((points - view.eye) @ view.axes[2]).max() > -1.0
        near, far = (distance, far) if behind or reach > stance.fill else (near, distance)
    return aim_camera(stance, middle, points, far, size)


def aim_camera(stance: Stance, middle: Floats, points: Floats, distance: float, size: Size) -> View:
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


Light = npt.NDArray[np.float32]
"""Linear, or sRGB from 0 to 1: (height, width, 3)."""


def develop(light: Light, rng: Rng) -> bytes:
    """Return a photograph of linear light as a JPEG file."""
    bright = float(np.percentile(light.mean(axis=2), 98.5))
    scene = light / np.float32(max(bright, 1e-6) / rng.uniform(0.7, 1.15))
    means = scene.reshape(-1, 3).mean(axis=0)
    cast = (means.mean() / means) ** rng.uniform(0.0, 0.45)
    scene = np.asarray(scene * cast * np.exp(rng.normal(0.0, 0.03, 3)), np.float32)
    scene = _vignette(scene, rng.uniform(0.0, 0.3))
    scene = np.asarray(cv2.GaussianBlur(scene, (0, 0), rng.uniform(0.35, 0.8)), np.float32)
    scene = _add_noise(scene, rng.choice((0.0004, 0.0015, 0.004), p=(0.4, 0.4, 0.2)), rng)
    return _encode(_tone(scene), rng.uniform(0.0, 0.5), int(rng.integers(76, 95)))


def _vignette(scene: Light, amount: float) -> Light:
    tall, wide = scene.shape[:2]
    y, x = np.mgrid[:tall, :wide]
    far = ((x - wide / 2) ** 2 + (y - tall / 2) ** 2) / (wide**2 + tall**2) * 4
    return np.asarray(scene * (1 - amount * far)[..., None], np.float32)


def _add_noise(scene: Light, strength: float, rng: Rng) -> Light:
    """Add noise that grows with the root of the light, a little of it in blotches."""
    grain = rng.standard_normal(scene.shape, np.float32)
    blotches = cv2.GaussianBlur(grain[::-1, ::-1], (0, 0), 1.2) * 2.0
    deviation = np.sqrt(strength * scene.clip(0, None) * 0.5 + strength**2)
    return np.asarray(scene + deviation * (0.7 * grain + 0.5 * blotches) * 0.6, np.float32)


def _tone(scene: Light) -> Light:
    """Return sRGB values, 0 to 1, bright ones rolled off."""
    x = scene.clip(0, None)
    x = np.where(x > 0.8, 0.8 + 0.2 * np.tanh((x - 0.8) / 0.2), x)
    encoded = np.where(x < 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)
    return np.asarray(encoded + 0.06 * np.sin(2 * np.pi * (encoded - 0.5)) / np.pi, np.float32)


def _encode(picture: Light, sharpening: float, quality: int) -> bytes:
    soft = cv2.GaussianBlur(picture, (0, 0), 1.3)
    sharp = ((picture + sharpening * (picture - soft)) * 255).round().clip(0, 255)
    rgb = np.asarray(sharp, np.uint8)
    done, data = cv2.imencode(".jpg", rgb[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise OSError("the picture cannot be written as JPEG")
    return bytes(data)
