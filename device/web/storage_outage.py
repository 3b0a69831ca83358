"""Show phones why the box cannot open its data folder, and retry until it can.

If the program ended instead, its supervisor would restart it again and again, and nobody at the
table would see the reason.
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
from device.doctor.health import explain_troubles, name_trouble
from device.host import service_manager
from device.host.machine import local_address_of
from device.i18n.words import say
from device.store import DiskFullError, StoreError, UnwritableError
from device.store.errors import FolderServedError, LoginRefusedError, UnreachableError
from device.web import assets, preferences

RETRY_S = 10.0
"""Seconds between two attempts to open the store."""

UNREACHABLE_RETRY_S = 0.5
"""The same for a database that does not answer. It may return at any moment, and asking costs
next to nothing."""

MIN_RELOAD_S = 2
"""Shortest time in seconds until a phone reloads the page."""

_REQUEST_TIMEOUT_S = 5
"""Seconds that a phone has to send its request."""

REASON_KEYS: dict[type[StoreError], str] = {
    DiskFullError: "full",
    UnwritableError: "unwritable",
    UnreachableError: "unreachable",
    LoginRefusedError: "refused",
}
"""The message key of each reason; any other reason is `other`."""

_Opened = TypeVar("_Opened")

_log = logging.getLogger(__name__)


def open_with_retries(
    opening: Callable[[], _Opened], listener: socket.socket, machine: Machine
) -> _Opened:
    """Open the store. While that fails, answer phones with the reason, and try again.

    Raises FolderServedError at once: then another process already serves the phones.
    """
    reasons: list[StoreError] = []
    server = None
    while True:
        try:
            store = opening()
        except FolderServedError:
            raise
        except StoreError as error:
            if [str(each) for each in reasons] != [str(error)]:
                _log.error("The box waits, and tries again every %g s: %s", _retry_s(error), error)
            reasons[:] = [error]
        else:
            reasons.clear()
            if server:
                server.server_close()
            return store
        if server is None:
            server = _Server(listener.dup(), create_outage_app(lambda: reasons[0], machine))
            service_manager.notify_ready(
                partial(service_manager.is_answering, *local_address_of(listener))
            )
        serve_for(server, _retry_s(reasons[0]))


def _retry_s(reason: StoreError) -> float:
    return UNREACHABLE_RETRY_S if type(reason) is UnreachableError else RETRY_S


def create_outage_app(get_error: Callable[[], StoreError], machine: Machine) -> Flask:
    """Return an app that shows the same page, with the reason, at every address."""
    app = Flask(__name__, static_folder=None)
    preferences.init_words(app)
    preferences.init_app(app)
    assets.init_assets(app, assets.load_packaged())

    @app.before_request
    def answer() -> tuple[AnyResponse | str | dict[str, object], int] | None:
        if request.path.startswith(assets.ASSETS_PREFIX):
            return None
        reason = REASON_KEYS.get(type(get_error()), "other")
        if request.path == "/health":
            trouble = name_trouble(get_error())
            report = {
                "status": "degraded",
                "alive": True,
                "version": machine.version_of("tongbox") or "?",
                "troubles": [trouble],
                "reasons": explain_troubles([trouble]),
                "complete": False,
            }
            return report, 503
        says, do = say(f"closed.{reason}"), say(f"closed.{reason}-do")
        seconds = max(MIN_RELOAD_S, int(_retry_s(get_error())))
        page = render_template("closed.html", says=says, do=do, reason=get_error(), again=seconds)
        return page, 503

    return app


class _Server(ThreadingMixIn, WSGIServer):
    """Serves on an open socket, with one thread per request."""

    daemon_threads = True

    def __init__(self, listener: socket.socket, app: Flask) -> None:
        super().__init__(listener.getsockname(), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener
        self.server_name, self.server_port = listener.getsockname()[:2]
        self.setup_environ()
        self.set_app(app)


class _Handler(WSGIRequestHandler):
    timeout = _REQUEST_TIMEOUT_S

    def log_message(self, *_: object) -> None:
        """Do not log each request."""


def serve_for(server: _Server, seconds: float) -> None:
    """Answer requests for this time."""
    end_time = time.monotonic() + seconds
    while (left := end_time - time.monotonic()) > 0:
        server.timeout = left
        server.handle_request()
