"""What is said of a preview before the shutter: drawn frames, and what each must be called."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from device.cameras.aiming import Hint, PreviewJudge
from device.cameras.base import shrink
from device.samples import load_samples
from vision.photo import Photo, open_photo
from vision.reader import Reader

pytestmark = pytest.mark.slow

Frame = npt.NDArray[np.uint8]


def hand(right: int = 0) -> Frame:
    """Return a row of drawn tiles on baize, 640 x 480, moved to the right by so many pixels."""
    frame = np.full((480, 640, 3), (32, 87, 63), np.uint8)
    for tile in range(12):
        x = 40 + tile * 45 + right
        cv2.rectangle(frame, (x, 200), (x + 40, 254), (235, 228, 205), -1)
        cv2.putText(frame, "8B"[tile % 2], (x + 8, 240), 0, 1.1, (30, 60, 40), 3)
    return np.asarray(frame, np.uint8)


def dim_frame(share: float) -> Frame:
    return (hand() * share).astype(np.uint8)


def bright() -> Frame:
    """Return two rows of the hand in light so strong that white and cream are one."""
    rows = np.roll(hand(), -70, axis=0)
    rows[190:250] = hand()[195:255]
    return np.where(rows > 150, 255, rows).astype(np.uint8)


def with_lamp(x: int, radius: int) -> Frame:
    """Return the hand with the reflection of a lamp in it."""
    return np.asarray(cv2.circle(hand(), (x, 227), radius, (255, 255, 255), -1), np.uint8)


def blur_frame(sigma: float) -> Frame:
    return np.asarray(cv2.GaussianBlur(hand(), (0, 0), sigma), np.uint8)


def noisy(seed: int = 1) -> Frame:
    noise = np.random.default_rng(seed).normal(0, 10, (480, 640, 3))
    return np.clip(dim_frame(0.5) + noise, 0, 255).astype(np.uint8)


STILL_FRAMES = [
    (hand(), None, "ready", "a sharp hand in good light"),
    (hand(), 13, "ready", "and the locator sees it"),
    (dim_frame(0.5), None, "ready", "half the light is enough"),
    (dim_frame(0.2), None, "too-dark", "the tiles' own light is at 47 of 255"),
    (np.zeros((480, 640, 3), np.uint8), None, "too-dark", "the lid is on"),
    (with_lamp(100, 60), None, "glare-left", "a lamp over the first tiles"),
    (with_lamp(320, 60), None, "glare-middle", "over the middle"),
    (with_lamp(560, 60), None, "glare-right", "over the last"),
    (bright(), None, "ready", "white tiles in good light are burnt out but for their marks"),
    (with_lamp(560, 15), None, "ready", "a spark on one tile is read through"),
    (blur_frame(2), None, "ready", "a little soft, as many webcams are"),
    (blur_frame(8), None, "not-sharp", "out of focus"),
    (np.full((480, 640, 3), 120, np.uint8), None, "no-hand", "a bare cloth has no edge at all"),
    (hand(), 0, "no-hand", "what looks like a hand is none"),
    (hand(), 6, "no-hand", "half of it lies outside"),
    (with_lamp(100, 60), 0, "glare-left", "what keeps tiles from being seen comes first"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("frame", "tiles", "hint", "reason"), STILL_FRAMES, ids=[row[3] for row in STILL_FRAMES]
)
def test_a_frame_that_holds_still(frame: Frame, tiles: int | None, hint: Hint, reason: str) -> None:
    aim = PreviewJudge()
    aim.judge(frame)
    assert aim.judge(frame, tiles) == hint, reason


MOVING_FRAMES = [
    (hand(), hand(20), "hold-still", "the hand moved by half a tile"),
    (hand(), hand(1), "ready", "the table shook by a pixel"),
    (hand(), dim_frame(0.85), "ready", "a lamp flickers, or the camera sets its exposure"),
    (noisy(), np.roll(noisy(), 7, axis=(0, 1)), "hold-still", "all of it moved, in noise"),
    (noisy(1), noisy(2), "ready", "noise alone is no motion"),
    (hand(), np.asarray(cv2.rectangle(hand(), (0, 0), (200, 150), (200, 150, 120), -1)),
     "hold-still", "a sleeve comes in"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "current", "hint", "reason"), MOVING_FRAMES, ids=[row[3] for row in MOVING_FRAMES]
)
def test_motion_between_two_frames(before: Frame, current: Frame, hint: Hint, reason: str) -> None:
    aim = PreviewJudge()
    aim.judge(before)
    assert aim.judge(current) == hint, reason


def test_one_frame_alone_is_not_known_to_hold_still() -> None:
    assert PreviewJudge().judge(hand()) == "hold-still"


def test_the_sample_photographs_are_ready_with_the_tiles_that_the_locator_sees() -> None:
    reader = Reader.load()
    for sample in load_samples():
        photo = open_photo(sample.path.read_bytes(), sample.name)
        preview = shrink(photo.rgb)
        tiles = reader.count(Photo("preview", preview))
        aim = PreviewJudge()
        aim.judge(preview)
        assert aim.judge(preview, tiles) == "ready", (sample.name, tiles)
    assert reader.count(Photo("cloth", np.full((480, 640, 3), (32, 87, 63), np.uint8))) == 0
