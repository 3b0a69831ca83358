"""Lend the camera to one phone at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LEASE = 30.0
"""Time after which the camera is free again in any case: several times what the slowest camera
takes, so that a hanging camera does not block others for long."""


class CameraTakenError(Exception):
    """Somebody else is taking a photo at the moment."""

    def __init__(self, who: str) -> None:
        super().__init__(who)
        self.who = who
        """The player's name; empty for an unknown phone."""


class Lease:
    """The camera, lent to one phone while it takes a photo."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changing = threading.Lock()
        self._who: str | None = None
        self._until = 0.0

    @property
    def holder(self) -> str | None:
        """Who is taking a photo; None if nobody is."""
        with self._changing:
            return self._who if self._clock() < self._until else None

    @contextmanager
    def held_by(self, who: str) -> Iterator[None]:
        """Lend the camera to a player; raise CameraTakenError while somebody else has it."""
        with self._changing:
            if self._who is not None and self._clock() < self._until:
                raise CameraTakenError(self._who)
            self._who, until = who, self._clock() + LEASE
            self._until = until
        try:
            yield
        finally:
            with self._changing:
                if self._until == until:  # else the lease has expired
                    self._who = None
