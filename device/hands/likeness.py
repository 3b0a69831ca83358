"""Whether two pictures are the same one, however each was encoded or shrunk since."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from device.hands.tiles import HandPhoto
from vision.preprocess import RGB

_SIDE, _KEPT = 64, 16
"""Pixels of the small grey picture, and how many of its waves each way are looked at."""

MOST_APART = 16
"""Waves of 255 that may differ. Of 120 photographs of real tables, re-encoded at a quality of 40 to
85 and 800 to 1600 pixels, none differed in more than 12, and no two of them in fewer than 44."""


def likeness(rgb: RGB) -> str:
    """Return what stays of a picture when it is encoded anew: which of its coarse waves are strong.

    The same for pictures of all sizes: 64 hexadecimal digits.
    """
    grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
    waves = cv2.dct(small)[:_KEPT, :_KEPT].ravel()[1:]  # without the mean, which is how light it is
    return np.packbits(waves > np.median(waves)).tobytes().hex()


def is_same(one: HandPhoto, other: HandPhoto) -> bool:
    """Whether two photographs are one: the same file, or the same picture in another."""
    if one.original == other.original:
        return True
    if not (one.likeness and other.likeness):
        return False  # an older version wrote down no likeness
    return (int(one.likeness, 16) ^ int(other.likeness, 16)).bit_count() <= MOST_APART


def met_before(photo: HandPhoto, known: Iterable[tuple[str, HandPhoto]]) -> str:
    """Return the id of the first hand whose photograph this is already; empty for a new one."""
    return next((hand for hand, other in known if is_same(photo, other)), "")
