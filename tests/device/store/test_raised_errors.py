"""An error that is kept is not raised itself: with each raise it would hold more frames."""

from __future__ import annotations

import traceback
from collections.abc import Callable

import pytest

from device.cameras.base import CameraUnavailableError
from device.cameras.webcams import OpenCVCamera
from device.hands.repository import HandRepository
from device.store import TornEventError
from device.store.events import HandBegun
from tests.device.events import write_raw

TIMES = 50


def count_frames(ask: Callable[[], object], kind: type[Exception]) -> set[int]:
    """Return how many frames the error holds each time that something fails."""
    counts = set()
    for _ in range(TIMES):
        with pytest.raises(kind) as error_info:
            ask()
        counts.add(sum(1 for _ in traceback.walk_tb(error_info.value.__traceback__)))
    return counts


def test_a_torn_hand_that_is_asked_for_again_and_again(hands: HandRepository) -> None:
    hands.store.append("a", HandBegun(rules="bmja", seat_wind="E", prevailing_wind="E"))
    write_raw(hands.store, "a", "no-such-kind", {})
    assert len(count_frames(lambda: hands.get("a"), TornEventError)) == 1


class StoppedCapture:
    """A webcam that gives no picture any more."""

    def grab(self) -> bool:
        return False


def test_a_webcam_that_has_stopped() -> None:
    camera = OpenCVCamera("0")
    vars(camera)["_capture"] = StoppedCapture()
    assert len(count_frames(lambda: camera.take_still(1), CameraUnavailableError)) == 1
