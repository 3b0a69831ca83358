"""When the shutter may be used: automatically, and by one phone at a time.

`AutoShutter` decides when the box photographs by itself. `CameraLease` lends the camera to one
phone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from device.cameras.aiming import MOVED, Cells, Hint, cells, moved
from vision.preprocess import RGB

STEADY = 1.5
"""Time for which a hand must be ready. It is longer than a player pauses between moving two tiles,
and longer than a count of tiles is valid (`device.cameras.service.CameraTiming`)."""

AWAY = 4.0
"""Longest gap between previews; after it, the table may have changed unseen."""

Moment = Literal["", "soon", "now", "taken"]
"""`taken`: this hand is ready and was photographed. Empty while no hand is ready."""


class Release:
    """Decides from previews when to photograph; is told of every photograph."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.moment: Moment = ""
        self._clock = clock
        self._seen = -float("inf")
        self._since: float | None = None
        """When the current hand became ready."""
        self._stirred = True
        self._last: Cells | None = None

    def see(self, rgb: RGB, hint: Hint, tiles: int | None) -> Moment:
        """Return whether a photograph is due; `tiles` is None if they were not counted.

        For another photograph something must have moved or the table been empty, and the picture
        must differ. A sleeve over a photographed hand does not make a new hand.
        """
        now = self._clock()
        if hint in ("hold-still", "no-hand"):
            self._stirred = True
        if hint != "ready" or tiles is None:
            self._since, self.moment = None, ""
        elif not self._stirred or self._is_last(rgb):
            self.moment = "taken"
        else:
            if self._since is None or now - self._seen > AWAY:
                self._since = now
            self.moment = "now" if now - self._since >= STEADY else "soon"
        self._seen = now
        return self.moment

    def taken(self, rgb: RGB) -> None:
        """Record that a photograph was taken, whoever asked for it."""
        self._last, self._stirred, self.moment = cells(rgb), False, ""

    def _is_last(self, rgb: RGB) -> bool:
        return self._last is not None and moved(self._last, cells(rgb)) <= MOVED
