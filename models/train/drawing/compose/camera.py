"""The camera: turn linear light into the photograph that a telephone or a webcam would give.

The same stage serves rendered scenes and flat pictures of single tiles. Light of 1.0 is white
paper in the picture's main light; `random_look` then exposes it well, too dark or too bright.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]

_TONE_STEPS = 4096


@dataclass(frozen=True, slots=True)
class Look:
    """How one photograph came out. Blur radii are pixels (standard deviations)."""

    exposure: float = 1.0
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    vignette: float = 0.0
    """Share of the light lost in the corners."""
    defocus: float = 0.0
    depth_blur: float = 0.0
    """Blur that grows towards the top and bottom of the picture, which lie out of focus."""
    focus: float = 0.5
    """Where the picture is sharpest, from 0 at the top to 1 at the bottom."""
    motion: float = 0.0
    """Length of the camera's shake, pixels."""
    motion_angle: float = 0.0
    bloom: float = 0.0
    noise: float = 0.0
    """Deviation of the luma noise of a mid grey, in linear light."""
    colour_noise: float = 0.0
    contrast: float = 0.0
    """0 plain sRGB, 1 a strong S-curve."""
    saturation: float = 1.0
    sharpening: float = 0.0
    jpeg: int = 90


def random_look(rng: np.random.Generator) -> Look:
    """Make up a look: most are decent, a few are dim, shaken, unsharp or harsh."""
    dim = rng.random() < 0.25
    warm = rng.normal(0.0, 0.05) + (0.08 if dim else 0.0)
    green = rng.normal(0.0, 0.02)
    balance = (math.exp(warm), math.exp(green), math.exp(-warm))
    exposure = math.exp(rng.normal(-0.05, 0.22)) * (rng.uniform(0.45, 0.9) if dim else 1.0)
    return Look(
        exposure=exposure,
        balance=balance,
        vignette=rng.uniform(0.0, 0.35),
        defocus=abs(rng.normal(0.3, 0.35)) if rng.random() < 0.75 else rng.uniform(0.8, 1.6),
        depth_blur=rng.uniform(0.5, 2.5) if rng.random() < 0.25 else 0.0,
        focus=rng.uniform(0.2, 0.9),
        motion=rng.uniform(1.5, 5.0) if rng.random() < 0.15 else 0.0,
        motion_angle=rng.uniform(0.0, math.pi),
        bloom=rng.uniform(0.0, 0.025),
        noise=rng.uniform(0.002, 0.014) * (2.2 if dim else 1.0),
        colour_noise=rng.uniform(0.0, 0.01) * (2.0 if dim else 1.0),
        contrast=rng.uniform(0.0, 0.8),
        saturation=math.exp(rng.normal(0.05, 0.15)),
        sharpening=rng.uniform(0.0, 1.0),
        jpeg=int(rng.integers(55, 96)),
    )


def _vignette(light: F32, loss: float) -> F32:
    height, width = light.shape[:2]
    x = ((np.arange(width, dtype=np.float32) + 0.5) / width - 0.5) ** 2
    y = ((np.arange(height, dtype=np.float32) + 0.5) / height - 0.5) ** 2
    keep = 1.0 - 2.0 * loss * (x[None, :] + y[:, None])
    return np.asarray(light * keep[..., None], dtype=np.float32)


def _shake(light: F32, length: float, angle: float) -> F32:
    size = 2 * math.ceil(length / 2) + 3
    middle = (size - 1) / 2
    reach = np.array((math.cos(angle), math.sin(angle))) * length / 2
    ends = np.round(np.array((middle - reach, middle + reach)) * 16).astype(np.int32)
    kernel = np.zeros((size, size), dtype=np.float32)
    cv2.line(kernel, ends[0].tolist(), ends[1].tolist(), (1.0,), 1, cv2.LINE_8, 4)
    return np.asarray(cv2.filter2D(light, -1, kernel / kernel.sum()), dtype=np.float32)


