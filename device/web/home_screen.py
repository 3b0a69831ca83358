"""Let phones install the box on their home screen, with a page for when it does not answer.

Browsers run a service worker only over trusted HTTPS or on the box itself. Elsewhere they fetch the
manifest alone, which does no harm. None of it shows hands, so none of it asks for the PIN.
"""

from __future__ import annotations

import hashlib

from flask import Blueprint, Flask, Response, render_template

pages = Blueprint("home_screen", __name__)

GREEN = {"light": "#15452f", "dark": "#08130e"}
"""The colour of the phone's own bars around the page, by theme."""

AGAIN = 5
"""Seconds after which a phone without an answer asks again."""


def init_app(app: Flask) -> None:
    """Give templates the colour of the phone's bars."""
    app.jinja_env.globals["green"] = GREEN


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return the manifest, which says how the box looks on a home screen."""
    said = render_template("manifest.webmanifest")
    return Response(said, mimetype="application/manifest+json")


@pages.get("/service-worker.js")
def worker() -> Response:
    """Return the service worker, which caches the page for no answer and nothing else.

    The script contains a hash of that page. When the page changes, say its language, browsers
    cache it again.
    """
    name = hashlib.sha256(no_answer().encode()).hexdigest()[:12]
    return Response(render_template("service-worker.js", name=name), mimetype="text/javascript")


@pages.get("/no-answer")
def no_answer() -> str:
    """Show that the box does not answer. Phones cache this page."""
    return render_template("no_answer.html", again=AGAIN)
