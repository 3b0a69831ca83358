"""Photographs that the page has open: one at a time, so that many at once take no more memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from scorer.message import message
from vision.errors import PhotoError

MOST = 6
"""Photographs on their way in, the one that is open among them: more than a table of four sends at
once. The server has a thread for each, besides those of pages and scores."""

PATIENCE = 30.0
"""Seconds until somebody who waits is told so; a Pi needs a few for four players' photographs."""


class Gate:
    """One has its turn, a few wait for theirs, and all others are told that it is busy."""

    def __init__(self, most: int = MOST, patience: float = PATIENCE) -> None:
        self._in_line = threading.BoundedSemaphore(most)
        self._turn = threading.Lock()
        self._patience = patience

    @contextmanager
    def in_line(self) -> Iterator[None]:
        """Stand in the line for as long as the block lasts; raise PhotoError when it is full."""
        if not self._in_line.acquire(blocking=False):
            raise _busy()
        try:
            yield
        finally:
            self._in_line.release()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the turn, and have it in the block; raise PhotoError when it does not come."""
        if not self._turn.acquire(timeout=self._patience):
            raise _busy()
        try:
            yield
        finally:
            self._turn.release()


def _busy() -> PhotoError:
    return PhotoError("busy", message("photo.busy"))


GATE = Gate()
"""The page's. The worker, which reads one photograph at a time, needs none."""
