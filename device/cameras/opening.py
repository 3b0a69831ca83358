"""Which camera: what stands behind `tongbox serve --camera`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from device.cameras.adjusted import Adjusted
from device.cameras.folder import FolderCamera
from device.cameras.opencv import OpenCVCamera, webcams
from device.cameras.picamera2 import Picamera2Camera, is_installed
from device.cameras.protocol import Camera, CameraNotFoundError, says

CHOICES = "auto, picamera2, usb, usb:N, usb:/dev/PATH, folder:DIR or none"

Open = Callable[[], Camera]
"""Returns the camera to use, not yet started, or raises CameraNotFoundError; asked again and again,
for a camera may be plugged in later."""

OpenWith = Callable[[Adjusted], Camera]
"""The same, given what cameras were set to before, where what is found anew is kept."""


def open_camera(choice: str) -> OpenWith | None:
    """Return how to open the camera of this choice, None for `none`; raise ValueError."""
    kind, _, which = choice.partition(":")
    openers: dict[str, OpenWith | None] = {
        "auto": _any,
        "picamera2": Picamera2Camera,
        "usb": lambda _: OpenCVCamera(which) if which else _webcam(),
        "folder": lambda _: FolderCamera(Path(which)),
        "none": None,
    }
    takes_more = {"usb", "folder"}
    if kind not in openers or (which and kind not in takes_more) or choice in ("folder", "folder:"):
        raise ValueError(f"There is no camera {choice}. Please choose {CHOICES}.")
    return openers[kind]


def _any(adjusted: Adjusted) -> Camera:
    return Picamera2Camera(adjusted) if is_installed() else _webcam()


def _webcam() -> Camera:
    found = webcams()
    if not found:
        raise CameraNotFoundError(says("none-found"))
    return OpenCVCamera(found[0])
