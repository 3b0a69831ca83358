"""Change light, colour, sharpness and noise as rooms and cameras do."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

RGB = npt.NDArray[np.uint8]


def relight(rgb: RGB, rng: np.random.Generator, other_cloth: float = 0.0) -> RGB:
    """Return the picture in another light; `other_cloth` is the chance that hues turn round."""
    if rng.random() < other_cloth:
        hue_shifted = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV_FULL)
        hue_shifted[..., 0] += np.uint8(rng.integers(256))
        rgb = cv2.cvtColor(hue_shifted, cv2.COLOR_HSV2RGB_FULL).astype(np.uint8)
    if rng.random() < 0.08:
        rgb = np.repeat(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)[..., None], 3, 2).astype(np.uint8)
    elif rng.random() < 0.15:
        grey = np.repeat(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)[..., None], 3, 2)
        share = rng.uniform(0.2, 0.8)
        rgb = cv2.addWeighted(rgb, 1 - share, grey, share, 0).astype(np.uint8)
    gain = np.exp(rng.normal(0, 0.2) + rng.normal(0, 0.08, 3))
    levels = np.linspace(0, 1, 256)[:, None] ** np.exp(rng.normal(0, 0.25)) * gain
    rgb = cv2.LUT(rgb, np.clip(levels * 255, 0, 255).astype(np.uint8)[None]).astype(np.uint8)
    if rng.random() < 0.3:
        rgb = cv2.GaussianBlur(rgb, (0, 0), rng.uniform(0.4, 1.4)).astype(np.uint8)
    if rng.random() < 0.6:
        height, width = rgb.shape[:2]
        y, x = rng.integers(0, len(_GRAIN) - height), rng.integers(0, len(_GRAIN) - width)
        grain = _GRAIN[y : y + height, x : x + width] * np.float32(rng.uniform(0, 12))
        rgb = np.clip(rgb + grain, 0, 255).astype(np.uint8)
    return rgb


_GRAIN = np.random.default_rng(0).standard_normal((768, 768, 3), dtype=np.float32)
"""Noise to cut pieces from; drawing it anew each time would cost more than all the rest."""
