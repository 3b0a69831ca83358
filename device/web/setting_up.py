"""Which phone is being walked through a new box: what the phones do, while the box is on.

It is not written down, and locks nothing: a phone that comes meanwhile is told, and two that are
walked through at once each keep what they say.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

PATIENCE = 10 * 60.0
"""Seconds after which a phone that asked for nothing more has given up."""


class SettingUp:
    """The phones that are on their first steps, by their address; safe to share between threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._at: dict[str, tuple[float, str]] = {}
        self._lock = threading.Lock()

    def come(self, phone: str, where: str) -> None:
        """Note that a phone is on this page of them."""
        with self._lock:
            self._at[phone] = (self._clock(), where)

    def end(self) -> None:
        """Note that a phone has come to the end: no other is told any more."""
        with self._lock:
            self._at.clear()

    def where(self, phone: str) -> str:
        """Return the page that a phone was on; empty for one that was on none."""
        return self._lately().get(phone, "")

    def by_another(self, phone: str) -> bool:
        """Whether another phone is on them, and this one is not."""
        lately = self._lately()
        return bool(lately) and phone not in lately

    def _lately(self) -> dict[str, str]:
        since = self._clock() - PATIENCE
        with self._lock:
            return {phone: where for phone, (at, where) in self._at.items() if at > since}
