"""What all kinds of camera have in common: the interface, its errors, and how pixels are handled.

Pixels are converted to red, green, blue, and resized, rotated and encoded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from scorer.message import Message, Value, english_catalogue, message
from vision.preprocess import RGB

PREVIEW_SIDE_PX = 640
"""Longer side of a preview: the locator's input size, and enough to aim by."""

PREVIEW_JPEG_QUALITY = 75
"""For previews: 640 x 480 pixels of tiles take about 40 KB, a quarter megabyte a second."""

STILL_JPEG_QUALITY = 95
"""For stored photographs: nothing that a network could see is lost."""

Pixels = npt.NDArray[np.uint8]


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


def _converter(code: int) -> Callable[[Pixels], Pixels]:
    return lambda pixels: np.asarray(cv2.cvtColor(pixels, code), np.uint8)


TO_RGB: dict[str, Callable[[Pixels], Pixels]] = {
    # libcamera names a pixel from its highest byte down, so "RGB888" lies as B, G, R in memory.
    # OpenCV reverses the colours forty times faster than numpy.
    "RGB888": _converter(cv2.COLOR_BGR2RGB),
    "BGR888": lambda pixels: pixels,
    "XRGB8888": _converter(cv2.COLOR_BGRA2RGB),
    "XBGR8888": _converter(cv2.COLOR_RGBA2RGB),
    "YUV420": _converter(cv2.COLOR_YUV2RGB_I420),
    "NV12": _converter(cv2.COLOR_YUV2RGB_NV12),
    "YUYV": _converter(cv2.COLOR_YUV2RGB_YUYV),
}
"""Converters to red, green, blue by libcamera's format name."""


def to_rgb(pixels: Pixels, layout: str, size: tuple[int, int]) -> RGB:
    """Return a picture of size (width, height) from a buffer in one of libcamera's formats.

    Rows may be longer than the picture is wide, because hardware pads them.
    """
    if layout not in TO_RGB:
        raise CameraUnavailableError(camera_message("unknown-format", layout=layout))
    width, height = size
    return np.ascontiguousarray(TO_RGB[layout](pixels)[:height, :width])


def shrink(rgb: RGB, side: int = PREVIEW_SIDE_PX) -> RGB:
    """Return the picture with its longer side at most `side`."""
    scale = side / max(rgb.shape[:2])
    if scale >= 1:
        return rgb
    return np.asarray(cv2.resize(rgb, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))


def rotate_half_turn(rgb: RGB) -> RGB:
    """Return the picture rotated by 180 degrees; 2 ms for three megapixels."""
    return np.asarray(cv2.rotate(rgb, cv2.ROTATE_180), np.uint8)


def encode_jpeg(rgb: RGB, quality: int) -> bytes:
    """Return the picture as a JPEG."""
    _, data = cv2.imencode(
        ".jpg", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), (cv2.IMWRITE_JPEG_QUALITY, quality)
    )
    return data.tobytes()
