"""The one press: what is printed takes seconds, so it is made once, and one thing at a time.

Who asks for what is being made waits for it, and who asks for something else waits behind it; each
keeps one of the server's threads, so few wait, and of one phone for one thing alone. All others are
told to ask again, which their browser does by itself.
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
"""Requests at the press, that which it works for among them."""

PATIENCE = 60.0
"""Seconds; a Raspberry Pi prints the longest score sheet in half of it."""

AGAIN = 5
"""Seconds after which who was sent away asks again."""

KEPT = 16
"""Papers that are kept, each of some hundred kilobytes."""


class PressBusyError(Exception):
    """Others are waiting for the press already."""


class Press:
    """Makes papers; safe to share between threads."""

    def __init__(self, kept: int = KEPT, most_waiting: int = MOST_WAITING) -> None:
        self._most_kept, self._most_waiting = kept, most_waiting
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._waiting: list[tuple[str, Hashable]] = []
        self._lock = threading.Lock()
        self._at_work = threading.Lock()

    def printed(self, what: Hashable, client: str, make: Callable[[], bytes]) -> bytes:
        """Return a paper; `what` holds all that it shows. Raises PressBusyError."""
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
    """Set the press up, and say in words that it is busy."""
    app.extensions["tongbox-press"] = Press()

    @app.errorhandler(PressBusyError)
    def busy(_: PressBusyError) -> tuple[str, int, dict[str, str]]:
        said, status = page(say("error.printing"), 503)
        return said, status, {"Retry-After": str(AGAIN), "Refresh": str(AGAIN)}


def printed(make: Callable[[], bytes], *shows: Hashable) -> bytes:
    """Return what this request's address prints: in the phone's words, of all that it `shows`."""
    press: Press = current_app.extensions["tongbox-press"]
    what = (request.path, preferences(), *shows)
    return press.printed(what, request.remote_addr or "", make)
