"""Judge live pictures before the shutter: light, glare, sharpness, motion, number of tiles.

The box's camera and phones use the same checks. The whole frame is judged, and the shutter works
whatever is found; `vision.quality` judges the photograph afterwards. Thresholds come from 300 real
photographs at preview size: `python -m tests.prove.aiming` prints the table again.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from device.cameras.base import PREVIEW_SIDE_PX, shrink
from device.decoding.decoder import Decoder
from vision.preprocess import RGB
from vision.quality import MIN_LIGHT_LEVEL

Hint = Literal[
    "too-dark", "hold-still", "glare-left", "glare-middle", "glare-right", "not-sharp", "no-hand",
    "ready",
]  # fmt: skip
"""The hint shown for a frame; its words are in the page's strings."""

BURNT_LEVEL = 250
"""From this level on, of 255, in all three colours a pixel counts as burnt out."""

MAX_GLARE_SHARE = 0.04
"""Share of a third of the frame that is burnt out: two tiles' area. Of 300 photographs of hands
three have more, all of them shops' pictures on pure white."""

MIN_GLARE_SPOT_PX = 25
"""Smallest width and height of a burnt-out spot that counts. A lamp's reflection on a tile is
larger; the white between the marks of a well-lit tile is smaller."""

MAX_EDGE_SPREAD_PX = 4.0
"""Spread of the sharpest edges, in pixels of the preview. All 300 photographs have 1.2 to 3.8.
Three in four exceed the limit once blurred by three pixels, about a thirteenth of a tile."""

MAX_MOVED_SHARE = 0.03
"""Share of the frame's cells that changed since the last frame: half a row of tiles."""

MIN_CELL_CHANGE_LEVELS = 20.0
"""Grey levels (of 255) by which a cell changes when a tile's edge moves by two pixels. A cell is
the mean of a hundred pixels, so noise of ten levels in a dim room moves it by one. Measured on
drawn frames only: tests/device/cameras/test_cameras_aiming.py."""

MIN_TILES_SEEN = 8
"""With fewer tiles seen by the locator, nearly half a hand lies outside the frame."""

MOTION_GRID_CELLS = (64, 48)
"""Cells across and down for detecting motion."""

MIN_CONTRAST_LEVELS = 12.0
"""Contrast below which a frame shows nothing at all: a bare cloth."""

Cells = npt.NDArray[np.float32]
"""Grey levels of the motion grid, rows first."""

_GLARE_HINTS: tuple[Hint, ...] = ("glare-left", "glare-middle", "glare-right")
_NOISE_SIGMA_PX = 0.8
"""Sigma of the blur that removes noise before edges are measured."""


@dataclass(frozen=True, slots=True)
class PreviewMeasures:
    """Measures of one preview."""

    light: float
    """Brightness of its lightest parts, 0 to 255: tiles, if there are any."""
    burnt_shares: tuple[float, float, float]
    """Burnt-out share of its left, middle and right third."""
    blur: float
    """Spread of its sharpest edges in pixels; nan without edges."""


class PreviewJudge:
    """Judges one preview after another."""

    def __init__(self) -> None:
        self._before: Cells | None = None

    def judge(self, rgb: RGB, tiles: int | None = None) -> Hint:
        """Return the first problem to correct, or `ready`.

        `tiles` is the locator's recent count, or None if it has not looked.
        """
        cells = to_cells(rgb)
        before, self._before = self._before, cells
        look = measure_preview(rgb)
        worst = int(np.argmax(look.burnt_shares))
        faults: tuple[tuple[Hint, bool], ...] = (
            ("too-dark", look.light < MIN_LIGHT_LEVEL),
            ("hold-still", before is None or moved_share(before, cells) > MAX_MOVED_SHARE),
            (_GLARE_HINTS[worst], look.burnt_shares[worst] > MAX_GLARE_SHARE),
            ("no-hand", math.isnan(look.blur) or (tiles is not None and tiles < MIN_TILES_SEEN)),
            ("not-sharp", look.blur > MAX_EDGE_SPREAD_PX),
        )
        return next((hint for hint, holds in faults if holds), "ready")


def measure_preview(rgb: RGB) -> PreviewMeasures:
    """Measure one preview."""
    grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    burnt_mask = cv2.inRange(rgb, (BURNT_LEVEL,) * 3, (255, 255, 255)) // 255
    spots = cv2.morphologyEx(
        burnt_mask, cv2.MORPH_OPEN, np.ones((MIN_GLARE_SPOT_PX, MIN_GLARE_SPOT_PX), np.uint8)
    )
    left, middle, right = (float(third.mean()) for third in np.array_split(spots, 3, axis=1))
    red, green, blue = cv2.split(rgb)
    light = float(np.percentile(cv2.max(cv2.max(red, green), blue), 95))
    return PreviewMeasures(light, (left, middle, right), _blur(np.asarray(grey, np.uint8)))


