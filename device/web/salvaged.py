"""Tells players that the log was damaged, on the first pages, until one has read it."""

from __future__ import annotations

from flask import Blueprint, Flask, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.settings.settings import append_to_box
from device.store.events import SalvageRead
from device.views.salvaged import salvaged
from device.web.box import box

pages = Blueprint("salvaged", __name__)


def init_app(app: Flask) -> None:
    """Let templates ask what is to be told."""
    app.jinja_env.globals["salvaged"] = lambda: salvaged(box().hands.store)


@pages.post("/salvaged/read")
def read() -> AnyResponse:
    """Take somebody's word that he has read it; twice is once."""
    if salvaged(box().hands.store):
        append_to_box(box().hands.store, SalvageRead())
    return redirect(url_for("home.index"), 303)
