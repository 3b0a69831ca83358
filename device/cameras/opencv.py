"""A webcam, through OpenCV and Video4Linux."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np

from device.cameras.frames import shrunk
from device.cameras.protocol import (
    CameraBusyError,
    CameraInfo,
    CameraNotFoundError,
    CameraUnavailableError,
    Frame,
    says,
)
from vision.preprocess import RGB

SIZE = (1920, 1080)
"""Asked for: fourteen tiles then have 100 pixels each, and any webcam that has less gives that."""

BUFFERS = 4
"""Frames that the driver holds at most (OpenCV's own number); what lies there is old."""

WAITED = 0.005
"""Seconds. A frame that took longer to come has not lain in a buffer but is new."""


class OpenCVCamera:
    """A webcam by its number (`0` is /dev/video0) or path."""

    def __init__(self, device: str) -> None:
        self._path = f"/dev/video{device}" if device.isdecimal() else device
        self._capture: cv2.VideoCapture | None = None

    def start(self) -> CameraInfo:
        """Open the webcam; raise CameraNotFoundError or CameraBusyError."""
        if not Path(self._path).exists():
            raise CameraNotFoundError(says("no-webcam"))
        # Without the flag OpenCV asks every driver that it knows, and they complain in the log.
        capture = cv2.VideoCapture(self._path, cv2.CAP_V4L2)
        if not capture.isOpened():
            capture.release()
            raise CameraBusyError(says("webcam-busy"))
        self._capture = capture
        # The format comes first: uncompressed, most webcams give five large frames a second.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        height, width = self._newest(capture).shape[:2]
        path = Path(self._path)
        return CameraInfo(path.name, width, height, device=str(path.resolve()))

    def preview(self, timeout: float) -> Frame:
        """Return the newest frame, small. OpenCV itself sets the time: ten seconds at most."""
        return Frame(shrunk(self._newest(self._running())), self._path)

    def still(self, timeout: float) -> Frame:
        """Return a frame whose exposure began after the call."""
        capture = self._running()
        self._drain(capture)  # the last of these may have been exposed already
        return Frame(self._newest(capture), self._path)

    def adjust(self) -> None:
        """Webcams focus and expose by themselves, all the time."""

    def close(self) -> None:
        """Let the webcam go."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _running(self) -> cv2.VideoCapture:
        if self._capture is None:
            raise CameraUnavailableError(says("webcam-not-open"))
        return self._capture

    def _newest(self, capture: cv2.VideoCapture) -> RGB:
        self._drain(capture)
        taken, bgr = capture.retrieve()
        if not taken:
            raise _GONE
        return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), np.uint8)

    def _drain(self, capture: cv2.VideoCapture) -> None:
        """Pass over the frames that wait in the driver, up to one that has just come."""
        for _ in range(BUFFERS + 1):
            began = time.perf_counter()
            if not capture.grab():
                raise _GONE
            if time.perf_counter() - began > WAITED:
                return


_GONE = CameraUnavailableError(says("webcam-stopped"))
