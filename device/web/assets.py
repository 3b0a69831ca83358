"""Serve static files under hashed names, which phones cache for good, and compress responses.

The drawings of all tiles are 240 kB without compression.
"""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Mapping
from importlib.resources import files
from pathlib import PurePath

from flask import Flask, Response, abort

PREFIX = "/assets/"

_YEAR = 365 * 24 * 3600


def packaged() -> dict[str, bytes]:
    """Return the static files of the package, by file name."""
    found = [*(files("device.web") / "static").iterdir(), files("device.views") / "tiles.svg"]
    return {file.name: file.read_bytes() for file in found if file.is_file()}


def init_app(app: Flask, contents: Mapping[str, bytes]) -> None:
    """Serve the files. Templates get their addresses from `asset(name)`."""
    urls = {name: PREFIX + _hashed(name, data) for name, data in contents.items()}
    by_url = {urls[name]: (name, data) for name, data in contents.items()}

    @app.get(PREFIX + "<name>")
    def asset(name: str) -> Response:
        if PREFIX + name not in by_url:
            abort(404)
        original, data = by_url[PREFIX + name]
        kind = mimetypes.guess_type(original)[0]
        response = Response(data, mimetype=kind)
        response.cache_control.public = True
        response.cache_control.max_age = _YEAR
        response.cache_control.immutable = True
        return response

    app.jinja_env.globals["asset"] = urls.__getitem__


def _hashed(name: str, data: bytes) -> str:
    path = PurePath(name)
    return f"{path.stem}.{hashlib.sha256(data).hexdigest()[:12]}{path.suffix}"
