"""Slow down guessing at PINs, for each address separately: nobody waits for another's guesses.

Trying half of all PINs, 5000, takes 13 years from one address, and six days from 250 addresses of
one network (`tests/device/web/test_tries.py` computes it). Thousands of addresses would get
through, but the box's network should not have so many.

The counts are in the store. So a phone gets no further attempts from another process, and a restart
forgets nothing.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from flask import current_app

from device.host.clock import read_uptime
from device.store import StoreError
from device.store.log import Log
from device.store.pin_tries import ClockTime, PinTries, PinTry
from device.web.box import box

FREE = 3
"""Wrong attempts in a row without a wait, as at a cash machine."""

FIRST, LONGEST = 30.0, 24 * 3600.0
"""Seconds to wait after the last free attempt. Each wrong one doubles it, up to a day."""

MOST_KNOWN = 10_000
"""Addresses that are remembered at the most."""

_AT = "tongbox-tries"

_log = logging.getLogger(__name__)


def tries() -> Tries:
    """Return the attempts at all PINs, which are counted beside the box's log."""
    known = current_app.extensions
    if _AT not in known:
        known.setdefault(_AT, Tries(box().hands.store.log))  # two threads at once share the first
    found: Tries = known[_AT]
    return found


@dataclass(frozen=True, slots=True)
class TriedBefore:
    """The wrong attempts of one client."""

    wrong: int
    until: float
    """The time from which the next attempt counts, in seconds."""

    def tried(self, now: float) -> TriedBefore:
        """Return the record with one more wrong attempt."""
        # For each day without an attempt, one is forgotten.
        wrong = max(0, self.wrong - int((now - self.until) / LONGEST)) + 1
        return TriedBefore(wrong, now + _wait(wrong))


def _wait(wrong: int) -> float:
    return min(FIRST * 2.0 ** min(wrong - FREE, 64), LONGEST) if wrong >= FREE else 0.0


class OwnTries:
    """The attempts that one process remembers by itself. Safe to share between threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: OrderedDict[str, TriedBefore] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, client: str) -> float:
        """Count an attempt, as wrong for now. Return the seconds to wait if it may not try yet."""
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
        """Forget a client's attempts after it gave the right PIN."""
        with self._lock:
            self._known.pop(client, None)


class Tries:
    """The attempts at all processes of a store. Safe to share between threads.

    While the store cannot write, as with a full card, each process counts by itself. So those who
    know the PIN still get in.
    """

    def __init__(self, log: Log, clock: Callable[[], ClockTime] | None = None) -> None:
        """Count beside a log, and measure time by the computer's uptime unless given a clock."""
        self._rows = PinTries(log, clock or _up, MOST_KNOWN)
        self._own = OwnTries()

    def begin(self, client: str) -> float:
        """Count an attempt, as wrong for now. Return the seconds to wait if it may not try yet."""
        waits = 0.0

        def decide(row: PinTry, now: ClockTime) -> PinTry | None:
            nonlocal waits
            known = _known_by(row, now)
            waits = max(0.0, known.until - now.seconds)
            after = known if waits else known.tried(now.seconds)
            decided = PinTry(after.wrong, ClockTime(now.since, after.until))
            return None if decided == row else decided  # waiting clients must not wear out the card

        try:
            self._rows.change(client, decide)
        except StoreError as error:
            _log.error("Tries at PINs are counted by this process alone: %s", error)
            return self._own.begin(client)
        return waits

    def right(self, client: str) -> None:
        """Forget a client's attempts after it gave the right PIN."""
        self._own.right(client)
        try:
            self._rows.forget(client)
        except StoreError as error:
            _log.error("Tries at PINs are counted still: %s", error)


def _known_by(row: PinTry, now: ClockTime) -> TriedBefore:
    """Return the record of a row, in terms of the current clock.

    Nobody waits longer than the full wait. Times from before a restart cannot be compared with
    the clock, so the wait then begins again.
    """
    longest = now.seconds + _wait(row.wrong)
    known = row.until.since == now.since
    return TriedBefore(row.wrong, min(row.until.seconds, longest) if known else longest)


def _up() -> ClockTime:
    at = read_uptime()
    return ClockTime(at.boot, at.seconds) if at.boot else ClockTime("", time.time())
