"""The box's cameras: one protocol for all kinds, and the choice of `tongbox serve --camera`.

One thread owns each camera (`device.cameras.service`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

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
    "CAMERA_KINDS",
    "Camera",
    "CameraError",
    "CameraInfo",
    "CameraKind",
    "CameraOpener",
    "CameraParts",
    "Frame",
    "FreeWebcams",
    "OpenCamera",
    "is_any_webcam",
    "open_camera",
]

OpenCamera = Callable[[], Camera]
"""Returns the camera, not yet started, or raises CameraNotFoundError. It is called again and again,
because a camera may be plugged in later."""

FreeWebcams = Callable[[], Sequence[Webcam]]
"""Returns the plugged-in webcams that no table has."""

CameraOpener = Callable[[SavedControls, FreeWebcams], Camera]
"""Opens a camera, given the saved controls and the free webcams."""


@dataclass(frozen=True, slots=True)
class CameraParts:
    """What a kind of camera may need of the box."""

    decoder: Decoder
    """Opens the pictures of a folder."""
    controls: SavedControls
    """What the Pi's camera found out about the light."""
    free_webcams: FreeWebcams


@dataclass(frozen=True, slots=True)
class CameraKind:
    """A kind of camera: how `--camera` names it, and how it is opened."""

    forms: str
    """The forms of the choice, for `--help`. What follows the colon is the camera's detail."""
    open: Callable[[str, CameraParts], Camera]
    """Returns the camera, not yet started, by its detail."""
    detail: Literal["none", "optional", "required"] = "none"


def _any_camera(_: str, parts: CameraParts) -> Camera:
    return Picamera2Camera(parts.controls) if is_installed() else _webcam("", parts)


def _webcam(path: str, parts: CameraParts) -> Camera:
    """Return the webcam at a path or number; without one, the first that is free."""
    if path:
        return OpenCVCamera(path)
    webcams = parts.free_webcams()
    if not webcams:
        raise CameraNotFoundError(camera_message("none-found"))
    return OpenCVCamera(webcams[0].path)


CAMERA_KINDS: Mapping[str, CameraKind] = {
    "auto": CameraKind("auto", _any_camera),
    "picamera2": CameraKind("picamera2", lambda _, parts: Picamera2Camera(parts.controls)),
    "usb": CameraKind("usb, usb:N, usb:/dev/PATH", _webcam, "optional"),
    "folder": CameraKind(
        "folder:DIR", lambda path, parts: FolderCamera(Path(path), parts.decoder), "required"
    ),
}
"""Every kind of camera by its name. A new one needs no other line than its own here."""

CAMERA_CHOICES = f"{', '.join(kind.forms for kind in CAMERA_KINDS.values())} or none"


def open_camera(choice: str, decoder: Decoder) -> CameraOpener | None:
    """Return how to open the chosen camera, None for `none`; raise ValueError."""
    if choice == "none":
        return None
    name, _, detail = choice.partition(":")
    kind = CAMERA_KINDS.get(name)
    if kind is None or kind.detail == ("none" if detail else "required"):
        raise ValueError(f"There is no camera {choice}. Please choose {CAMERA_CHOICES}.")
    return lambda controls, free: kind.open(detail, CameraParts(decoder, controls, free))


def is_any_webcam(choice: str) -> bool:
    """Whether the choice may end in any webcam that is plugged in."""
    return choice in ("auto", "usb")
