"""Whose phone practises: a name that the phone keeps, for the progress that the box keeps."""

from __future__ import annotations

from urllib.parse import quote, unquote

from flask import request
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.names import Name
from device.tutoring.progress import BadNameError, checked_name

COOKIE = "pupil"
"""Holds the name, percent-encoded; empty for somebody who practises without one."""

_YEAR = 365 * 24 * 3600


def pupil() -> Name:
    """Return the name under which this phone practises; empty where none was given."""
    try:
        return checked_name(unquote(request.cookies.get(COOKIE, "")))
    except BadNameError:  # not of our making
        return Name()


def was_asked() -> bool:
    """Whether this phone has said who practises, be it without a name."""
    return COOKIE in request.cookies


def remember(answer: AnyResponse, name: str) -> AnyResponse:
    """Let the phone know who practises from now on."""
    answer.set_cookie(COOKIE, quote(name), max_age=_YEAR, httponly=True, samesite="Strict")
    return answer
