"""Compress pages, styles and drawings. The drawings of all tiles are 240 kB without it."""

from __future__ import annotations

import gzip
from functools import cache

from flask import Flask, Response, request

KINDS = frozenset({"text/html", "text/css", "text/javascript", "image/svg+xml", "application/json"})
"""Content types that shrink. Photographs are compressed already."""

LEAST = 1000
"""Smaller responses fit into one packet anyhow."""

LEVEL = 6


def init_app(app: Flask) -> None:
    """Compress responses for browsers that accept it, if it is worth it."""

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
    """Return a static file compressed. Each is compressed once and then kept: there are few.

    The drawings of the tiles take a small computer a tenth of a second.
    """
    return gzip.compress(data, 9, mtime=0)
