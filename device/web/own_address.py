"""Links within the box: the way back that a request asks for, and the links of rule ids.

A way back counts only if it is a page of this box.
"""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from flask import current_app, request, url_for
from werkzeug.exceptions import HTTPException
from werkzeug.urls import iri_to_uri

from device.web.fields import form


def own_address(back: str) -> str:
    """Return the path if it is a page of the box, else the first page.

    Browsers drop tabs and line ends from an address before they follow it, and so does `urlsplit`.
    The result has none, and the URL map knows its path.
    """
    home = url_for("home.index")
    try:
        wanted = urlsplit(back)
        if wanted.scheme or wanted.netloc or not wanted.path.startswith("/"):
            return home
        current_app.url_map.bind("").match(wanted.path, "GET")
    except (ValueError, HTTPException):  # not an address, or not a page
        return home
    return iri_to_uri(wanted._replace(fragment="").geturl())


def sent_from() -> str:
    """Return the path of the page that sent the form, else the first page."""
    return own_address(referrer()._replace(scheme="", netloc="").geturl())


def referrer() -> SplitResult:
    """Return the address in the Referer header; empty without one."""
    try:
        return urlsplit(request.referrer or "")
    except ValueError:  # no browser sends this
        return urlsplit("")


def then_or(page: str) -> str:
    """Return the page that the form's `then` field names, else the given page."""
    return own_address(form().word("then")) if "then" in form() else page
