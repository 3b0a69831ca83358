"""Choose the camera: the values of `tongbox serve --camera`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from device.cameras.adjusted import Adjusted
from device.cameras.folder import FolderCamera
from device.cameras.opencv import OpenCVCamera
from device.cameras.picamera2 import Picamera2Camera, is_installed
from device.cameras.protocol import Camera, CameraNotFoundError, says
from device.cameras.webcams import Webcam

CHOICES = "auto, picamera2, usb, usb:N, usb:/dev/PATH, folder:DIR or none"

Open = Callable[[], Camera]
"""Returns the camera, not yet started, or raises CameraNotFoundError. It is called again and again,
because a camera may be plugged in later."""

Free = Callable[[], Sequence[Webcam]]
"""Returns the plugged-in webcams that no table has."""

OpenWith = Callable[[Adjusted, Free], Camera]
"""Opens a camera, given the saved controls and the free webcams."""


def open_camera(choice: str) -> OpenWith | None:
    """Return how to open the chosen camera, None for `none`; raise ValueError."""
    kind, _, which = choice.partition(":")
    openers: dict[str, OpenWith | None] = {
        "auto": _any,
        "picamera2": lambda adjusted, _: Picamera2Camera(adjusted),
        "usb": lambda _, free: OpenCVCamera(which) if which else _webcam(free),
        "folder": lambda *_: FolderCamera(Path(which)),
        "none": None,
    }
    takes_more = {"usb", "folder"}
    if kind not in openers or (which and kind not in takes_more) or choice in ("folder", "folder:"):
        raise ValueError(f"There is no camera {choice}. Please choose {CHOICES}.")
    return openers[kind]


def is_any_webcam(choice: str) -> bool:
    """Whether the choice may end in any webcam that is plugged in."""
    return choice in ("auto", "usb")


def _any(adjusted: Adjusted, free: Free) -> Camera:
    return Picamera2Camera(adjusted) if is_installed() else _webcam(free)


def _webcam(free: Free) -> Camera:
    found = free()
    if not found:
        raise CameraNotFoundError(says("none-found"))
    return OpenCVCamera(found[0].path)
