"""What to do before the shutter of a phone's own camera: judged like the box's live picture.

A phone sends a small frame now and then. Nothing of it is kept but, in memory, the few cells by
which the next is compared with it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from device.cameras.aiming import Aim, Hint
from device.cameras.counting import Count, TileCount
from device.cameras.frames import shrunk
from device.cameras.protocol import PREVIEW_SIDE
from device.decoding.decoder import DECODER, Decoder

REMEMBERED = 64
"""Phones whose last frame is remembered, 12 KB each: sixteen full tables."""

LARGEST = 4 * PREVIEW_SIDE * PREVIEW_SIDE
"""Pixels of a frame; of a larger picture no more is decoded."""


class PhoneAims:
    """What each phone that aims is told; safe to share between threads."""

    def __init__(self, count: Count, decoder: Decoder = DECODER) -> None:
        self._count = count
        self._decoder = decoder
        self._aims: OrderedDict[str, tuple[Aim, TileCount]] = OrderedDict()
        self._remembering = threading.Lock()

    def judge(self, phone: str, frame: bytes) -> Hint:
        """Return what to do; raise PhotoError for no picture. One frame of a phone at a time."""
        rgb = shrunk(self._decoder.open(frame, "frame", LARGEST).rgb)
        aim, tiles = self._of(phone)
        return aim.judge(rgb, tiles.look(rgb))

    def _of(self, phone: str) -> tuple[Aim, TileCount]:
        with self._remembering:
            known = self._aims.pop(phone, None) or (Aim(), TileCount(self._count))
            self._aims[phone] = known
            if len(self._aims) > REMEMBERED:
                self._aims.popitem(last=False)
            return known
