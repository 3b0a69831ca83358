"""Point and ask: show what tiles are, what a hand waits for, and which hands it is close to.

The tiles are a hand like any other, with the same events and the same sheets for corrections. Only
the page that shows them differs.
"""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, render_template
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import HandRecord
from device.hands.repository import HandQuestion
from device.intake import TileEnquiry
from device.views.hand_page import hand_stages, summarise_hand
from device.views.tutor.asked_tiles import ask_view
from device.web.box_camera import camera_view, take_still, take_still_if_due
from device.web.contexts import photo_desk, records, room
from device.web.links import ASKING_PAGE, OPENED_FROM_FIELD, redirect_to
from device.web.table.current_match import phone_player
from device.web.table.hand_in_match import find_hand
from device.web.tutor.rules import agreement_in_force
from device.web.uploads import ask_about_hand, read_upload_or_sample

pages = Blueprint("asking", __name__, url_prefix="/learn/ask")


@pages.get("/")
def show() -> str:
    """Show the ways to ask the box about some tiles, and those asked about last."""
    return render_template(
        "tutor/asking.html",
        samples=photo_desk().samples,
        recent=[summarise_hand(each) for each in records().hands.recent() if each.is_question],
        camera=camera_view(),
        asking=True,
    )


@pages.post("/")
def begin() -> AnyResponse:
    """Ask about an uploaded photograph or a sample."""
    return redirect_to(
        "asking.hand", hand=photo_desk().intake.take(read_upload_or_sample, _question())
    )


@pages.post("/snap")
def snap() -> AnyResponse:
    """Ask about the tiles in front of the box's own camera."""
    return redirect_to("asking.hand", hand=photo_desk().intake.take(take_still, _question()))


@pages.post("/snap-if-due")
def snap_if_due() -> tuple[str, int]:
    """Take a photograph if the box has found the right moment."""
    photo_desk().intake.take_if_due(take_still_if_due, _question())
    return "", 204


@pages.post("/enter")
def enter() -> AnyResponse:
    """Ask about tiles that are entered by hand."""
    rules = agreement_in_force().ruleset
    hand = records().hands.begin_question(None, b"", rules, _known_from_match())
    return redirect_to("byhand.show", hand=hand)


@pages.get("/<id:hand>/")
def hand(hand: str) -> str:
    """Show what the tiles are and what they can become, or the progress of the reading."""
    stage = photo_desk().jobs.stage(hand)  # read before the record, so that no stage is missed
    found_hand = find_hand(hand)
    record = found_hand.record
    if record.doubts:
        return ask_about_hand(record, {OPENED_FROM_FIELD: ASKING_PAGE})
    if not (record.is_read or record.failure or record.tiles) or (record.awaited_photo and stage):
        return render_template(
            "tutor/asking_waiting.html", record=record, stages=hand_stages(record, stage)
        )
    view = ask_view(record, counts_table=_counts_table(record))
    return render_template("tutor/asked.html", record=record, view=view, at_table=found_hand.place)


def _counts_table(record: HandRecord) -> bool:
    """Return whether the tiles on the table count: a table may forbid it during a match."""
    is_on = room().wait_counting.is_on_at(record.table)
    return is_on or room().matches.at_table(record.table).current() is None


def _question() -> TileEnquiry:
    return TileEnquiry(agreement_in_force().ruleset, _known_from_match())


def _known_from_match() -> HandQuestion:
    """Return what the current match tells: its rules, and the winds of the phone's player."""
    match = room().matches.current()
    if match is None:
        agreement = agreement_in_force()
        return HandQuestion(agreement if agreement.rules_text else None, table=room().table)
    deal = match.course.next_deal
    return HandQuestion(
        agreement=replace(match.agreement, goulash=deal.goulash),
        seat_wind=deal.seating.winds.get(phone_player(match), "E"),
        prevailing_wind=deal.prevailing_wind or "E",
        table=match.table,
    )
