"""The first page: take or choose a photograph, or open a hand again."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from PIL import Image
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import say
from device.samples.photographs import Sample
from device.views.summary import summarise
from device.web.box import box
from device.web.capture import busy_in_words, newest_by_itself
from device.web.uploads import uploaded
from vision.photo import AMPLE, open_photo

pages = Blueprint("home", __name__)

_THUMBNAIL = (480, 360)
_DAY = 24 * 3600


@pages.get("/")
def index() -> str | AnyResponse:
    """Show the table where a match is being played, else the ways to begin."""
    if box().tables.current():
        return redirect(url_for("table.show"))
    return single()


@pages.get("/single/")
def single() -> str:
    """Show the ways in to a hand of its own, and the newest hands."""
    recent = [summarise(record) for record in box().records.recent()]
    return render_template(
        "home.html", samples=box().samples, recent=recent, camera=camera_in_words()
    )


@pages.post("/hands")
def begin() -> AnyResponse:
    """Begin a hand with an uploaded photograph or a sample."""
    if not box().jobs.has_room:
        abort(503)
    name, data = sent()
    hand = box().records.begin(open_photo(data, name, AMPLE), data, box().rules)
    box().jobs.submit(hand)
    return redirect(url_for("hand.show", hand=hand), 303)


@pages.get("/sample/<name>.jpg")
def sample_picture(name: str) -> Response:
    """Return a sample's small picture."""
    response = Response(_thumbnail(_find_sample(name).path), mimetype="image/jpeg")
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


def sent() -> tuple[str, bytes]:
    """Return the photograph of the form, sent or chosen; raise PhotoError without one."""
    if "sample" not in request.form:
        return uploaded()
    sample = _find_sample(request.form["sample"])
    return sample.path.name, sample.path.read_bytes()


def _find_sample(name: str) -> Sample:
    named = {sample.name: sample for sample in box().samples}
    if name not in named:
        abort(404)
    return named[name]


@lru_cache(maxsize=32)
def _thumbnail(path: Path) -> bytes:
    with Image.open(path) as image:
        image.draft("RGB", _THUMBNAIL)
        image.thumbnail(_THUMBNAIL)
        out = io.BytesIO()
        image.convert("RGB").save(out, "JPEG", quality=84)
    return out.getvalue()
