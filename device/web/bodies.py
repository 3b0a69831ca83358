"""How much a phone may send: a photograph where photographs are taken in, else what a form holds.

The server asks before it takes any of it, and so does the page of what it was given.
"""

from __future__ import annotations

from contextlib import suppress

from flask import Flask, abort, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Request

from device.server.connection import REFUSED, MaySend
from device.store import StoreError
from device.web.pin import COOKIE, LastKnown

PHOTOGRAPH = 25 * 2**20
"""Bytes of an upload: twice the largest photograph that phones commonly make."""

FORM = 100_000
"""Bytes of any other; the largest form, a whole hand with all its tiles, has some thousands."""

STRANGER = 8_000
"""Bytes from a phone that has not given the PIN yet: room for that, and for where it was going."""

TAKE_PHOTOGRAPHS = frozenset(
    {"home.begin", "hand.add_photo", "asking.begin", "whole.give", "deal.give",
     "register.begin", "register.add_photo", "first_steps.upload",
     "doubted.retake", "doubted.retake_table"}
)  # fmt: skip
"""The pages that take photographs in."""

TAKE_PIECES = frozenset({"updating.piece"})
"""What takes a large file in, piece by piece; none is as large as a photograph may be."""


def init_app(app: Flask) -> None:
    """Refuse what is too large, in words."""

    @app.before_request
    def refuse() -> None:
        if status := request.environ.get(REFUSED):
            abort(status)  # its body was thrown away as it came
        # A photograph comes in parts; a form of another kind would all be fields.
        in_parts = request.mimetype == "multipart/form-data"
        request.max_content_length = _most(request.endpoint) if in_parts else FORM


def may_send(app: Flask) -> MaySend:
    """Return what the server asks, which must not wait for anything."""
    last_known: LastKnown = app.extensions["tongbox-last-known"]
    with suppress(StoreError):  # of which the first page that is asked for tells
        last_known.settings = app.extensions["tongbox"].settings.now()
    urls = app.url_map.bind("")

    def most(method: str, path: str, cookie: str) -> int:
        # Read as the page reads it: a phone may send bytes that are no text.
        if not last_known.is_in(Request({"HTTP_COOKIE": cookie}).cookies.get(COOKIE, "")):
            return STRANGER
        try:
            endpoint, _ = urls.match("/" + path.lstrip("/"), method)
        except HTTPException:  # of no page
            return FORM
        return _most(endpoint)

    return most


def _most(endpoint: str | None) -> int:
    return PHOTOGRAPH if endpoint in TAKE_PHOTOGRAPHS | TAKE_PIECES else FORM
