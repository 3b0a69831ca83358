"""Count the tiles of a live picture from time to time."""

from __future__ import annotations

import time
from collections.abc import Callable

from vision.preprocess import RGB

Count = Callable[[RGB, Callable[[int], None]], None]
"""Starts counting, and reports the number later or never; does not wait."""

EVERY = 1.0
"""Time between two counts, each of which keeps the reader busy for a moment."""

_STALE = 3
"""A count is forgotten after this many intervals."""


class TileCount:
    """The newest count of one live picture."""

    def __init__(self, count: Count | None, every: float = EVERY) -> None:
        self._count = count
        self._every = every
        self._asked = -float("inf")
        self._seen: tuple[float, int] | None = None
        """Time of the newest count, and the number of tiles."""

    def look(self, rgb: RGB) -> int | None:
        """Start a count if it is due; return the newest count.

        None while the reader has been busy with other things for long.
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
