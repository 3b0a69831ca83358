"""Who is taking a photo with the box's camera: one at a time, and the others are told who."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LEASE = 30.0
"""Seconds after which the camera is free again whatever became of the photo: several times what
the slowest camera takes, so that a hand that hangs keeps nobody waiting for long."""


class CameraTakenError(Exception):
    """Somebody else is taking a photo at this moment."""

    def __init__(self, who: str) -> None:
        super().__init__(who)
        self.who = who
        """The player's name; empty for a phone that has not said whose it is."""


class Lease:
    """The camera, held_by to one phone for as long as a photo takes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changing = threading.Lock()
        self._who: str | None = None
        self._until = 0.0

    @property
    def holder(self) -> str | None:
        """Who is taking a photo; None when nobody is."""
        with self._changing:
            return self._who if self._clock() < self._until else None

    @contextmanager
    def held_by(self, who: str) -> Iterator[None]:
        """Lend the camera to a player; raise CameraBusyError while somebody has it."""
        with self._changing:
            if self._who is not None and self._clock() < self._until:
                raise CameraTakenError(self._who)
            self._who, until = who, self._clock() + LEASE
            self._until = until
        try:
            yield
        finally:
            with self._changing:
                if self._until == until:  # else it has lapsed, and is somebody else's by now
                    self._who = None
