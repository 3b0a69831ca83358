"""The box on a phone's home screen, and what such a phone shows when the box does not answer.

Browsers run a service worker over HTTPS whose certificate they trust, and on the box itself;
elsewhere they ask for the manifest alone, and nothing is missed. All of it is answered without the
PIN, for it tells of no hands.
"""

from __future__ import annotations

import hashlib

from flask import Blueprint, Flask, Response, render_template

pages = Blueprint("home_screen", __name__)

GREEN = {"light": "#15452f", "dark": "#08130e"}
"""The colour of a phone's own bars around the page, by theme."""

AGAIN = 5
"""Seconds after which a phone that got no answer asks again."""


def init_app(app: Flask) -> None:
    """Let every page say which colour goes with it."""
    app.jinja_env.globals["green"] = GREEN


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """Say how the box is shown on a home screen."""
    said = render_template("manifest.webmanifest")
    return Response(said, mimetype="application/manifest+json")


@pages.get("/service-worker.js")
def worker() -> Response:
    """Return the script that shows the page for no answer, and keeps that page and no other.

    It is another script when that page is another, as in another language: then browsers keep anew.
    """
    name = hashlib.sha256(no_answer().encode()).hexdigest()[:12]
    return Response(render_template("service-worker.js", name=name), mimetype="text/javascript")


@pages.get("/no-answer")
def no_answer() -> str:
    """Say that the box does not answer: kept by phones, for when it does not."""
    return render_template("no_answer.html", again=AGAIN)
