"""Point and ask: what tiles are, what a hand waits for and what it is near.

The tiles are a hand like any other, with the same events and the same sheets to put a tile right;
what is shown of them is another page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.cameras.protocol import Frame
from device.hands.repository import Asking
from device.views.hand import stages
from device.views.tutor.asked import ask_view
from device.web.box import box
from device.web.capture import photographed, still_if_due, the_camera, the_still
from device.web.home import camera_in_words, sent
from device.web.table.hand_in_match import at_table
from device.web.table.here import me
from device.web.tutor.in_force import agreement_in_force
from vision.photo import AMPLE, Photo, open_photo

pages = Blueprint("asking", __name__, url_prefix="/learn/ask")


@pages.get("/")
def show() -> str:
    """Show the ways to show the box some tiles."""
    return render_template(
        "tutor/asking.html", samples=box().samples, camera=camera_in_words(), asking=True
    )


@pages.post("/")
def begin() -> AnyResponse:
    """Ask about an uploaded photograph, or a sample."""
    _see_that_there_is_room()
    name, data = sent()
    return _to(_question(open_photo(data, name, AMPLE), data))


@pages.post("/snap")
def snap() -> AnyResponse:
    """Ask about what lies before the box's own camera."""
    the_camera()
    _see_that_there_is_room()
    return _to(_snapped(the_still()))


@pages.post("/snap-if-due")
def snap_if_due() -> tuple[str, int]:
    """Take the photograph for which the box itself has found the moment."""
    if not box().settings.now().snap_when_ready:
        abort(503)
    _see_that_there_is_room()
    if frame := still_if_due():
        _snapped(frame, by_itself=True)
    return "", 204


@pages.post("/enter")
def enter() -> AnyResponse:
    """Ask about tiles that are tapped in by hand."""
    rules = agreement_in_force().ruleset
    hand = box().records.begin_question(None, b"", rules, _known({}))
    return redirect(url_for("byhand.show", hand=hand), 303)


@pages.get("/<hand>/")
def hand(hand: str) -> str:
    """Show what a hand's tiles are and what may come of them, or how far its reading has come."""
    at = box().jobs.stage(hand)  # before the record: what has been read by now is in that
    record = box().records.get(hand)
    if not (record.is_read or record.failure or record.tiles) or (record.awaited and at):
        return render_template(
            "tutor/asking_waiting.html", record=record, stages=stages(record, at)
        )
    view = ask_view(record)
    return render_template("tutor/asked.html", record=record, view=view, at_table=at_table(record))


def _see_that_there_is_room() -> None:
    if not box().jobs.has_room:
        abort(503)


def _snapped(frame: Frame, *, by_itself: bool = False) -> str:
    photo, data, said = photographed(frame, by_itself=by_itself)
    return _question(photo, data, said)


def _question(photo: Photo, data: bytes, camera: Mapping[str, Any] = MappingProxyType({})) -> str:
    """Begin a hand with a photograph and let it be read; return its id."""
    rules = agreement_in_force().ruleset
    hand = box().records.begin_question(photo, data, rules, _known(camera))
    box().jobs.submit(hand)
    return hand


def _known(camera: Mapping[str, Any]) -> Asking:
    """Return what the match on the table tells: what it plays by, and this phone's winds."""
    match = box().tables.current()
    if match is None:
        return Asking(camera=camera)
    deal = match.course.next_deal
    return Asking(
        agreement=replace(match.agreement, goulash=deal.goulash),
        seat_wind=deal.seating.winds.get(me(match), ""),
        prevailing_wind=deal.prevailing_wind or "",
        camera=camera,
    )


def _to(hand: str) -> AnyResponse:
    return redirect(url_for("asking.hand", hand=hand), 303)
