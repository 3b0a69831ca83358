"""Webcams: the plugged-in ones by stable names, and their pictures through OpenCV.

/dev/video0 is whichever device came first, and on a Pi a codec. udev has two names for a webcam: by
its make, wherever it is plugged in, and by its socket. Two webcams of one make without serial
numbers share the first name, so they are told apart by their sockets.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from device.cameras.base import (
    CameraBusyError,
    CameraInfo,
    CameraNotFoundError,
    CameraUnavailableError,
    Frame,
    camera_message,
    shrink,
)
from vision.preprocess import RGB

FILESYSTEM_ROOT = Path("/")

_BUS_AND_MAKER = re.compile(r"^usb-([0-9a-f]{4}_)?")
"""Beginning of udev's names by id; the maker is a number if the webcam has no name for it."""


@dataclass(frozen=True, slots=True)
class Webcam:
    """A plugged-in webcam."""

    names: tuple[str, ...]
    """Names that lead only to this webcam; it is chosen by the first."""
    title: str
    """Name for people."""
    path: str
    """The path to open it."""
    device: str
    """The kernel's device behind the path."""

    @property
    def name(self) -> str:
        """The name by which it is chosen."""
        return self.names[0]


def list_webcams(root: Path = FILESYSTEM_ROOT) -> list[Webcam]:
    """Return the plugged-in webcams by title, each by the node that has its pictures."""
    by_id = _links(root / "dev/v4l/by-id", "usb-*-video-index0")
    by_path = _links(root / "dev/v4l/by-path", "*-usb-*-video-index0")
    makes = {device: _make(root, device, by_id) for device in by_id | by_path}
    # A shared link leads to one of several, so the others of that make have none.
    ambiguous_names = {makes[device] for device in by_path if device not in by_id}
    name_counts = Counter(makes.values())
    webcams = []
    for device, make in makes.items():
        links = [by_id] if device in by_id and make not in ambiguous_names else []
        paths = [webcam[device] for webcam in (*links, by_path) if device in webcam]
        socket = re.search(r"-usb-0:([\d.]+):", by_path[device].name) if device in by_path else None
        title = f"{make} (USB {socket[1]})" if name_counts[make] > 1 and socket else make
        names = tuple(path.name for path in paths)
        webcams.append(Webcam(names, title, str(paths[0]), str(device)))
    return sorted(webcams, key=lambda webcam: (webcam.title, webcam.name))


def _links(folder: Path, pattern: str) -> dict[Path, Path]:
    """Return udev's links by their targets; of two links to the same target, the first."""
    links = sorted((each for each in folder.glob(pattern) if each.exists()), reverse=True)
    udev_links: dict[Path, Path] = {}
    for link in links:
        with suppress(OSError):  # it was pulled out at this very moment
            udev_links[link.resolve()] = link
    return udev_links


def _make(root: Path, device: Path, by_id: dict[Path, Path]) -> str:
    """Return a webcam's own name, or else its maker's numbers."""
    try:
        name = (root / "sys/class/video4linux" / device.name / "name").read_text("utf-8", "replace")
    except OSError:
        name = _BUS_AND_MAKER.sub("", by_id[device].name) if device in by_id else device.name
    # Linux adds ": " and the interface's purpose; numbers look like "UVC Camera (046d:0825)".
    make = name.removesuffix("-video-index0").partition(": ")[0].replace("_", " ")
    return " ".join(make.split()) or device.name


REQUESTED_SIZE_PX = (1920, 1080)
"""Requested size: fourteen tiles then have 100 pixels each. A smaller webcam gives its largest."""

MAX_BUFFERED_FRAMES = 4
"""Frames that the driver buffers at most (OpenCV's own number); buffered frames are old."""

MIN_FRESH_WAIT_S = 0.005
"""A frame that took longer than this was not buffered but is new."""


class OpenCVCamera:
    """A webcam by number (`0` is /dev/video0) or path."""

    def __init__(self, device: str) -> None:
        self._path = f"/dev/video{device}" if device.isdecimal() else device
        self._capture: cv2.VideoCapture | None = None

    def start(self) -> CameraInfo:
        """Open the webcam; raise CameraNotFoundError or CameraBusyError."""
        if not Path(self._path).exists():
            raise CameraNotFoundError(camera_message("no-webcam"))
        # Without the flag OpenCV asks every driver, and they write complaints to the log.
        capture = cv2.VideoCapture(self._path, cv2.CAP_V4L2)
        if not capture.isOpened():
            capture.release()
            raise CameraBusyError(camera_message("webcam-busy"))
        self._capture = capture
        # The format comes first: without compression most webcams give five large frames a second.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, REQUESTED_SIZE_PX[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, REQUESTED_SIZE_PX[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        height, width = self._newest_frame(capture).shape[:2]
        path = Path(self._path)
        return CameraInfo(path.name, width, height, device=str(path.resolve()))

    def preview(self, timeout: float) -> Frame:
        """Return the newest frame, small. OpenCV's own timeout applies: at most ten seconds."""
        return Frame(shrink(self._newest_frame(self._open_capture())), self._path)

    def take_still(self, timeout: float) -> Frame:
        """Return a frame whose exposure began after the call."""
        capture = self._open_capture()
        self._skip_buffered(capture)  # the last one may have been exposed before
        return Frame(self._newest_frame(capture), self._path)

    def adjust(self) -> None:
        """Do nothing: webcams focus and expose by themselves all the time."""

    def close(self) -> None:
        """Close the webcam."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _open_capture(self) -> cv2.VideoCapture:
        if self._capture is None:
            raise CameraUnavailableError(camera_message("webcam-not-open"))
        return self._capture

    def _newest_frame(self, capture: cv2.VideoCapture) -> RGB:
        self._skip_buffered(capture)
        is_ok, bgr = capture.retrieve()
        if not is_ok:
            raise CameraUnavailableError(camera_message("webcam-stopped"))
        return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), np.uint8)

    def _skip_buffered(self, capture: cv2.VideoCapture) -> None:
        """Skip buffered frames, up to one that has just arrived."""
        for _ in range(MAX_BUFFERED_FRAMES + 1):
            start = time.perf_counter()
            if not capture.grab():
                raise CameraUnavailableError(camera_message("webcam-stopped"))
            if time.perf_counter() - start > MIN_FRESH_WAIT_S:
                return
