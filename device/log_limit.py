"""Limit how often one place in the program writes to the system's log.

A database that is away is asked twice a second, all evening, and the log lies on the box's card.
"""

from __future__ import annotations

import copy
import logging
import time
from collections.abc import Callable
from typing import TextIO

LINES_PER_WINDOW, WINDOW_S = 5, 600.0
"""Lines that a place in the program may write, and the seconds within which it may."""


class LimitedHandler(logging.StreamHandler[TextIO]):
    """Writes records to a stream, a few of each place; the next one says how many were left out.

    Exceptions of different kinds are different places.
    """

    def __init__(
        self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(stream)
        self._clock = clock
        self._windows: dict[tuple[object, ...], tuple[float, int]] = {}
        """When each place's window began, and how many records it has had since."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, unless its place has written enough."""
        current_time = self._clock()
        place = (record.pathname, record.lineno, record.exc_info and record.exc_info[0])
        start_time, count = self._windows.get(place, (current_time, 0))
        dropped_count = 0
        if current_time - start_time >= WINDOW_S:
            dropped_count = max(0, count - LINES_PER_WINDOW)
            start_time, count = current_time, 0
        self._windows[place] = start_time, count + 1
        if count >= LINES_PER_WINDOW:
            return
        if dropped_count:
            record = copy.copy(record)
            record.msg = f"{record.msg} ({dropped_count} more like it before)"
        super().emit(record)
