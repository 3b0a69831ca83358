"""What to do before the shutter, from the preview alone: light, glare, sharpness, motion.

It judges the whole frame, but for the number of tiles, and is a help: the shutter works whatever it
says. `vision.quality` says afterwards what is wrong with the photograph. Thresholds are from 300
real photographs, shrunk to a preview's size: `python -m tests.prove.aiming` makes the table again.
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
"""What is said of a frame; its words stand in the page's strings."""

BURNT_LEVEL = 250
"""From this level on, of 255, in all three colours a pixel counts as burnt out."""

GLARE = 0.04
"""Share of a third of the frame that is burnt out: two tiles' worth. Of 300 photographs of hands
three have more, all of them shops' pictures on pure white."""

SPOT = 25
"""Pixels of the preview. What is burnt out counts where it is as wide and as high: the lamp on a
tile is, the white between the marks of a well lit one is not."""

BLURRED = 4.0
"""Spread of the sharpest edges, pixels of the preview. Photographs have 1.2 to 3.8 (all 300), and
three in four have more once they are blurred by three pixels, a thirteenth of a tile or so."""

MOVED = 0.03
"""Share of the frame's cells that changed since the frame before: half a tile row's."""

CHANGED = 20.0
"""Levels of 255 by which a cell changes when something moves in it: a tile's edge that moves by two
pixels. A cell is the mean of a hundred pixels, so a dim room's noise of ten levels moves it by one.
Not measured on a camera yet, but on drawn frames: tests/device/cameras/test_cameras_aiming.py."""

FEWEST = 8
"""Tiles of a hand that the locator sees at least: with fewer, nearly half lie outside the frame."""

CELLS = (64, 48)
"""Cells across and down in which motion is looked for."""

FAINT = 12.0
"""Levels of contrast below which a frame shows nothing at all: a bare cloth."""

Cells = npt.NDArray[np.float32]
"""Grey levels, shape (CELLS[1], CELLS[0])."""

_SIDES: tuple[Hint, ...] = ("glare-left", "glare-middle", "glare-right")
_SMOOTH = 0.8
"""Sigma in pixels of what is smoothed away as noise before edges are measured."""


@dataclass(frozen=True, slots=True)
class PreviewLook:
    """What one preview measures."""

    light: float
    """Brightness of its lightest parts, 0 to 255: of the tiles, where there are any."""
    burnt: tuple[float, float, float]
    """Share of its left, middle and right third that is burnt out."""
    blur: float
    """Spread of its sharpest edges in pixels; nan where it has none."""


class Aim:
    """Judges one preview after another."""

    def __init__(self) -> None:
        self._before: Cells | None = None

    def judge(self, rgb: RGB, tiles: int | None = None) -> Hint:
        """Return the first thing to put right, or that all is ready.

        `tiles` is how many the locator saw a moment ago, None when it has not looked.
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
    """Whether a preview is neither too dark nor, all over, too bright."""
    look = measure(rgb)
    return look.light >= DARK and min(look.burnt) <= GLARE


def cells(rgb: RGB) -> Cells:
    """Return a picture as few cells, by which it is compared with another."""
    grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    return cv2.resize(grey, CELLS, interpolation=cv2.INTER_AREA).astype(np.float32)


def moved(before: Cells, now: Cells) -> float:
    """Return the share of cells that changed between two frames, whatever the light did."""
    change = now * (before.mean() / max(float(now.mean()), 1.0)) - before
    return float((np.abs(change) > CHANGED).mean())


def _blur(grey: npt.NDArray[np.uint8]) -> float:
    """Return the spread of the sharpest edges, in the worse of two directions.

    As in vision.quality, an edge blurred by a Gaussian is steepest in its middle: contrast /
    (sigma * sqrt(2 pi)).
    """
    smooth = cv2.GaussianBlur(grey, (0, 0), _SMOOTH).astype(np.float32)
    low, high = np.percentile(smooth, (2, 98))
    slopes = (cv2.Sobel(smooth, cv2.CV_32F, *way, ksize=1) / 2 for way in ((1, 0), (0, 1)))
    steepest = min(float(np.percentile(np.abs(slope), 99.7)) for slope in slopes)
    if high - low < FAINT:
        return math.nan
    return float(high - low) / (max(steepest, 0.1) * math.sqrt(2 * math.pi))