def _defocus(light: F32, blur: float, focus: float) -> F32:
    """Blend towards a blurred copy with the square of the distance from the rows in focus."""
    rows = (np.arange(light.shape[0], dtype=np.float32) + 0.5) / light.shape[0]
    share = np.clip(((rows - focus) / 0.6) ** 2, 0.0, 1.0)[:, None, None]
    half = cv2.GaussianBlur(light, (0, 0), 0.5 * blur)
    full = cv2.GaussianBlur(light, (0, 0), blur)
    half_blurred = light + np.minimum(2.0 * share, 1.0) * (half - light)
    return np.asarray(
        half_blurred + np.maximum(2.0 * share - 1.0, 0.0) * (full - half), dtype=np.float32
    )


def _optics(light: F32, look: Look) -> F32:
    """Lens and shutter: blur, glow around highlights, dark corners."""
    if look.motion > 0.0:
        light = _shake(light, look.motion, look.motion_angle)
    if look.defocus > 0.15:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), look.defocus), dtype=np.float32)
    if look.depth_blur > 0.0:
        light = _defocus(light, look.depth_blur, look.focus)
    if look.bloom > 0.0:
        small = cv2.resize(light, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA)
        glow = cv2.GaussianBlur(small, (0, 0), max(1.0, small.shape[1] * 0.03))
        big = cv2.resize(glow, (light.shape[1], light.shape[0]), interpolation=cv2.INTER_LINEAR)
        light = np.asarray(light + look.bloom * (big - light), dtype=np.float32)
    return _vignette(light, look.vignette)


def _add_noise(light: F32, look: Look, rng: np.random.Generator) -> F32:
    """Sensor noise: shot noise grows with the root of the light; colour noise comes in blotches."""
    height, width = light.shape[:2]
    grain = rng.standard_normal((height, width, 1), dtype=np.float32) * look.noise
    root = np.sqrt(np.maximum(light, 0.0) * 2.0 + 0.02)
    if look.colour_noise > 0.0:
        shape = (max(1, height // 2), max(1, width // 2), 3)
        blotch = rng.standard_normal(shape, dtype=np.float32) * (2.0 * look.colour_noise)
        grain = grain + cv2.resize(blotch, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(light + root * grain, dtype=np.float32)


def _tone_table(contrast: float) -> U8:
    """Light 0 to 1 in `_TONE_STEPS` steps to the 8-bit value: sRGB, a soft shoulder, an S-curve."""
    x = np.arange(_TONE_STEPS) / (_TONE_STEPS - 1) * 1.6
    soft = np.where(x < 0.7, x, 0.7 + 0.3 * (1.0 - np.exp(-(x - 0.7) / 0.3)))
    y = np.where(
        soft <= 0.0031308, soft * 12.92, 1.055 * np.maximum(soft, 1e-9) ** (1 / 2.4) - 0.055
    )
    s_curve = y * y * (3.0 - 2.0 * y)
    y = y + 0.6 * contrast * (s_curve - y)
    return np.asarray(np.clip(np.round(y * 255), 0, 255), dtype=np.uint8)


def _tone(light: F32, look: Look) -> U8:
    steps = np.clip(light * ((_TONE_STEPS - 1) / 1.6), 0, _TONE_STEPS - 1).astype(np.uint16)
    picture = _tone_table(look.contrast)[steps]
    if look.sharpening > 0.0:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.0)
        picture = cv2.addWeighted(picture, 1 + look.sharpening, soft, -look.sharpening, 0.0)
    return np.asarray(picture, dtype=np.uint8)


def _saturate(light: F32, amount: float) -> F32:
    grey = light @ np.array((0.25, 0.6, 0.15), dtype=np.float32)
    return np.asarray(grey[..., None] + amount * (light - grey[..., None]), dtype=np.float32)


def expose(linear_rgb: F32, look: Look, rng: np.random.Generator) -> U8:
    """Return the photograph (H, W, 3) RGB before it is compressed."""
    gain = np.array(look.balance, dtype=np.float32) * np.float32(look.exposure)
    light = _optics(linear_rgb.astype(np.float32, copy=False) * gain, look)
    light = _saturate(_add_noise(light, look, rng), look.saturation)
    return _tone(light, look)


def to_jpeg(photo: U8, quality: int) -> bytes:
    """Return the RGB picture as a JPEG file."""
    _, data = cv2.imencode(".jpg", photo[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()
