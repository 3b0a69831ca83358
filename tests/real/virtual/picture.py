"""The picture that is fed to the virtual camera: red at the left, blue at the right."""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from vision.preprocess import RGB

SIZE = (4056, 3040)
"""Of an HQ camera's sensor."""


def picture() -> RGB:
    """Return it, full size: two halves, with an edge or two of other colours."""
    width, height = SIZE
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[:, : width // 2] = 190, 60, 50
    pixels[:, width // 2 :] = 50, 70, 190
    cv2.rectangle(pixels, (500, 400), (1500, 1300), (220, 220, 210), -1)
    cv2.circle(pixels, (2900, 2000), 600, (40, 130, 60), 80)
    return pixels


@lru_cache
def picture_as_fed(size: tuple[int, int]) -> RGB:
    """Return it in a size (width, height) and with the levels that the virtual camera gives it.

    That camera passes on a JPEG's brightness and colour from 0 to 255. Video has them from 16 to
    235 and 240, so everything has more contrast than was fed.
    """
    resized = cv2.resize(picture(), size, interpolation=cv2.INTER_AREA)
    bright, red, blue = cv2.split(cv2.cvtColor(resized, cv2.COLOR_RGB2YCrCb).astype(np.float32))
    video = [(bright - 16) * 255 / 219, *((c - 128) * 255 / 224 + 128 for c in (red, blue))]
    levels = np.clip(np.rint(cv2.merge(video)), 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(levels, cv2.COLOR_YCrCb2RGB), np.uint8)


if __name__ == "__main__":
    jpeg = cv2.imencode(".jpg", picture()[..., ::-1], (cv2.IMWRITE_JPEG_QUALITY, 95))[1]
    Path(sys.argv[1]).write_bytes(jpeg.tobytes())
