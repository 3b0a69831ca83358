"""A photograph: its pixels and its name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.opening import MAX_PIXELS, open_picture
from vision.preprocess import RGB, shrink_for_locator

AMPLE = 16_000_000
"""Pixels with which a hand is read as well as with more: a tile of fourteen in a row is then 250
wide, and the classifier is given 48. A picture just above that is halved to 2300 by 1700 or so:
twenty along a side of the whole table, which fill it, are then some 110 wide."""


@dataclass(frozen=True, eq=False)
class Photo:
    """A decoded photograph."""

    name: str
    rgb: RGB
    """Pixels, shape (height, width, 3), upright after EXIF rotation; never changed."""

    @property
    def width(self) -> int:
        """Width in pixels."""
        return int(self.rgb.shape[1])

    @property
    def height(self) -> int:
        """Height in pixels."""
        return int(self.rgb.shape[0])

    @property
    def turned_over(self) -> Photo:
        """The same as in a mirror."""
        return Photo(self.name, np.ascontiguousarray(self.rgb[:, ::-1]))

    @cached_property
    def shrunk(self) -> tuple[RGB, float]:
        """The picture in which tiles and the mat are looked for first, and its scale."""
        return shrink_for_locator(self.rgb)


def open_photo(data: bytes, name: str, most: int = MAX_PIXELS) -> Photo:
    """Decode the bytes of a picture's file here and now; raise PhotoError.

    What a phone sends is decoded in a process of its own instead: see `device.decoding`.
    """
    pixels = np.asarray(open_picture(data, most))
    pixels.setflags(write=False)
    return Photo(name, pixels)
