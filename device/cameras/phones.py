"""Judge the live picture of phones."""

from __future__ import annotations

import threading
from collections import OrderedDict

from device.cameras.aiming import Aim, Hint
from device.cameras.counting import Count, TileCount
from device.cameras.frames import shrunk
from device.cameras.protocol import PREVIEW_SIDE
from device.decoding.decoder import DECODER, Decoder

REMEMBERED = 64
"""Phones whose last frame is remembered: sixteen full tables, at 12 KB each."""

LARGEST = 4 * PREVIEW_SIDE * PREVIEW_SIDE
"""Pixels of a frame; a larger picture is decoded at reduced size."""


class PhoneAims:
    """The hints for each phone's live picture; safe to share between threads.

    A phone sends a small frame from time to time. Only the motion grid is kept, in memory, to
    compare with the next frame.
    """

    def __init__(self, count: Count, decoder: Decoder = DECODER) -> None:
        self._count = count
        self._decoder = decoder
        self._aims: OrderedDict[str, tuple[Aim, TileCount]] = OrderedDict()
        self._remembering = threading.Lock()

    def judge(self, phone: str, frame: bytes) -> Hint:
        """Return a hint; raise PhotoError for an invalid picture. Call once at a time per phone."""
        rgb = shrunk(self._decoder.open(frame, "frame", LARGEST).rgb)
        aim, tiles = self._judge_of(phone)
        return aim.judge(rgb, tiles.look(rgb))

    def _judge_of(self, phone: str) -> tuple[Aim, TileCount]:
        with self._remembering:
            known = self._aims.pop(phone, None) or (Aim(), TileCount(self._count))
            self._aims[phone] = known
            if len(self._aims) > REMEMBERED:
                self._aims.popitem(last=False)
            return known
