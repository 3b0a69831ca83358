"""Serve static files under hashed names, which phones cache for good, and compress responses.

The drawings of all tiles are 240 kB without compression.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import PurePath

from flask import Flask, Response, abort, request

ASSETS_PREFIX = "/assets/"

_CACHE_AGE_S = 365 * 24 * 3600


@cache
def load_packaged() -> Mapping[str, bytes]:
    """Return the static files of the package, by file name."""
    paths = [*(files("device.web") / "static").iterdir(), files("device.views") / "tiles.svg"]
    return {file.name: file.read_bytes() for file in paths if file.is_file()}


def init_assets(app: Flask, contents: Mapping[str, bytes]) -> None:
    """Serve the files. Templates get their addresses from `asset(name)`."""
    urls = {name: ASSETS_PREFIX + _hashed_name(name, data) for name, data in contents.items()}
    by_url = {urls[name]: (name, data) for name, data in contents.items()}

    @app.get(ASSETS_PREFIX + "<name>")
    def asset(name: str) -> Response:
        if ASSETS_PREFIX + name not in by_url:
            abort(404)
        original, data = by_url[ASSETS_PREFIX + name]
        kind = mimetypes.guess_type(original)[0]
        response = Response(data, mimetype=kind)
        response.cache_control.public = True
        response.cache_control.max_age = _CACHE_AGE_S
        response.cache_control.immutable = True
        return response

    app.jinja_env.globals["asset"] = urls.__getitem__


@cache
def _hashed_name(name: str, data: bytes) -> str:
    path = PurePath(name)
    return f"{path.stem}.{hashlib.sha256(data).hexdigest()[:12]}{path.suffix}"


COMPRESSED_TYPES = frozenset(
    {"text/html", "text/css", "text/javascript", "image/svg+xml", "application/json"}
)
"""Content types that shrink. Photographs are compressed already."""

MIN_COMPRESSED_BYTES = 1000
"""Smaller responses fit into one packet anyhow."""

GZIP_LEVEL = 6


def init_compression(app: Flask) -> None:
    """Compress responses for browsers that accept it, if it is worth it."""

    @app.after_request
    def squeeze(response: Response) -> Response:
        if response.mimetype not in COMPRESSED_TYPES or response.is_streamed:
            return response
        response.vary.add("Accept-Encoding")
        data = response.get_data()
        if len(data) >= MIN_COMPRESSED_BYTES and request.accept_encodings["gzip"]:
            is_immutable = response.cache_control.immutable
            response.set_data(
                compress_once(data) if is_immutable else gzip.compress(data, GZIP_LEVEL, mtime=0)
            )
            response.headers["Content-Encoding"] = "gzip"
        return response


@cache
def compress_once(data: bytes) -> bytes:
    """Return a static file compressed. Each is compressed once and then kept: there are few.

    The drawings of the tiles take a small computer a tenth of a second.
    """
    return gzip.compress(data, 9, mtime=0)
