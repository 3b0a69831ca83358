"""Pages, styles and drawings travel squeezed: the drawings of all tiles are 240 kB."""

from __future__ import annotations

import gzip
from functools import cache

from flask import Flask, Response, request

KINDS = frozenset({"text/html", "text/css", "text/javascript", "image/svg+xml", "application/json"})
"""What shrinks; photographs are squeezed already."""

LEAST = 1000
"""Bytes. Less than that fits into one packet anyhow."""

LEVEL = 6


def init_app(app: Flask) -> None:
    """Squeeze what is worth it for browsers that take it."""

    @app.after_request
    def squeeze(response: Response) -> Response:
        if response.mimetype not in KINDS or response.is_streamed:
            return response
        response.vary.add("Accept-Encoding")
        data = response.get_data()
        if len(data) >= LEAST and request.accept_encodings["gzip"]:
            once = response.cache_control.immutable
            response.set_data(_kept(data) if once else gzip.compress(data, LEVEL, mtime=0))
            response.headers["Content-Encoding"] = "gzip"
        return response


@cache
def _kept(data: bytes) -> bytes:
    """Return a file of the program squeezed, once and for all phones that come: there are few.

    That of the tiles takes a small computer a tenth of a second.
    """
    return gzip.compress(data, 9, mtime=0)
