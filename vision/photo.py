"""A decoded photograph."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.picture_file import MAX_PIXELS, open_picture
from vision.preprocess import RGB, shrink_for_locator

MAX_READING_PIXELS = 16_000_000
"""More pixels do not improve a reading. At this size each of fourteen tiles in a row is 250 pixels
wide, and the classifier uses 48. A slightly larger picture is halved to about 2300 by 1700. Twenty
tiles along one side of a photographed table are then about 110 pixels wide."""


@dataclass(frozen=True, eq=False)
class Photo:
    """A decoded photograph."""

    name: str
    rgb: RGB
    """Shape (height, width, 3), upright after EXIF rotation; read-only."""

    @property
    def width(self) -> int:
        """Width in pixels."""
        return int(self.rgb.shape[1])

    @property
    def height(self) -> int:
        """Height in pixels."""
        return int(self.rgb.shape[0])

    @property
    def mirrored_copy(self) -> Photo:
        """Return the mirror image."""
        return Photo(self.name, np.ascontiguousarray(self.rgb[:, ::-1]))

    @cached_property
    def locator_input(self) -> tuple[RGB, float]:
        """The picture in which the locator and the mat detector look first, and its scale."""
        return shrink_for_locator(self.rgb)


def open_photo(data: bytes, name: str, max_pixels: int = MAX_PIXELS) -> Photo:
    """Decode a picture file in this process; raise PhotoError.

    Uploads from phones are decoded in a separate process instead: see `device.decoding`.
    """
    pixels = np.asarray(open_picture(data, max_pixels))
    pixels.setflags(write=False)
    return Photo(name, pixels)
