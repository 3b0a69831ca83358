"""Photographs that the page has open: one at a time, so that many at once take no more memory."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from scorer.message import message
from vision.errors import PhotoError

MOST = 24
"""Photographs on their way in, the one that is open among them: six tables of four that end a deal
at once. Of one that waits nothing is in memory but the server's thread: its file lies on the disk
until its turn comes, and how much may lie there `device.server.limits` says."""

PATIENCE = 30.0
"""Seconds until somebody who waits is told so. Opening a phone's photograph of 12 megapixels takes
a desktop machine 0.1 s, a HEIC 0.5 s (tests/README.md), and a Pi 4 some four times that."""


class Gate:
    """One has its turn, others wait, first come, first served; one too many is told so."""

    def __init__(self, most: int = MOST, patience: float = PATIENCE) -> None:
        self.standing = 0
        """How many stand in the line, who has the turn among them."""
        self._most, self._patience = most, patience
        self._changed = threading.Condition()
        self._turns = deque[object]()
        """Whose turn it is, and after it who waits for one."""

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return max(0, len(self._turns) - 1)

    @contextmanager
    def in_line(self) -> Iterator[None]:
        """Stand in the line for as long as the block lasts; raise PhotoError when it is full."""
        with self._changed:
            if self.standing >= self._most:
                raise _busy()
            self.standing += 1
        try:
            yield
        finally:
            with self._changed:
                self.standing -= 1

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the turn, and have it in the block; raise PhotoError when it does not come."""
        own = object()
        try:
            with self._changed:
                self._turns.append(own)
                if not self._changed.wait_for(lambda: self._turns[0] is own, self._patience):
                    raise _busy()
            yield
        finally:
            with self._changed:
                self._turns.remove(own)
                self._changed.notify_all()


def _busy() -> PhotoError:
    return PhotoError("busy", message("photo.busy"))


GATE = Gate()
"""The page's. The worker, which reads one photograph at a time, needs none."""
