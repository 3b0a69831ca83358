"""The first page: take or choose a photograph, or open a hand again."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, redirect, render_template, url_for
from PIL import Image
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import say
from device.intake import OwnHand
from device.views.summary import summarise
from device.views.torn import torn_line
from device.web.box import box
from device.web.capture import busy_in_words, newest_by_itself
from device.web.uploads import find_sample, uploaded_or_sample

pages = Blueprint("home", __name__)

_THUMBNAIL = (480, 360)
_DAY = 24 * 3600


@pages.get("/")
def index() -> str | AnyResponse:
    """Show the table where a match is being played, else the ways to begin."""
    if box().matches.current():
        return redirect(url_for("table.show"))
    return single()


@pages.get("/single/")
def single() -> str:
    """Show the ways in to a hand of its own, and the newest hands."""
    whole, torn = box().hands.recent_and_torn()
    return render_template(
        "home.html",
        samples=box().samples,
        recent=[summarise(record) for record in whole],
        torn=[torn_line(each) for each in (*box().matches.newest_torn(), *torn)],
        camera=camera_in_words(),
    )


@pages.post("/hands")
def begin() -> AnyResponse:
    """Begin a hand with an uploaded photograph or a sample."""
    hand = box().intake.take(uploaded_or_sample, OwnHand(box().rules))
    return redirect(url_for("hand.show", hand=hand), 303)


@pages.get("/sample/<name>.jpg")
def sample_picture(name: str) -> Response:
    """Return a sample's small picture."""
    response = Response(_thumbnail(find_sample(name).path), mimetype="image/jpeg")
    response.cache_control.max_age = _DAY
    return response


def camera_in_words() -> dict[str, Any] | None:
    """Return what is said of the box's camera; None for a box that has none.

    What to do before the shutter is left to the script, which keeps it true.
    """
    camera = box().camera
    status = camera.status if camera else None
    if status is None or status.state == "absent":
        return None
    adjusts = status.info is not None and status.info.can_adjust
    return {
        "state": status.state,
        "words": say(status.sentence) if status.sentence else busy_in_words(),
        "can_adjust": adjusts,
        "by_itself": box().settings.now().snap_when_ready,
        "hand": newest_by_itself(),
    }


@lru_cache(maxsize=32)
def _thumbnail(path: Path) -> bytes:
    with Image.open(path) as image:
        image.draft("RGB", _THUMBNAIL)
        image.thumbnail(_THUMBNAIL)
        out = io.BytesIO()
        image.convert("RGB").save(out, "JPEG", quality=84)
    return out.getvalue()
