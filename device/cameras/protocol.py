"""The interface that every kind of camera implements, and its errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from scorer.message import Message, Value, english_catalogue, message
from vision.preprocess import RGB

PREVIEW_SIDE_PX = 640
"""Longer side of a preview: the locator's input size, and enough to aim by."""


class CameraError(Exception):
    """A camera that gives no picture; the message is a sentence for the player."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return english_catalogue("device.cameras").say(self.message)


def camera_message(key: str, **values: Value) -> Message:
    """Return a sentence of `words.toml`."""
    return message(f"camera-says.{key}", **values)


class CameraNotFoundError(CameraError):
    """There is no such camera."""


class CameraBusyError(CameraError):
    """Another program uses the camera."""


class CameraTimeoutError(CameraError):
    """The camera did not answer in time."""


class CameraUnavailableError(CameraError):
    """The camera is there but does not work, or its driver is not installed."""


@dataclass(frozen=True, slots=True)
class CameraInfo:
    """What is known about a running camera."""

    name: str
    width: int
    height: int
    """Size of a still in pixels."""
    can_adjust: bool = False
    """Whether `adjust` does anything."""
    is_stored: bool = False
    """Whether it shows stored photographs in place of a table."""
    device: str = ""
    """The kernel's name of a webcam; empty for other cameras."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture from a camera."""

    rgb: RGB
    source: str
    """Name of the camera or file."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """The camera's metadata with libcamera's names; any key may be missing."""


class Camera(Protocol):
    """A camera, used by one thread at a time; any method may raise a CameraError."""

    def start(self) -> CameraInfo:
        """Open the camera and keep it running."""

    def preview(self, timeout: float) -> Frame:
        """Return the newest picture, small; wait for it up to `timeout` seconds."""

    def take_still(self, timeout: float) -> Frame:
        """Return a picture in full size whose exposure began after the call."""

    def adjust(self) -> None:
        """Focus and expose for the current scene, and lock that; do nothing if impossible."""

    def close(self) -> None:
        """Close the camera; may be called at any time, and more than once."""
