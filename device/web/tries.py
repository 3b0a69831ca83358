"""Guessing at the PIN is made slow, for each address by itself: nobody waits for another's guesses.

Half of all PINs are 5000. From one address they take 13 years, from 250 addresses of one network
six days (`tests/device/web/test_tries.py` counts it); who has thousands of addresses is not kept
off, and the box's network should not have thousands.

What is counted stands in the store: a phone that meets another process each time has no more tries
for it, and a start forgets none.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from flask import Flask, current_app

from device.host.uptime import uptime
from device.store import StoreError
from device.store.log import Log
from device.store.try_rows import ClockTime, TryRow, TryRows

FREE = 3
"""Wrong tries in a row that cost nothing, as at a cash machine."""

FIRST, LONGEST = 30.0, 24 * 3600.0
"""Seconds to wait after the last of these; each further wrong one doubles it, up to a day."""

MOST_KNOWN = 10_000
"""Addresses that are remembered."""

_AT = "tongbox-tries"

_log = logging.getLogger(__name__)


def init_app(app: Flask, log: Log) -> None:
    """Count tries beside a log."""
    app.extensions[_AT] = Tries(log)


def tries() -> Tries:
    """Return the tries of all PINs."""
    found: Tries = current_app.extensions[_AT]
    return found


@dataclass(frozen=True, slots=True)
class TriedBefore:
    """What is known of who has tried."""

    wrong: int
    until: float
    """From when on the next try counts, in seconds."""

    def tried(self, now: float) -> TriedBefore:
        """Return this with one more wrong try."""
        # Each day on which it might have tried and did not, one try is forgotten.
        wrong = max(0, self.wrong - int((now - self.until) / LONGEST)) + 1
        return TriedBefore(wrong, now + _wait(wrong))


def _wait(wrong: int) -> float:
    return min(FIRST * 2.0 ** min(wrong - FREE, 64), LONGEST) if wrong >= FREE else 0.0


class OwnTries:
    """Those that one process remembers by itself; safe to share between threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: OrderedDict[str, TriedBefore] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, client: str) -> float:
        """Count a try, as a wrong one for now; or return for how many seconds it does not count."""
        now = self._clock()
        with self._lock:
            known = self._known.get(client, TriedBefore(0, now))
            if known.until > now:
                return known.until - now
            self._known[client] = known.tried(now)
            self._known.move_to_end(client)
            if len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
            return 0.0

    def right(self, client: str) -> None:
        """Forget what somebody tried before he knew."""
        with self._lock:
            self._known.pop(client, None)


class Tries:
    """Who has tried how often, at whichever process of a store; safe to share between threads.

    While the store takes nothing, as on a full card, each process counts by itself: who knows the
    PIN is let in.
    """

    def __init__(self, log: Log, clock: Callable[[], ClockTime] | None = None) -> None:
        """Count beside a log, by the computer's uptime where that has no clock of its own."""
        self._rows = TryRows(log, clock or _up, MOST_KNOWN)
        self._own = OwnTries()

    def begin(self, client: str) -> float:
        """Count a try, as a wrong one for now; or return for how many seconds it does not count."""
        waits = 0.0

        def decide(row: TryRow, now: ClockTime) -> TryRow | None:
            nonlocal waits
            known = _known_by(row, now)
            waits = max(0.0, known.until - now.seconds)
            after = known if waits else known.tried(now.seconds)
            decided = TryRow(after.wrong, ClockTime(now.since, after.until))
            return None if decided == row else decided  # who must wait wears no card out

        try:
            self._rows.change(client, decide)
        except StoreError as error:
            _log.error("Tries at PINs are counted by this process alone: %s", error)
            return self._own.begin(client)
        return waits

    def right(self, client: str) -> None:
        """Forget what somebody tried before he knew."""
        self._own.right(client)
        try:
            self._rows.forget(client)
        except StoreError as error:
            _log.error("Tries at PINs are counted still: %s", error)


def _known_by(row: TryRow, now: ClockTime) -> TriedBefore:
    """Return what a row says by the clock of now.

    Nobody waits longer than ever. By the clock of another start nobody can say how long ago it was:
    the wait begins anew.
    """
    longest = now.seconds + _wait(row.wrong)
    known = row.until.since == now.since
    return TriedBefore(row.wrong, min(row.until.seconds, longest) if known else longest)


def _up() -> ClockTime:
    at = uptime()
    return ClockTime(at.boot, at.seconds) if at.boot else ClockTime("", time.time())
