"""Let the page open one photograph at a time, so that many at once take no more memory."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from scorer.message import message
from vision.errors import PhotoError

MOST = 24
"""Photographs in the line, with the open one: six tables of four that end a deal at once. A waiting
photograph takes a server thread, and disk space within `device.server.limits`, but no memory."""

PATIENCE = 30.0
"""How long a photograph may wait for its turn. Opening one of 12 megapixels takes a desktop machine
0.1 s, a HEIC 0.5 s (tests/README.md), and a Pi 4 some four times that."""


class Gate:
    """A first-come, first-served line with a limited length; one has its turn at a time."""

    def __init__(self, most: int = MOST, patience: float = PATIENCE) -> None:
        self.standing = 0
        """Length of the line, the one whose turn it is included."""
        self._most, self._patience = most, patience
        self._changed = threading.Condition()
        self._turns = deque[object]()
        """The one whose turn it is, followed by those who wait."""

    @property
    def waiting(self) -> int:
        """Number of those who wait for their turn."""
        return max(0, len(self._turns) - 1)

    @contextmanager
    def in_line(self) -> Iterator[None]:
        """Stand in the line during the block; raise PhotoError if it is full."""
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
        """Wait for the turn and keep it during the block; raise PhotoError after a timeout."""
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
"""The gate of the page. The worker reads one photograph at a time and needs none."""
