"""The first page, with links to all that the box does, and the page for a single hand."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, redirect, render_template, url_for
from PIL import Image
from werkzeug.wrappers import Response as AnyResponse

from device.damage import examine
from device.hands.record import HandRecord
from device.intake import StandaloneHand
from device.views.box_health import TornLine, damage_lines, torn_line
from device.views.hand_page import summarise_hand
from device.web.box_camera import camera_view
from device.web.club.table_choice import ask_for_table
from device.web.contexts import photo_desk, records, room, upkeep
from device.web.first_steps import welcome_page
from device.web.links import redirect_to
from device.web.uploads import find_sample, read_upload_or_sample

pages = Blueprint("home", __name__)

_MAX_THUMBNAIL_PX = (480, 360)
_SAMPLE_AGE_S = 24 * 3600


@pages.get("/")
def index() -> str | AnyResponse:
    """Redirect to the table while a match is being played; else show the first page.

    If the club has several tables, ask a phone that sits at none to choose one.
    """
    if choice_page := ask_for_table():
        return choice_page
    if room().matches.current():
        return redirect(url_for("table.show"))
    return first()


@pages.get("/first/")
def first() -> str | AnyResponse:
    """Show links to all that the box does, first to a match that is being played.

    The first phone at a new box is offered the first steps instead.
    """
    if first_page := welcome_page() or ask_for_table():
        return first_page
    damage = damage_lines(examine(records().store))
    care = upkeep().care.list_findings
    return render_template("home.html", match=room().matches.current(), damage=damage, care=care)


@pages.get("/single/")
def single() -> str:
    """Show the ways to begin a single hand, and the newest hands."""
    hands, torn_lines = _newest_hands()
    return render_template(
        "single.html",
        samples=photo_desk().samples,
        recent=[summarise_hand(record) for record in hands],
        torn=torn_lines,
        camera=camera_view(),
        is_match_on=room().matches.current() is not None,
    )


@pages.post("/hands")
def begin() -> AnyResponse:
    """Begin a single hand with an uploaded photograph or a sample."""
    hand = photo_desk().intake.take(
        read_upload_or_sample, StandaloneHand(room().agreement_here, room().table)
    )
    return redirect_to("hand.show", hand=hand)


@pages.get("/sample/<name>.jpg")
def sample_picture(name: str) -> Response:
    """Return the thumbnail of a sample."""
    response = Response(_thumbnail(find_sample(name).path), mimetype="image/jpeg")
    response.cache_control.max_age = _SAMPLE_AGE_S
    return response


def _newest_hands() -> tuple[tuple[HandRecord, ...], list[TornLine]]:
    """Return the newest hands, and a line for each damaged hand and match among them."""
    hands, errors = records().hands.recent_and_torn()
    return hands, [torn_line(each) for each in (*room().matches.newest_errors(), *errors)]


@lru_cache(maxsize=32)
def _thumbnail(path: Path) -> bytes:
    with Image.open(path) as image:
        image.draft("RGB", _MAX_THUMBNAIL_PX)
        image.thumbnail(_MAX_THUMBNAIL_PX)
        buffer = io.BytesIO()
        image.convert("RGB").save(buffer, "JPEG", quality=84)
    return buffer.getvalue()
