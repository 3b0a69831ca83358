"""The lens: bends the picture that was painted with straight lines."""

from __future__ import annotations

import cv2
import numpy as np

from models.train.compose.colours import F32
from models.train.render.scene import View


def bent(light: F32, view: View) -> F32:
    """Return the picture (H, W, 3) as the view's distortion shows it (`View.project` inverted)."""
    if abs(view.distortion) < 1e-4:
        return light
    height, width = light.shape[:2]
    focal = view.focal * max(width, height)
    x = (np.arange(width, dtype=np.float32) + 0.5 - width / 2) / focal
    y = (np.arange(height, dtype=np.float32)[:, None] + 0.5 - height / 2) / focal
    stretch = 1.0 + view.distortion * (x * x + y * y)
    from_x = (x * stretch * focal + width / 2 - 0.5).astype(np.float32)
    from_y = (y * stretch * focal + height / 2 - 0.5).astype(np.float32)
    seen = cv2.remap(light, from_x, from_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, dtype=np.float32)
