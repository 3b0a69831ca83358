"""Judge live pictures before the shutter: light, glare, sharpness, motion, number of tiles.

The box's camera and phones use the same checks. The whole frame is judged, and the shutter works
whatever is found; `vision.quality` judges the photograph afterwards. Thresholds come from 300 real
photographs at preview size: `python -m tests.prove.aiming` prints the table again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.preprocess import RGB
from vision.quality import DARK

Hint = Literal[
    "too-dark", "hold-still", "glare-left", "glare-middle", "glare-right", "not-sharp", "no-hand",
    "ready",
]  # fmt: skip
"""The hint shown for a frame; its words are in the page's strings."""

BURNT_LEVEL = 250
"""From this level on, of 255, in all three colours a pixel counts as burnt out."""

GLARE = 0.04
"""Share of a third of the frame that is burnt out: two tiles' area. Of 300 photographs of hands
three have more, all of them shops' pictures on pure white."""

SPOT = 25
"""Smallest width and height of a burnt-out spot that counts. A lamp's reflection on a tile is
larger; the white between the marks of a well-lit tile is smaller."""

BLURRED = 4.0
"""Spread of the sharpest edges, in pixels of the preview. All 300 photographs have 1.2 to 3.8.
Three in four exceed the limit once blurred by three pixels, about a thirteenth of a tile."""

MOVED = 0.03
"""Share of the frame's cells that changed since the last frame: half a row of tiles."""

CHANGED = 20.0
"""Grey levels (of 255) by which a cell changes when a tile's edge moves by two pixels. A cell is
the mean of a hundred pixels, so noise of ten levels in a dim room moves it by one. Measured on
drawn frames only: tests/device/cameras/test_cameras_aiming.py."""

FEWEST = 8
"""With fewer tiles seen by the locator, nearly half a hand lies outside the frame."""

CELLS = (64, 48)
"""Cells across and down for detecting motion."""

FAINT = 12.0
"""Contrast below which a frame shows nothing at all: a bare cloth."""

Cells = npt.NDArray[np.float32]
"""Grey levels of the motion grid, rows first."""

_SIDES: tuple[Hint, ...] = ("glare-left", "glare-middle", "glare-right")
_SMOOTH = 0.8
"""Sigma of the blur that removes noise before edges are measured."""


@dataclass(frozen=True, slots=True)
class PreviewLook:
    """Measures of one preview."""

    light: float
    """Brightness of its lightest parts, 0 to 255: tiles, if there are any."""
    burnt: tuple[float, float, float]
    """Burnt-out share of its left, middle and right third."""
    blur: float
    """Spread of its sharpest edges in pixels; nan without edges."""


class Aim:
    """Judges one preview after another."""

    def __init__(self) -> None:
        self._before: Cells | None = None

    def judge(self, rgb: RGB, tiles: int | None = None) -> Hint:
        """Return the first problem to correct, or `ready`.

        `tiles` is the locator's recent count, or None if it has not looked.
        """
        now = cells(rgb)
        before, self._before = self._before, now
        look = measure(rgb)
        worst = int(np.argmax(look.burnt))
        faults: tuple[tuple[Hint, bool], ...] = (
            ("too-dark", look.light < DARK),
            ("hold-still", before is None or moved(before, now) > MOVED),
            (_SIDES[worst], look.burnt[worst] > GLARE),
            ("no-hand", math.isnan(look.blur) or (tiles is not None and tiles < FEWEST)),
            ("not-sharp", look.blur > BLURRED),
        )
        return next((hint for hint, holds in faults if holds), "ready")


def measure(rgb: RGB) -> PreviewLook:
    """Measure one preview."""
    grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    burnt = cv2.inRange(rgb, (BURNT_LEVEL,) * 3, (255, 255, 255)) // 255
    spots = cv2.morphologyEx(burnt, cv2.MORPH_OPEN, np.ones((SPOT, SPOT), np.uint8))
    left, middle, right = (float(third.mean()) for third in np.array_split(spots, 3, axis=1))
    red, green, blue = cv2.split(rgb)
    light = float(np.percentile(cv2.max(cv2.max(red, green), blue), 95))
    return PreviewLook(light, (left, middle, right), _blur(np.asarray(grey, np.uint8)))


def is_well_lit(rgb: RGB) -> bool:
    """Whether a preview is neither too dark nor overexposed everywhere."""
    look = measure(rgb)
    return look.light >= DARK and min(look.burnt) <= GLARE


def cells(rgb: RGB) -> Cells:
    """Return the picture reduced to the motion grid."""
    grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    return cv2.resize(grey, CELLS, interpolation=cv2.INTER_AREA).astype(np.float32)


def moved(before: Cells, now: Cells) -> float:
    """Return the share of cells that changed between two frames, apart from changes of light."""
    change = now * (before.mean() / max(float(now.mean()), 1.0)) - before
    return float((np.abs(change) > CHANGED).mean())


def _blur(grey: npt.NDArray[np.uint8]) -> float:
    """Return the spread of the sharpest edges, in the worse of two directions.

    As in `vision.quality`, an edge blurred by a Gaussian is steepest in its middle: contrast /
    (sigma * sqrt(2 pi)).
    """
    smooth = cv2.GaussianBlur(grey, (0, 0), _SMOOTH).astype(np.float32)
    low, high = np.percentile(smooth, (2, 98))
    slopes = (cv2.Sobel(smooth, cv2.CV_32F, *way, ksize=1) / 2 for way in ((1, 0), (0, 1)))
    steepest = min(float(np.percentile(np.abs(slope), 99.7)) for slope in slopes)
    if high - low < FAINT:
        return math.nan
    return float(high - low) / (max(steepest, 0.1) * math.sqrt(2 * math.pi))
