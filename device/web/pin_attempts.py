"""Slow down guessing at PINs. Each address waits for its own wrong guesses alone.

Trying half of all PINs, 5000, takes 13 years from one address, and six days from 250 addresses of
one network (`tests/device/web/test_pin_attempts.py` computes it). Thousands of addresses would get
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
from http import HTTPStatus
from math import ceil

from flask import current_app
from werkzeug.wrappers import Response as AnyResponse

from device.host.machine import read_uptime
from device.store import StoreError
from device.store.log import Log
from device.store.pin_tries import ClockTime, PinTries, PinTry
from device.web.box import box
from device.web.fields import form

FREE_ATTEMPTS = 3
"""Wrong attempts in a row without a wait, as at a cash machine."""

FIRST_WAIT_S, MAX_WAIT_S = 30.0, 24 * 3600.0
"""Seconds to wait after the last free attempt. Each wrong one doubles it, up to a day."""

MAX_KNOWN_ADDRESSES = 10_000
"""Addresses that are remembered at the most."""

_EXTENSION_KEY = "tongbox-tries"

_log = logging.getLogger(__name__)


def pin_attempts() -> PinAttempts:
    """Return the attempts at all PINs, which are counted beside the box's log."""
    known = current_app.extensions
    if _EXTENSION_KEY not in known:
        known.setdefault(
            _EXTENSION_KEY, PinAttempts(box().hands.store.log)
        )  # two threads at once share the first
    found: PinAttempts = known[_EXTENSION_KEY]
    return found


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """The wrong attempts of one client."""

    wrong: int
    until: float
    """The time from which the next attempt counts, in seconds."""

    def tried(self, now: float) -> AttemptRecord:
        """Return the record with one more wrong attempt."""
        # For each day without an attempt, one is forgotten.
        wrong = max(0, self.wrong - int((now - self.until) / MAX_WAIT_S)) + 1
        return AttemptRecord(wrong, now + _wait_s(wrong))


def _wait_s(wrong: int) -> float:
    return (
        min(FIRST_WAIT_S * 2.0 ** min(wrong - FREE_ATTEMPTS, 64), MAX_WAIT_S)
        if wrong >= FREE_ATTEMPTS
        else 0.0
    )


class ProcessAttempts:
    """The attempts that one process remembers by itself. Safe to share between threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: OrderedDict[str, AttemptRecord] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, client: str) -> float:
        """Count an attempt, as wrong for now. Return the seconds to wait if it may not try yet."""
        now = self._clock()
        with self._lock:
            known = self._known.get(client, AttemptRecord(0, now))
            if known.until > now:
                return known.until - now
            self._known[client] = known.tried(now)
            self._known.move_to_end(client)
            if len(self._known) > MAX_KNOWN_ADDRESSES:
                self._known.popitem(last=False)
            return 0.0

    def right(self, client: str) -> None:
        """Forget a client's attempts after it gave the right PIN."""
        with self._lock:
            self._known.pop(client, None)


class PinAttempts:
    """The attempts at all processes of a store. Safe to share between threads.

    While the store cannot write, as with a full card, each process counts by itself. So those who
    know the PIN still get in.
    """

    def __init__(self, log: Log, clock: Callable[[], ClockTime] | None = None) -> None:
        """Count beside a log, and measure time by the computer's uptime unless given a clock."""
        self._rows = PinTries(log, clock or _clock_time, MAX_KNOWN_ADDRESSES)
        self._own = ProcessAttempts()

    def begin(self, client: str) -> float:
        """Count an attempt, as wrong for now. Return the seconds to wait if it may not try yet."""
        waits = 0.0

        def decide(row: PinTry, now: ClockTime) -> PinTry | None:
            nonlocal waits
            known = _record_of(row, now)
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


def _record_of(row: PinTry, now: ClockTime) -> AttemptRecord:
    """Return the record of a row, in terms of the current clock.

    Nobody waits longer than the full wait. Times from before a restart cannot be compared with
    the clock, so the wait then begins again.
    """
    longest = now.seconds + _wait_s(row.wrong)
    known = row.until.since == now.since
    return AttemptRecord(row.wrong, min(row.until.seconds, longest) if known else longest)


def _clock_time() -> ClockTime:
    at = read_uptime()
    return ClockTime(at.boot, at.seconds) if at.boot else ClockTime("", time.time())


PinPage = Callable[[str, HTTPStatus], AnyResponse]
"""Returns the page that asks for the PIN again, with a sentence that says why."""


def read_typed_pin() -> str:
    """Return the PIN in the form, without the spaces that phones insert."""
    return "".join(form().word("pin", None).split())


def refuse_wrong_pin(
    client: str,
    is_right: Callable[[], bool],
    ask: PinPage,
    *,
    wait: Callable[[int], str],
    wrong: str,
) -> AnyResponse | None:
    """Count an attempt. Return the refusal of a wrong PIN; None for the right one.

    `client` names the phone and the PIN that it tries. `wait` returns the sentence for the minutes
    to wait; `wrong` is the sentence for a wrong PIN. While a client must wait, its PIN is not
    checked.
    """
    if seconds := pin_attempts().begin(client):
        answer = ask(wait(ceil(seconds / 60)), HTTPStatus.TOO_MANY_REQUESTS)
        answer.retry_after = ceil(seconds)
        return answer
    if not is_right():
        return ask(wrong, HTTPStatus.FORBIDDEN)
    pin_attempts().right(client)
    return None
