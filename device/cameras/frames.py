"""Convert, resize, rotate and encode pixels of cameras."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from device.cameras.protocol import PREVIEW_SIDE_PX, CameraUnavailableError, camera_message
from vision.preprocess import RGB

Pixels = npt.NDArray[np.uint8]

PREVIEW_JPEG_QUALITY = 75
"""For previews: 640 x 480 pixels of tiles take about 40 KB, a quarter megabyte a second."""

STILL_JPEG_QUALITY = 95
"""For stored photographs: nothing that a network could see is lost."""


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
