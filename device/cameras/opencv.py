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
"""Requested size: fourteen tiles then have 100 pixels each. A smaller webcam gives its largest."""

BUFFERS = 4
"""Frames that the driver buffers at most (OpenCV's own number); buffered frames are old."""

WAITED = 0.005
"""A frame that took longer than this was not buffered but is new."""


class OpenCVCamera:
    """A webcam by number (`0` is /dev/video0) or path."""

    def __init__(self, device: str) -> None:
        self._path = f"/dev/video{device}" if device.isdecimal() else device
        self._capture: cv2.VideoCapture | None = None

    def start(self) -> CameraInfo:
        """Open the webcam; raise CameraNotFoundError or CameraBusyError."""
        if not Path(self._path).exists():
            raise CameraNotFoundError(says("no-webcam"))
        # Without the flag OpenCV asks every driver, and they write complaints to the log.
        capture = cv2.VideoCapture(self._path, cv2.CAP_V4L2)
        if not capture.isOpened():
            capture.release()
            raise CameraBusyError(says("webcam-busy"))
        self._capture = capture
        # The format comes first: without compression most webcams give five large frames a second.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        height, width = self._newest_frame(capture).shape[:2]
        path = Path(self._path)
        return CameraInfo(path.name, width, height, device=str(path.resolve()))

    def preview(self, timeout: float) -> Frame:
        """Return the newest frame, small. OpenCV's own timeout applies: at most ten seconds."""
        return Frame(shrunk(self._newest_frame(self._running())), self._path)

    def still(self, timeout: float) -> Frame:
        """Return a frame whose exposure began after the call."""
        capture = self._running()
        self._skip_buffered(capture)  # the last one may have been exposed before
        return Frame(self._newest_frame(capture), self._path)

    def adjust(self) -> None:
        """Do nothing: webcams focus and expose by themselves all the time."""

    def close(self) -> None:
        """Close the webcam."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _running(self) -> cv2.VideoCapture:
        if self._capture is None:
            raise CameraUnavailableError(says("webcam-not-open"))
        return self._capture

    def _newest_frame(self, capture: cv2.VideoCapture) -> RGB:
        self._skip_buffered(capture)
        taken, bgr = capture.retrieve()
        if not taken:
            raise _GONE
        return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), np.uint8)

    def _skip_buffered(self, capture: cv2.VideoCapture) -> None:
        """Skip buffered frames, up to one that has just arrived."""
        for _ in range(BUFFERS + 1):
            began = time.perf_counter()
            if not capture.grab():
                raise _GONE
            if time.perf_counter() - began > WAITED:
                return


_GONE = CameraUnavailableError(says("webcam-stopped"))
