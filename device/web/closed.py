"""What phones are shown while the box cannot use its data folder: why, in words, until it can.

A box that ended there would be started again and again by whoever watches it, and nobody at the
table would see why.
"""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable
from functools import partial
from socketserver import ThreadingMixIn
from typing import TypeVar
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from flask import Flask, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from device.doctor import Machine
from device.doctor.health import explained
from device.doctor.storage import trouble_of
from device.host import notify
from device.host.address import reachable
from device.i18n.words import say
from device.store import DiskFullError, StoreError, UnwritableError
from device.store.errors import RefusedError, ServedError, UnreachableError
from device.web import assets, preferences, speech

AGAIN = 10.0
"""Seconds until it is tried again."""

SOON = 0.5
"""The same of a database that does not answer: it may be there again at any moment, and asking
costs next to nothing."""

LOOKS = 2
"""Seconds until a phone looks again, at the least."""

_PATIENCE = 5
"""Seconds within which a phone has asked."""

REASONS: dict[type[StoreError], str] = {
    DiskFullError: "full",
    UnwritableError: "unwritable",
    UnreachableError: "unreachable",
    RefusedError: "refused",
}
"""What each reason is called in the strings; any other is `other`."""

_Opened = TypeVar("_Opened")

_log = logging.getLogger(__name__)


def open_patiently(
    opening: Callable[[], _Opened], listener: socket.socket, machine: Machine
) -> _Opened:
    """Open the store; while that cannot be, answer phones with why, and try again.

    Raises ServedError at once: then another box answers them.
    """
    reasons: list[StoreError] = []
    server = None
    while True:
        try:
            opened = opening()
        except ServedError:
            raise
        except StoreError as error:
            if [str(each) for each in reasons] != [str(error)]:
                _log.error("The box waits, and tries again every %g s: %s", _again(error), error)
            reasons[:] = [error]
        else:
            reasons.clear()
            if server:
                server.server_close()
            return opened
        if server is None:
            server = _Server(listener.dup(), create_closed_app(lambda: reasons[0], machine))
            notify.ready(partial(notify.answers, *reachable(listener)))
        _answer(server, _again(reasons[0]))


def _again(reason: StoreError) -> float:
    return SOON if type(reason) is UnreachableError else AGAIN


def create_closed_app(why: Callable[[], StoreError], machine: Machine) -> Flask:
    """Return the page of a box that is closed: one and the same at every address."""
    app = Flask(__name__, static_folder=None)
    speech.init_app(app)
    preferences.init_app(app)
    assets.init_app(app, assets.packaged())

    @app.before_request
    def answer() -> tuple[AnyResponse | str | dict[str, object], int] | None:
        if request.path.startswith(assets.PREFIX):
            return None
        reason = REASONS.get(type(why()), "other")
        if request.path == "/health":
            trouble = trouble_of(why())
            said = {
                "status": "degraded",
                "alive": True,
                "version": machine.version_of("tongbox") or "?",
                "troubles": [trouble],
                "reasons": explained([trouble]),
                "complete": False,
            }
            return said, 503
        says, do = say(f"closed.{reason}"), say(f"closed.{reason}-do")
        seconds = max(LOOKS, int(_again(why())))
        page = render_template("closed.html", says=says, do=do, reason=why(), again=seconds)
        return page, 503

    return app


class _Server(ThreadingMixIn, WSGIServer):
    """Answers at a port that is open already, each phone in a thread of its own."""

    daemon_threads = True

    def __init__(self, listener: socket.socket, app: Flask) -> None:
        super().__init__(listener.getsockname(), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener
        self.server_name, self.server_port = listener.getsockname()[:2]
        self.setup_environ()
        self.set_app(app)


class _Handler(WSGIRequestHandler):
    timeout = _PATIENCE

    def log_message(self, *_: object) -> None:
        """Say nothing of each page."""


def _answer(server: _Server, seconds: float) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        server.timeout = left
        server.handle_request()
