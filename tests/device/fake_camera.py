"""A camera that does as a test says: it works, fails, hangs and comes back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np

from device.cameras import Camera, CameraError, CameraInfo, Frame
from device.cameras.cameras import Cameras
from device.cameras.service import CameraService
from vision.photo import open_photo
from vision.preprocess import RGB

PATIENCE = 10.0
"""Seconds after which a test gives up waiting, on however busy a machine."""


class FakeCamera:
    """Raises `fault` for a frame, `start_fault` when it is opened; hangs until it is let go."""

    def __init__(self, photo: bytes = b"") -> None:
        """Show a photograph, or without one a grey picture."""
        self.info = CameraInfo("fake", 8, 6, can_adjust=True)
        self.open_count = self.close_count = self.adjust_count = self.previews = 0
        self.fault: CameraError | None = None
        self.start_fault: CameraError | None = None
        self.picture: RGB | None = open_photo(photo, "hand.jpg").rgb if photo else None
        self.error: Exception | None = None
        self.let_go = threading.Event()
        self.let_go.set()
        self.owners: set[int] = set()

    def __call__(self) -> Camera:
        """Stand in for what opens a camera."""
        return self

    def start(self) -> CameraInfo:
        """Start, or do not."""
        self.open_count += 1
        if self.start_fault:
            raise self.start_fault
        return self.info

    def preview(self, timeout: float) -> Frame:
        """Return a small grey picture."""
        self.previews += 1
        return self._frame(64)

    def take_still(self, timeout: float) -> Frame:
        """Return a larger one."""
        return self._frame(640)

    def adjust(self) -> None:
        """Count."""
        self.adjust_count += 1

    def close(self) -> None:
        """Count."""
        self.close_count += 1

    def _frame(self, side: int) -> Frame:
        self.owners.add(threading.get_ident())
        assert self.let_go.wait(PATIENCE * 2)
        if self.error:
            raise self.error
        if self.fault:
            raise self.fault
        grey = np.full((side, side, 3), 90, np.uint8)
        return Frame(
            grey if self.picture is None else self.picture, "fake", {"ExposureTime": 20000}
        )


def single_camera(service: CameraService | None) -> Cameras:
    """Return the cameras of a box that has its own and no other."""
    return Cameras(lambda _: service) if service else Cameras()


def wait_until(holds: Callable[[], object]) -> None:
    """Wait until something holds; to ask may take a page, so it is asked less and less often."""
    deadline, pause = time.monotonic() + PATIENCE, 0.002
    while not holds():
        assert time.monotonic() < deadline, "it did not come to hold"
        time.sleep(pause)
        pause = min(1.5 * pause, 0.04)
