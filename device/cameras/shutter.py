"""When the shutter may be used: automatically, and by one phone at a time.

`AutoShutter` decides when the box photographs by itself. `CameraLease` lends the camera to one
phone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from device.cameras.aiming import MAX_MOVED_SHARE, Cells, Hint, moved_share, to_cells
from vision.preprocess import RGB

STEADY_TIME_S = 1.5
"""Time for which a hand must be ready. It is longer than a player pauses between moving two tiles,
and longer than a count of tiles is valid (`device.cameras.service.CameraTiming`)."""

MAX_PREVIEW_GAP_S = 4.0
"""Longest gap between previews; after it, the table may have changed unseen."""

SnapMoment = Literal["", "soon", "now", "taken"]
"""`taken`: this hand is ready and was photographed. Empty while no hand is ready."""


class AutoShutter:
    """Decides from previews and earlier photographs when to take the next one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.moment: SnapMoment = ""
        self._clock = clock
        self._snap_time = -float("inf")
        self._ready_since: float | None = None
        """When the current hand became ready."""
        self._has_moved = True
        self._last: Cells | None = None

    def see(self, rgb: RGB, hint: Hint, tiles: int | None) -> SnapMoment:
        """Return whether a photograph is due; `tiles` is None if they were not counted.

        For another photograph something must have moved or the table been empty, and the picture
        must differ. A sleeve over a photographed hand does not make a new hand.
        """
        current_time = self._clock()
        if hint in ("hold-still", "no-hand"):
            self._has_moved = True
        if hint != "ready" or tiles is None:
            self._ready_since, self.moment = None, ""
        elif not self._has_moved or self._is_last(rgb):
            self.moment = "taken"
        else:
            if self._ready_since is None or current_time - self._snap_time > MAX_PREVIEW_GAP_S:
                self._ready_since = current_time
            self.moment = "now" if current_time - self._ready_since >= STEADY_TIME_S else "soon"
        self._snap_time = current_time
        return self.moment

    def record_photo(self, rgb: RGB) -> None:
        """Record that a photograph was taken, whoever asked for it."""
        self._last, self._has_moved, self.moment = to_cells(rgb), False, ""

    def _is_last(self, rgb: RGB) -> bool:
        return self._last is not None and moved_share(self._last, to_cells(rgb)) <= MAX_MOVED_SHARE


LEASE_TIMEOUT_S = 30.0
"""Time after which the camera is free again in any case: several times what the slowest camera
takes, so that a hanging camera does not block others for long."""


class CameraTakenError(Exception):
    """Somebody else is taking a photo at the moment."""

    def __init__(self, player: str) -> None:
        super().__init__(player)
        self.player = player
        """The player's name; empty for an unknown phone."""


class CameraLease:
    """The camera, lent to one phone while it takes a photo."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changing = threading.Lock()
        self._player: str | None = None
        self._deadline = 0.0

    @property
    def holder(self) -> str | None:
        """Who is taking a photo; None if nobody is."""
        with self._changing:
            return self._player if self._clock() < self._deadline else None

    @contextmanager
    def held_by(self, player: str) -> Iterator[None]:
        """Lend the camera to a player; raise CameraTakenError while somebody else has it."""
        with self._changing:
            if self._player is not None and self._clock() < self._deadline:
                raise CameraTakenError(self._player)
            self._player, deadline = player, self._clock() + LEASE_TIMEOUT_S
            self._deadline = deadline
        try:
            yield
        finally:
            with self._changing:
                if self._deadline == deadline:  # else the lease has expired
                    self._player = None
