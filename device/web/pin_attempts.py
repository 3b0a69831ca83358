"""Slow down guesses at a PIN: an address waits longer after each of its wrong guesses.

To try 5000 PINs, half of all, takes 13 years from one address and six days from 250 addresses
(`tests/device/web/test_pin_attempts.py` computes it). Thousands of addresses would be quick enough,
but a box's network should not have that many.

The store has the counts: another process gives a phone no more guesses, and a restart forgets none.
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
from device.web.contexts import records
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
    extensions = current_app.extensions
    if _EXTENSION_KEY not in extensions:
        extensions.setdefault(
            _EXTENSION_KEY, PinAttempts(records().store.log)
        )  # two threads at once share the first
    attempts: PinAttempts = extensions[_EXTENSION_KEY]
    return attempts


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """The wrong attempts of one client."""

    wrong: int
    until: float
    """The time from which the next attempt counts, in seconds."""

    def add_attempt(self, current_time: float) -> AttemptRecord:
        """Return the record with one more wrong attempt."""
        # For each day without an attempt, one is forgotten.
        wrong = max(0, self.wrong - int((current_time - self.until) / MAX_WAIT_S)) + 1
        return AttemptRecord(wrong, current_time + _wait_s(wrong))


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
        self._records: OrderedDict[str, AttemptRecord] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, client: str) -> float:
        """Count an attempt, as wrong for now. Return the seconds to wait if it may not try yet."""
        current_time = self._clock()
        with self._lock:
            record = self._records.get(client, AttemptRecord(0, current_time))
            if record.until > current_time:
                return record.until - current_time
            self._records[client] = record.add_attempt(current_time)
            self._records.move_to_end(client)
            if len(self._records) > MAX_KNOWN_ADDRESSES:
                self._records.popitem(last=False)
            return 0.0

    def right(self, client: str) -> None:
        """Forget a client's attempts after it gave the right PIN."""
        with self._lock:
            self._records.pop(client, None)


class PinAttempts:
    """The attempts at all processes of a store. Safe to share between threads.

    While the store cannot write, as with a full card, each process counts by itself. So those who
    know the PIN still get in.
    """

    def __init__(self, log: Log, clock: Callable[[], ClockTime] | None = None) -> None:
        """Count beside a log, and measure time by the computer's uptime unless given a clock."""
        self._rows = PinTries(log, clock or _clock_time, MAX_KNOWN_ADDRESSES)
        self._process_attempts = ProcessAttempts()

    def begin(self, client: str) -> float:
        """Count an attempt, as wrong for now. Return the seconds to wait if it may not try yet."""
        waits = 0.0

        def decide(row: PinTry, current_time: ClockTime) -> PinTry | None:
            nonlocal waits
            record = _record_of(row, current_time)
            waits = max(0.0, record.until - current_time.seconds)
            after = record if waits else record.add_attempt(current_time.seconds)
            new_row = PinTry(after.wrong, ClockTime(current_time.since, after.until))
            return None if new_row == row else new_row  # waiting clients must not wear out the card

        try:
            self._rows.change(client, decide)
        except StoreError as error:
            _log.error("Tries at PINs are counted by this process alone: %s", error)
            return self._process_attempts.begin(client)
        return waits

    def right(self, client: str) -> None:
        """Forget a client's attempts after it gave the right PIN."""
        self._process_attempts.right(client)
        try:
            self._rows.forget(client)
        except StoreError as error:
            _log.error("Tries at PINs are counted still: %s", error)


def _record_of(row: PinTry, current_time: ClockTime) -> AttemptRecord:
    """Return the record of a row, in terms of the current clock.

    Nobody waits longer than the full wait. Times from before a restart cannot be compared with
    the clock, so the wait then begins again.
    """
    longest = current_time.seconds + _wait_s(row.wrong)
    is_same_clock = row.until.since == current_time.since
    return AttemptRecord(row.wrong, min(row.until.seconds, longest) if is_same_clock else longest)


def _clock_time() -> ClockTime:
    uptime = read_uptime()
    return ClockTime(uptime.boot, uptime.seconds) if uptime.boot else ClockTime("", time.time())


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
