"""The first page, with a way to all that the box does; and the page of a hand of its own."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, redirect, render_template, url_for
from PIL import Image
from werkzeug.wrappers import Response as AnyResponse

from device.damage import examine
from device.hands.hand import HandRecord
from device.intake import OwnHand
from device.views.care import care_lines
from device.views.summary import summarise
from device.views.torn import TornLine, damage_lines, torn_line
from device.web.box import box
from device.web.capture import camera_in_words
from device.web.club.choosing import table_to_choose
from device.web.first_steps import welcome
from device.web.uploads import find_sample, uploaded_or_sample

pages = Blueprint("home", __name__)

_THUMBNAIL = (480, 360)
_DAY = 24 * 3600


@pages.get("/")
def index() -> str | AnyResponse:
    """Lead who comes in to the table where a match is being played, else show the first page.

    Where there are several tables, a phone that sits at none is asked at which.
    """
    if asked := table_to_choose():
        return asked
    if box().matches.current():
        return redirect(url_for("table.show"))
    return first()


@pages.get("/first/")
def first() -> str | AnyResponse:
    """Show the ways to all that the box does; to the table first, if a match is being played.

    Whoever comes first to a new box is asked whether to be walked through it.
    """
    if met := welcome() or table_to_choose():
        return met
    damage = damage_lines(examine(box().hands.store))
    care = care_lines(box().care.found)
    return render_template("home.html", match=box().matches.current(), damage=damage, care=care)


@pages.get("/single/")
def single() -> str:
    """Show the ways in to a hand of its own, and the newest hands."""
    whole, torn = _newest()
    return render_template(
        "single.html",
        samples=box().samples,
        recent=[summarise(record) for record in whole],
        torn=torn,
        camera=camera_in_words(),
        is_match_on=box().matches.current() is not None,
    )


@pages.post("/hands")
def begin() -> AnyResponse:
    """Begin a hand with an uploaded photograph or a sample."""
    hand = box().intake.take(uploaded_or_sample, OwnHand(box().rules_here, box().table))
    return redirect(url_for("hand.show", hand=hand), 303)


@pages.get("/sample/<name>.jpg")
def sample_picture(name: str) -> Response:
    """Return a sample's small picture."""
    response = Response(_thumbnail(find_sample(name).path), mimetype="image/jpeg")
    response.cache_control.max_age = _DAY
    return response


def _newest() -> tuple[tuple[HandRecord, ...], list[TornLine]]:
    """Return the newest hands, and what is said of those that are torn, and of such a match."""
    whole, torn = box().hands.recent_and_torn()
    return whole, [torn_line(each) for each in (*box().matches.newest_torn(), *torn)]


@lru_cache(maxsize=32)
def _thumbnail(path: Path) -> bytes:
    with Image.open(path) as image:
        image.draft("RGB", _THUMBNAIL)
        image.thumbnail(_THUMBNAIL)
        out = io.BytesIO()
        image.convert("RGB").save(out, "JPEG", quality=84)
    return out.getvalue()