def is_well_lit(rgb: RGB) -> bool:
    """Whether a preview is neither too dark nor overexposed everywhere."""
    look = measure_preview(rgb)
    return look.light >= MIN_LIGHT_LEVEL and min(look.burnt_shares) <= MAX_GLARE_SHARE


def to_cells(rgb: RGB) -> Cells:
    """Return the picture reduced to the motion grid."""
    grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    return cv2.resize(grey, MOTION_GRID_CELLS, interpolation=cv2.INTER_AREA).astype(np.float32)


def moved_share(before: Cells, after: Cells) -> float:
    """Return the share of cells that changed between two frames, apart from changes of light."""
    change = after * (before.mean() / max(float(after.mean()), 1.0)) - before
    return float((np.abs(change) > MIN_CELL_CHANGE_LEVELS).mean())


def _blur(grey: npt.NDArray[np.uint8]) -> float:
    """Return the spread of the sharpest edges, in the worse of two directions.

    As in `vision.quality`, an edge blurred by a Gaussian is steepest in its middle: contrast /
    (sigma * sqrt(2 pi)).
    """
    smooth = cv2.GaussianBlur(grey, (0, 0), _NOISE_SIGMA_PX).astype(np.float32)
    low, high = np.percentile(smooth, (2, 98))
    slopes = (cv2.Sobel(smooth, cv2.CV_32F, *way, ksize=1) / 2 for way in ((1, 0), (0, 1)))
    steepest = min(float(np.percentile(np.abs(slope), 99.7)) for slope in slopes)
    if high - low < MIN_CONTRAST_LEVELS:
        return math.nan
    return float(high - low) / (max(steepest, 0.1) * math.sqrt(2 * math.pi))


CountTiles = Callable[[RGB, Callable[[int], None]], None]
"""Starts counting, and reports the number later or never; does not wait."""

COUNT_INTERVAL_S = 1.0
"""Time between two counts, each of which keeps the reader busy for a moment."""

_STALE_AFTER_INTERVALS = 3
"""A count is forgotten after this many intervals."""


class TileCounter:
    """The newest count of one live picture."""

    def __init__(self, count: CountTiles | None, interval: float = COUNT_INTERVAL_S) -> None:
        self._count = count
        self._interval = interval
        self._asked_time = -float("inf")
        self._latest_count: tuple[float, int] | None = None
        """Time of the newest count, and the number of tiles."""

    def look(self, rgb: RGB) -> int | None:
        """Start a count if it is due; return the newest count.

        None while the reader has been busy with other things for long.
        """
        current_time = time.monotonic()
        if self._count and current_time - self._asked_time > self._interval:
            self._asked_time = current_time
            self._count(rgb, self._saw)
        if (
            self._latest_count is None
            or current_time - self._latest_count[0] > _STALE_AFTER_INTERVALS * self._interval
        ):
            return None
        return self._latest_count[1]

    def _saw(self, tiles: int) -> None:
        self._latest_count = time.monotonic(), tiles


MAX_REMEMBERED_PHONES = 64
"""Phones whose last frame is remembered: sixteen full tables, at 12 KB each."""

MAX_FRAME_PX = 4 * PREVIEW_SIDE_PX * PREVIEW_SIDE_PX
"""Pixels of a frame; a larger picture is decoded at reduced size."""


class PhoneAims:
    """The hints for each phone's live picture; safe to share between threads.

    A phone sends a small frame from time to time. Only the motion grid is kept, in memory, to
    compare with the next frame.
    """

    def __init__(self, count: CountTiles, decoder: Decoder) -> None:
        self._count = count
        self._decoder = decoder
        self._aims: OrderedDict[str, tuple[PreviewJudge, TileCounter]] = OrderedDict()
        self._remembering = threading.Lock()

    def judge(self, phone: str, frame: bytes) -> Hint:
        """Return a hint; raise PhotoError for an invalid picture. Call once at a time per phone."""
        rgb = shrink(self._decoder.open(frame, "frame", MAX_FRAME_PX).rgb)
        aim, tiles = self._judge_of(phone)
        return aim.judge(rgb, tiles.look(rgb))

    def _judge_of(self, phone: str) -> tuple[PreviewJudge, TileCounter]:
        with self._remembering:
            judge_and_counter = self._aims.pop(phone, None) or (
                PreviewJudge(),
                TileCounter(self._count),
            )
            self._aims[phone] = judge_and_counter
            if len(self._aims) > MAX_REMEMBERED_PHONES:
                self._aims.popitem(last=False)
            return judge_and_counter
