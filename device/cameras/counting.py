"""How many tiles a live picture shows: counted now and then, while nothing else is to be read."""

from __future__ import annotations

import time
from collections.abc import Callable

from vision.preprocess import RGB

Count = Callable[[RGB, Callable[[int], None]], None]
"""Tells how many tiles it sees, later, or not at all; never waits."""

EVERY = 1.0
"""Seconds between two counts, which keep the reader busy for a moment."""

_STALE = 3
"""A count is forgotten after so many times that."""


class TileCount:
    """The newest count of one live picture."""

    def __init__(self, count: Count | None, every: float = EVERY) -> None:
        self._count = count
        self._every = every
        self._asked = -float("inf")
        self._seen: tuple[float, int] | None = None
        """When the newest count came, and how many it was."""

    def look(self, rgb: RGB) -> int | None:
        """Have a picture counted if it is time; return the newest count.

        None when the reader has long been busy with other things.
        """
        now = time.monotonic()
        if self._count and now - self._asked > self._every:
            self._asked = now
            self._count(rgb, self._saw)
        if self._seen is None or now - self._seen[0] > _STALE * self._every:
            return None
        return self._seen[1]

    def _saw(self, tiles: int) -> None:
        self._seen = time.monotonic(), tiles
