"""Guessing at the PIN is made slow, for each address by itself: nobody waits for another's guesses.

Half of all PINs are 5000. From one address they take 13 years, from 250 addresses of one network
six days (`tests/device/web/test_tries.py` counts it); who has thousands of addresses is not kept
off, and the box's network should not have thousands.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

FREE = 3
"""Wrong tries in a row that cost nothing, as at a cash machine."""

FIRST, LONGEST = 30.0, 24 * 3600.0
"""Seconds to wait after the last of these; each further wrong one doubles it, up to a day."""

MOST_KNOWN = 10_000
"""Addresses that are remembered."""


@dataclass(frozen=True, slots=True)
class _Known:
    wrong: int
    until: float
    """From when on the next try counts."""


class Tries:
    """Who has tried how often; safe to share between threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, client: str) -> float:
        """Count a try, as a wrong one for now; or return for how many seconds it does not count."""
        now = self._clock()
        with self._lock:
            known = self._known.get(client, _Known(0, now))
            if known.until > now:
                return known.until - now
            # Each day on which it might have tried and did not, one try is forgotten.
            wrong = max(0, known.wrong - int((now - known.until) / LONGEST)) + 1
            wait = min(FIRST * 2.0 ** min(wrong - FREE, 64), LONGEST) if wrong >= FREE else 0.0
            self._known[client] = _Known(wrong, now + wait)
            self._known.move_to_end(client)
            if len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
            return 0.0

    def right(self, client: str) -> None:
        """Forget what an address tried before it knew."""
        with self._lock:
            self._known.pop(client, None)
