"""The box's cameras: one protocol for all kinds, and the choice of `tongbox serve --camera`.

One thread owns each camera (`device.cameras.service`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from device.cameras.base import (
    Camera,
    CameraError,
    CameraInfo,
    CameraNotFoundError,
    Frame,
    camera_message,
)
from device.cameras.folder import FolderCamera
from device.cameras.picamera2 import Picamera2Camera, SavedControls, is_installed
from device.cameras.webcams import OpenCVCamera, Webcam
from device.decoding.decoder import Decoder

__all__ = [
    "CAMERA_CHOICES",
    "Camera",
    "CameraError",
    "CameraInfo",
    "CameraOpener",
    "Frame",
    "FreeWebcams",
    "OpenCamera",
    "is_any_webcam",
    "open_camera",
]

CAMERA_CHOICES = "auto, picamera2, usb, usb:N, usb:/dev/PATH, folder:DIR or none"

OpenCamera = Callable[[], Camera]
"""Returns the camera, not yet started, or raises CameraNotFoundError. It is called again and again,
because a camera may be plugged in later."""

FreeWebcams = Callable[[], Sequence[Webcam]]
"""Returns the plugged-in webcams that no table has."""

CameraOpener = Callable[[SavedControls, FreeWebcams], Camera]
"""Opens a camera, given the saved controls and the free webcams."""


def open_camera(choice: str, decoder: Decoder) -> CameraOpener | None:
    """Return how to open the chosen camera, None for `none`; raise ValueError.

    `decoder` opens the pictures of a folder.
    """
    kind, _, which = choice.partition(":")
    openers: dict[str, CameraOpener | None] = {
        "auto": _any_camera,
        "picamera2": lambda adjusted, _: Picamera2Camera(adjusted),
        "usb": lambda _, free: OpenCVCamera(which) if which else _first_webcam(free),
        "folder": lambda *_: FolderCamera(Path(which), decoder),
        "none": None,
    }
    takes_more = {"usb", "folder"}
    if kind not in openers or (which and kind not in takes_more) or choice in ("folder", "folder:"):
        raise ValueError(f"There is no camera {choice}. Please choose {CAMERA_CHOICES}.")
    return openers[kind]


def is_any_webcam(choice: str) -> bool:
    """Whether the choice may end in any webcam that is plugged in."""
    return choice in ("auto", "usb")


def _any_camera(adjusted: SavedControls, free: FreeWebcams) -> Camera:
    return Picamera2Camera(adjusted) if is_installed() else _first_webcam(free)


def _first_webcam(free: FreeWebcams) -> Camera:
    found = free()
    if not found:
        raise CameraNotFoundError(camera_message("none-found"))
    return OpenCVCamera(found[0].path)
