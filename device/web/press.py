"""Make one PDF at a time, and each only once, because a PDF takes seconds.

Requests for the same PDF wait for it; requests for another one wait behind it. Each occupies a
server thread, so only a few may wait, and each phone for one PDF only. All others are told to ask
again, which their browsers do by themselves.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from flask import Flask, current_app, request

from device.i18n.words import say
from device.web.errors import page
from device.web.preferences import preferences

MOST_WAITING = 8
"""Requests that wait for a PDF, including those for the one being made."""

PATIENCE = 60.0
"""Seconds. A Raspberry Pi makes the longest score sheet in half of this."""

AGAIN = 5
"""Seconds after which a phone that was turned away asks again."""

KEPT = 16
"""PDFs kept in memory, each some hundred kilobytes."""


class PressBusyError(Exception):
    """Too many requests wait for a PDF already."""


class Press:
    """Makes PDFs one at a time and caches them. Safe to share between threads."""

    def __init__(self, kept: int = KEPT, most_waiting: int = MOST_WAITING) -> None:
        self._most_kept, self._most_waiting = kept, most_waiting
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._waiting: list[tuple[str, Hashable]] = []
        self._lock = threading.Lock()
        self._at_work = threading.Lock()

    def printed(self, what: Hashable, client: str, make: Callable[[], bytes]) -> bytes:
        """Return a PDF. `what` identifies everything that it shows. Raises PressBusyError."""
        with self._lock:
            if (done := self._found(what)) is not None:
                return done
            elsewhere = any(who == client and which != what for who, which in self._waiting)
            if elsewhere or len(self._waiting) >= self._most_waiting:
                raise PressBusyError
            self._waiting.append((client, what))
        try:
            return self._in_turn(what, make)
        finally:
            with self._lock:
                self._waiting.remove((client, what))

    def _in_turn(self, what: Hashable, make: Callable[[], bytes]) -> bytes:
        if not self._at_work.acquire(timeout=PATIENCE):
            raise PressBusyError
        try:
            with self._lock:
                done = self._found(what)
            if done is None:
                done = make()
                with self._lock:
                    self._kept[what] = done
                    if len(self._kept) > self._most_kept:
                        self._kept.popitem(last=False)
            return done
        finally:
            self._at_work.release()

    def _found(self, what: Hashable) -> bytes | None:
        if what in self._kept:
            self._kept.move_to_end(what)
        return self._kept.get(what)


def init_app(app: Flask) -> None:
    """Create the app's print queue, and answer its PressBusyError with a page."""
    app.extensions["tongbox-press"] = Press()

    @app.errorhandler(PressBusyError)
    def busy(_: PressBusyError) -> tuple[str, int, dict[str, str]]:
        said, status = page(say("error.printing"), 503)
        return said, status, {"Retry-After": str(AGAIN), "Refresh": str(AGAIN)}


def printed(make: Callable[[], bytes], *shows: Hashable) -> bytes:
    """Return the PDF of this address, in the phone's language. `shows` identifies its content."""
    press: Press = current_app.extensions["tongbox-press"]
    what = (request.path, preferences(), *shows)
    return press.printed(what, request.remote_addr or "", make)
