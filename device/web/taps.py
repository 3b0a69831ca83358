"""Carry out a tap once, and tell a page where it led even if the answer was lost.

A script gives each form that it sends a name of its own, in a header, and sends it again under the
same name. It is told where the answer leads, for it cannot look for itself where a redirect goes.
What is remembered is this process's alone and ends with it.
"""

from __future__ import annotations

import json
import re
import secrets
import threading
from collections import OrderedDict

from flask import Blueprint, Flask, Response, abort, current_app, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from device.web.fields import query

TAP_HEADER = "X-Tap"
ADDRESS_HEADER = "X-Address"

MAX_TAPS = 1_000
"""Taps to remember: those of four full tables for a few minutes."""

MAX_WAIT_S = 20.0
"""How long the same tap, sent again, waits for the first."""

_TAP = re.compile(r"[0-9a-f]{32}")

pages = Blueprint("taps", __name__, url_prefix="/taps")


class TapLog:
    """Where the newest taps led; safe to share between threads."""

    def __init__(self, limit: int = MAX_TAPS) -> None:
        self.id = secrets.token_hex(8)
        """Tells this process from others, which do not know its taps."""
        self._limit = limit
        self._change = threading.Condition()
        self._targets: OrderedDict[str, str | None] = OrderedDict()
        """Addresses by tap; None while a tap is being carried out."""

    def begin(self, tap: str) -> bool:
        """Return whether a tap is new. It is being carried out from now on, until `end`."""
        with self._change:
            if tap in self._targets:
                return False
            self._targets[tap] = None
            while len(self._targets) > self._limit:
                self._targets.popitem(last=False)
            return True

    def end(self, tap: str, address: str) -> None:
        """Remember where a tap led; forget one that led nowhere, for nothing came of it."""
        with self._change:
            if address:
                self._targets[tap] = address
            else:
                self._targets.pop(tap, None)
            self._change.notify_all()

    def find(self, tap: str, wait_s: float = MAX_WAIT_S) -> str:
        """Return where a tap led, once that is known; empty for one that led nowhere.

        Raises TimeoutError if it is still being carried out.
        """
        with self._change:
            if not self._change.wait_for(lambda: self._targets.get(tap, "") is not None, wait_s):
                raise TimeoutError
            return self._targets.get(tap) or ""


@pages.get("/")
def find() -> dict[str, str]:
    """Return the address that a tap led to, and the process that says so.

    The address is empty if nothing came of the tap in this process.
    """
    return {"address": _find(query().word("tap")), "process": _taps().id}


def init_app(app: Flask) -> None:
    """Carry out each tap once, and tell scripts where it leads. Comes after all other checks."""
    log = app.extensions["taps"] = TapLog()
    app.jinja_env.globals["process_id"] = log.id

    @app.before_request
    def begin() -> AnyResponse | None:
        tap = request.headers.get(TAP_HEADER, "")
        if request.method != "POST" or not _TAP.fullmatch(tap):
            return None
        while not _taps().begin(tap):  # it was sent before, and may be under way
            if address := _find(tap):
                return redirect(address, 303)
        g.tap = tap
        return None

    @app.after_request
    def tell(response: Response) -> Response:
        address = ""
        if TAP_HEADER in request.headers and "Location" in response.headers:
            address = response.headers.pop("Location")
            response.headers[ADDRESS_HEADER] = json.dumps(address)  # whoever gets half of it knows
            response.status_code = 204
            response.set_data(b"")
        if tap := g.pop("tap", ""):
            _taps().end(tap, address)
        return response

    @app.teardown_request
    def forget(_: BaseException | None) -> None:
        if tap := g.pop("tap", ""):  # no answer was made
            _taps().end(tap, "")


def _find(tap: str) -> str:
    try:
        return _taps().find(tap)
    except TimeoutError:
        abort(503)


def _taps() -> TapLog:
    log: TapLog = current_app.extensions["taps"]
    return log
