"""Where a request wants to be led back to, if that is a page of the box."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from flask import current_app, request, url_for
from werkzeug.exceptions import HTTPException
from werkzeug.urls import iri_to_uri

from device.web.fields import form


def own_address(back: str) -> str:
    """Return the path if it is that of one of the box's pages, else that of the first.

    Browsers leave tabs and ends of lines out of an address before they look where it leads, and so
    does `urlsplit`. What is returned has none, and the URL map knows its path.
    """
    home = url_for("home.index")
    try:
        wanted = urlsplit(back)
        if wanted.scheme or wanted.netloc or not wanted.path.startswith("/"):
            return home
        current_app.url_map.bind("").match(wanted.path, "GET")
    except (ValueError, HTTPException):  # no address at all, or of no page
        return home
    return iri_to_uri(wanted._replace(fragment="").geturl())


def sent_from() -> str:
    """Return the path of the page that had the form that was sent, else that of the first."""
    return own_address(referrer()._replace(scheme="", netloc="").geturl())


def referrer() -> SplitResult:
    """Return the address that the browser says it comes from; an empty one where it says none."""
    try:
        return urlsplit(request.referrer or "")
    except ValueError:  # not of a browser's making
        return urlsplit("")


def then_or(page: str) -> str:
    """Return where the form that was sent says to go afterwards; the page where it says nothing."""
    return own_address(form().word("then")) if "then" in form() else page
