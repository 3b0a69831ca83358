"""When the box photographs by itself: another hand than the last lies there and is ready."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from device.cameras.aiming import MOVED, Cells, Hint, cells, moved
from vision.preprocess import RGB

STEADY = 1.5
"""Seconds for which a hand must be ready: longer than a player who moves tiles holds still between
two of them, and than a count of the tiles stays true (`device.cameras.service.Pace`)."""

AWAY = 4.0
"""Seconds without a preview after which it is not known what happened on the table meanwhile."""

Moment = Literal["", "soon", "now", "taken"]
"""`taken`: this hand is ready, and has been photographed. Empty while none is ready."""


class Release:
    """Looks at one preview after another, and is told of every photograph."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.moment: Moment = ""
        self._clock = clock
        self._seen = -float("inf")
        self._since: float | None = None
        """When the hand that is ready became so."""
        self._stirred = True
        self._last: Cells | None = None

    def see(self, rgb: RGB, hint: Hint, tiles: int | None) -> Moment:
        """Return whether a photograph is due; `tiles` is None when nobody has counted them.

        For another photograph something must have moved, or the table been empty, and what lies
        there must look otherwise: a sleeve over the hand that was taken makes no new one.
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
        """Take note of a photograph, whoever asked for it."""
        self._last, self._stirred, self.moment = cells(rgb), False, ""

    def _is_last(self, rgb: RGB) -> bool:
        return self._last is not None and moved(self._last, cells(rgb)) <= MOVED
