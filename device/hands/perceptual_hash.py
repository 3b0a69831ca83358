"""Recognise the same picture after it was encoded again or resized."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from device.hands.record import HandPhoto
from vision.preprocess import RGB

_SMALL_SIDE_PX, _WAVES_PER_SIDE = 64, 16
"""Side of the small grey picture in pixels, and the number of its waves used in each direction."""

MAX_DIFFERING_BITS = 16
"""Bits of 255 that may differ. Measured on 120 photographs of real tables, encoded again at a
quality of 40 to 85 and 800 to 1600 pixels. None differed in more than 12 bits, and no two of them
in fewer than 44."""


def perceptual_hash(rgb: RGB) -> str:
    """Return a hash of a picture that survives encoding and resizing.

    It says which coarse waves are strong. It has 64 hexadecimal digits, whatever the picture's
    size.
    """
    grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, (_SMALL_SIDE_PX, _SMALL_SIDE_PX), interpolation=cv2.INTER_AREA).astype(
        np.float32
    )
    waves = cv2.dct(small)[:_WAVES_PER_SIDE, :_WAVES_PER_SIDE].ravel()[
        1:
    ]  # without the mean, which is brightness
    return np.packbits(waves > np.median(waves)).tobytes().hex()


def is_same_photo(one: HandPhoto, other: HandPhoto) -> bool:
    """Whether two photographs are the same file, or the same picture in different files."""
    if one.original == other.original:
        return True
    if not (one.likeness and other.likeness):
        return False  # an older version stored none
    return (int(one.likeness, 16) ^ int(other.likeness, 16)).bit_count() <= MAX_DIFFERING_BITS


def find_same_photo(photo: HandPhoto, known: Iterable[tuple[str, HandPhoto]]) -> str:
    """Return the id of the first hand with the same photograph; empty for a new photograph."""
    return next((hand for hand, other in known if is_same_photo(photo, other)), "")
