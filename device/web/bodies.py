"""Limit how many bytes a phone may send: a photograph where one is expected, else a form.

The server asks for the limit before it reads a body; the app applies it again to what it gets.
"""

from __future__ import annotations

from contextlib import suppress

from flask import Flask, abort, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Request

from device.server.connection import REFUSED_STATUS_KEY, MaySend
from device.store import StoreError
from device.web.pin import COOKIE, LastKnown

PHOTOGRAPH = 25 * 2**20
"""Largest upload: twice the largest photograph that phones commonly make."""

FORM = 100_000
"""Largest form. A whole hand with all its tiles takes some thousands."""

STRANGER = 8_000
"""Largest body before the phone has given the PIN: the PIN and the page it wanted."""

TAKE_PHOTOGRAPHS = frozenset(
    {"home.begin", "hand.add_photo", "asking.begin", "whole.give", "deal.give",
     "register.begin", "register.add_photo", "first_steps.upload",
     "doubted.retake", "doubted.retake_table"}
)  # fmt: skip
"""The endpoints that accept photographs."""

TAKE_PIECES = frozenset({"updating.piece"})
"""The endpoints that accept a large file in pieces, each smaller than a photograph may be."""


def init_app(app: Flask) -> None:
    """Refuse bodies that are too large, with an error page."""

    @app.before_request
    def refuse() -> None:
        if status := request.environ.get(REFUSED_STATUS_KEY):
            abort(status)  # the server has already discarded the body
        # Only a multipart form can hold a photograph.
        in_parts = request.mimetype == "multipart/form-data"
        request.max_content_length = _most(request.endpoint) if in_parts else FORM


def may_send(app: Flask) -> MaySend:
    """Return the function that the server asks for a request's limit. It never waits."""
    last_known: LastKnown = app.extensions["tongbox-last-known"]
    with suppress(StoreError):  # the first page that is asked for reports it
        last_known.settings = app.extensions["tongbox"].settings.now()
    urls = app.url_map.bind("")

    def most(method: str, path: str, cookie: str) -> int:
        # Parse the cookie as the app does: the header may hold bytes that are not text.
        if not last_known.is_in(Request({"HTTP_COOKIE": cookie}).cookies.get(COOKIE, "")):
            return STRANGER
        try:
            endpoint, _ = urls.match("/" + path.lstrip("/"), method)
        except HTTPException:  # no such page
            return FORM
        return _most(endpoint)

    return most


def _most(endpoint: str | None) -> int:
    return PHOTOGRAPH if endpoint in TAKE_PHOTOGRAPHS | TAKE_PIECES else FORM
