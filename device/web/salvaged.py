"""Tell players on the first pages that the log was damaged, until one has confirmed it."""

from __future__ import annotations

from flask import Blueprint, Flask, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.settings.settings import append_to_box
from device.store.events import SalvageRead
from device.views.box_health import salvage_view
from device.web.box import box

pages = Blueprint("salvaged", __name__)


def init_app(app: Flask) -> None:
    """Give templates the message about the damaged log."""
    app.jinja_env.globals["salvaged"] = lambda: salvage_view(box().hands.store)


@pages.post("/salvaged/read")
def read() -> AnyResponse:
    """Save that somebody has read the message. A second tap changes nothing."""
    if salvage_view(box().hands.store):
        append_to_box(box().hands.store, SalvageRead())
    return redirect(url_for("home.index"), 303)
