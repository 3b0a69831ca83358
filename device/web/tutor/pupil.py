"""Whose phone practises: a name that the phone keeps, for the progress that the box keeps."""

from __future__ import annotations

from urllib.parse import unquote

from flask import request

COOKIE = "pupil"


def pupil() -> str:
    """Return the name under which this phone practises; empty where none was given."""
    return unquote(request.cookies.get(COOKIE, ""))
