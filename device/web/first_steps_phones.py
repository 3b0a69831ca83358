"""The phones that walk through the first steps of a new box."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

STEP_TIMEOUT_S = 10 * 60.0
"""Seconds without a request after which a phone counts as gone."""


class FirstStepsPhones:
    """The phones in the first steps, by their address. Safe to share between threads."""

    def __init__(
        self, *, greets: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.greets = greets
        """Whether the first phone is guided through the first steps. The demo does not do so."""
        self._clock = clock
        self._steps_by_phone: dict[str, tuple[float, str]] = {}
        self._lock = threading.Lock()

    def note_page(self, phone: str, page: str) -> None:
        """Note the page on which a phone is."""
        with self._lock:
            self._steps_by_phone[phone] = (self._clock(), page)

    def end(self) -> None:
        """Note that the first steps are over; other phones are no longer told."""
        with self._lock:
            self._steps_by_phone.clear()

    def last_page(self, phone: str) -> str:
        """Return the page on which a phone was; empty if it was on none."""
        return self._active_pages().get(phone, "")

    def is_other_phone_active(self, phone: str) -> bool:
        """Whether another phone is in the first steps and this one is not."""
        active_pages = self._active_pages()
        return bool(active_pages) and phone not in active_pages

    def _active_pages(self) -> dict[str, str]:
        cutoff = self._clock() - STEP_TIMEOUT_S
        with self._lock:
            return {
                phone: where for phone, (at, where) in self._steps_by_phone.items() if at > cutoff
            }
