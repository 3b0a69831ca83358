"""Ask about a bad photograph from a phone: take it again, or read it as it is.

The question waits in the log until somebody answers it, on any phone, however long that takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import HandRecord
from device.intake import RetakenPhoto, RetakenTablePhoto
from device.job_handlers import JobKind
from device.matches.match import Match
from device.matches.table_photo import TablePhoto, TablePhotos
from device.store.events import PhotoAccepted
from device.web.box import box
from device.web.opened_from import page_of
from device.web.table.here import acting, match_here, me
from device.web.uploads import uploaded

pages = Blueprint("doubted", __name__)


def doubted_hand(record: HandRecord, opened: Mapping[str, Any] = MappingProxyType({})) -> str:
    """Return the page that asks about the newest photograph of a hand.

    `opened` is what the answer's address must carry on; see `opened_from`.
    """
    hand = record.id
    picture = url_for("hand.photo", hand=hand)
    if record.awaited:
        picture = url_for("hand.added_photo", hand=hand, number=record.settled)
    return render_template(
        "doubted.html",
        why=record.doubts,
        photo=record.newest_photo,
        picture=picture,
        retake=url_for("doubted.retake", hand=hand, **opened),
        accept=url_for("doubted.accept", hand=hand, **opened),
        whose=record.player,
    )


def doubted_table(table: TablePhoto) -> str:
    """Return the page that asks about a photograph of the whole table."""
    return render_template(
        "doubted.html",
        why=table.doubts,
        photo=table.photo,
        picture=url_for("whole.picture", photo=table.id),
        retake=url_for("doubted.retake_table", photo=table.id),
        accept=url_for("doubted.accept_table", photo=table.id),
        whose="",
    )


@pages.post("/hand/<id:hand>/retaken")
def retake(hand: str) -> AnyResponse:
    """Receive a photograph that replaces the one in question."""
    box().intake.take(uploaded, RetakenPhoto(_kind(hand), hand, acting(hand)))
    return redirect(page_of(hand), 303)


@pages.post("/hand/<id:hand>/as-it-is")
def accept(hand: str) -> AnyResponse:
    """Read the photograph as it is."""
    box().jobs.check_room()
    box().hands.change(hand, PhotoAccepted(by=acting(hand)))
    box().jobs.submit(_kind(hand), hand)
    return redirect(page_of(hand), 303)


@pages.post("/table/whole/<id:photo>/retaken")
def retake_table(photo: str) -> AnyResponse:
    """Receive a photograph of the whole table that replaces the one in question."""
    match = _match_of(photo)
    box().intake.take(uploaded, RetakenTablePhoto(match, photo, me(match)))
    return redirect(url_for("whole.show", photo=photo), 303)


@pages.post("/table/whole/<id:photo>/as-it-is")
def accept_table(photo: str) -> AnyResponse:
    """Read the photograph of the whole table as it is."""
    match = _match_of(photo)
    box().jobs.check_room()
    TablePhotos(box().hands).accept(photo, me(match))
    box().jobs.submit("whole-table", photo)
    return redirect(url_for("whole.show", photo=photo), 303)


def _kind(hand: str) -> JobKind:
    """Return the kind of job that reads the photograph in question."""
    return "added-photo" if box().hands.get(hand).awaited else "hand"


def _match_of(photo: str) -> Match:
    """Return the match that is being played. Answer 404 if the photograph is of another."""
    match = match_here()
    if TablePhotos(box().hands).get(photo).match != match.id:
        abort(404)
    return match
