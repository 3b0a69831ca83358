"""From light to a JPEG file as a phone makes one: exposure, colour cast, noise, sharpening."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from models.train.cycles.spots import Rng

Light = npt.NDArray[np.float32]
"""Linear, or sRGB from 0 to 1: (height, width, 3)."""


def develop(light: Light, rng: Rng) -> bytes:
    """Return a photograph of linear light as a JPEG file."""
    bright = float(np.percentile(light.mean(axis=2), 98.5))
    scene = light / np.float32(max(bright, 1e-6) / rng.uniform(0.7, 1.15))
    means = scene.reshape(-1, 3).mean(axis=0)
    cast = (means.mean() / means) ** rng.uniform(0.0, 0.45)
    scene = np.asarray(scene * cast * np.exp(rng.normal(0.0, 0.03, 3)), np.float32)
    scene = _vignetted(scene, rng.uniform(0.0, 0.3))
    scene = np.asarray(cv2.GaussianBlur(scene, (0, 0), rng.uniform(0.35, 0.8)), np.float32)
    scene = _noisy(scene, rng.choice((0.0004, 0.0015, 0.004), p=(0.4, 0.4, 0.2)), rng)
    return _encoded(_toned(scene), rng.uniform(0.0, 0.5), int(rng.integers(76, 95)))


def _vignetted(scene: Light, amount: float) -> Light:
    tall, wide = scene.shape[:2]
    y, x = np.mgrid[:tall, :wide]
    far = ((x - wide / 2) ** 2 + (y - tall / 2) ** 2) / (wide**2 + tall**2) * 4
    return np.asarray(scene * (1 - amount * far)[..., None], np.float32)


def _noisy(scene: Light, strength: float, rng: Rng) -> Light:
    """Add noise that grows with the root of the light, a little of it in blotches."""
    grain = rng.standard_normal(scene.shape, np.float32)
    blotches = cv2.GaussianBlur(grain[::-1, ::-1], (0, 0), 1.2) * 2.0
    deviation = np.sqrt(strength * scene.clip(0, None) * 0.5 + strength**2)
    return np.asarray(scene + deviation * (0.7 * grain + 0.5 * blotches) * 0.6, np.float32)


def _toned(scene: Light) -> Light:
    """Return sRGB values, 0 to 1, bright ones rolled off."""
    x = scene.clip(0, None)
    x = np.where(x > 0.8, 0.8 + 0.2 * np.tanh((x - 0.8) / 0.2), x)
    encoded = np.where(x < 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)
    return np.asarray(encoded + 0.06 * np.sin(2 * np.pi * (encoded - 0.5)) / np.pi, np.float32)


def _encoded(picture: Light, sharpening: float, quality: int) -> bytes:
    soft = cv2.GaussianBlur(picture, (0, 0), 1.3)
    sharp = ((picture + sharpening * (picture - soft)) * 255).round().clip(0, 255)
    rgb = np.asarray(sharp, np.uint8)
    done, data = cv2.imencode(".jpg", rgb[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise OSError("the picture cannot be written as JPEG")
    return bytes(data)
