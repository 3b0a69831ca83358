"""The name under which a phone practises. The phone keeps the name; the box keeps the progress."""

from __future__ import annotations

from urllib.parse import quote, unquote

from flask import request
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.names import Name
from device.tutoring.progress import BadNameError, check_name

COOKIE = "pupil"
"""Holds the name, percent-encoded; empty for practice without a name."""

_YEAR = 365 * 24 * 3600


def pupil() -> Name:
    """Return the name under which the phone practises; empty if none was given."""
    try:
        return check_name(unquote(request.cookies.get(COOKIE, "")))
    except BadNameError:  # the box did not write this cookie
        return Name()


def was_asked() -> bool:
    """Whether the phone has said who practises, with or without a name."""
    return COOKIE in request.cookies


def remember(answer: AnyResponse, name: str) -> AnyResponse:
    """Store in the phone's cookie who practises; return the response."""
    answer.set_cookie(COOKIE, quote(name), max_age=_YEAR, httponly=True, samesite="Strict")
    return answer
