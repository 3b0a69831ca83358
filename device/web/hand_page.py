"""The page of one hand: the progress of its reading, its tiles, its situation and its score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, url_for
from msgspec import structs
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import ANSWERS, ODD_POINTS, HandPhoto, HandRecord, ways_to_win
from device.hands.repository import ChangeRefusedError
from device.i18n.words import say
from device.intake import AdditionalPhoto
from device.store.events import (
    BlockAnswered,
    ContextSet,
    CropsAsked,
    HandChange,
    MirrorAnswered,
    PointSettled,
    ReadingAsked,
    ReadingRenewed,
    SetMoved,
    SetsMoved,
    TilesConfirmed,
)
from device.views.hand_page import hand_stages, hand_view
from device.views.tiles import ROWS
from device.views.winning import NO_WIN
from device.web.contexts import photo_desk, records
from device.web.fields import FieldsSent, form
from device.web.first_steps import is_rehearsal
from device.web.links import hand_url
from device.web.name_gate import name_gate
from device.web.permissions import Role, require_role
from device.web.table.current_match import acting_player
from device.web.table.hand_in_match import find_hand
from device.web.uploads import ask_about_hand, read_upload
from scorer.tiles import WINDS

pages = Blueprint("hand", __name__, url_prefix="/hand/<id:hand>")

_PICTURE_AGE_S = 24 * 3600

_NO_HAND_STATUS = 422
"""Status for a photo that shows no hand. An unfinished hand is fine."""

_ANSWER_READERS: Mapping[str, Callable[[FieldsSent, str], object]] = {
    "winner": FieldsSent.flag,
    "original_call": FieldsSent.flag,
    "won_by": lambda fields, key: fields.choice(key, (*ways_to_win(), NO_WIN)),
    "winning_tile": lambda fields, key: fields.place(key, default=None),
    "seat_wind": lambda fields, key: fields.choice(key, WINDS),
    "prevailing_wind": lambda fields, key: fields.choice(key, WINDS),
}
"""Reads each of the player's answers from the form."""


@pages.get("/")
def show(hand: str) -> tuple[str, int] | AnyResponse:
    """Show a hand, or the progress of its reading."""
    stage = photo_desk().jobs.stage(hand)  # read before the record, so that no stage is missed
    found_hand = find_hand(hand)
    record, place = found_hand.record, found_hand.place
    if place and place.undecided:
        return redirect(url_for("which.show", number=place.number))
    if record.doubts:
        return ask_about_hand(record), 200
    if not (record.is_read or record.failure or record.tiles) or (record.awaited_photo and stage):
        page = render_template("waiting.html", record=record, stages=hand_stages(record, stage))
        return page, 200
    view = hand_view(record, found_hand.before())
    page = render_template(
        "hand.html",
        record=record,
        view=view,
        stages=hand_stages(record, "score"),
        may_learn=records().sets.may_learn(),
        other_set=_other_set_name(record),
        at_table=place,
        uncounted=found_hand.uncounted_hand,
        rehearsal=place is None and is_rehearsal(hand),
        doubts=found_hand.conflicts(),
    )
    return page, _NO_HAND_STATUS if view.shows_no_hand else 200


@pages.get("/photo.jpg")
def photo(hand: str) -> Response:
    """Return the photograph for display, with nothing painted on it."""
    record = records().hands.get(hand)
    return photo_response(record.picture_name(_photo_of(record)))


@pages.get("/photo-<int:number>.jpg")
def added_photo(hand: str, number: int) -> Response:
    """Return one of the photographs that were added to the hand, counted from 0."""
    record = records().hands.get(hand)
    if number >= len(record.added_photos):
        abort(404)
    return photo_response(record.picture_name(record.added_photos[number]))


@pages.get("/thumbnail.jpg")
def thumbnail(hand: str) -> Response:
    """Return the thumbnail for the list of hands."""
    return photo_response(_photo_of(records().hands.get(hand)).thumbnail)


def _photo_of(record: HandRecord) -> HandPhoto:
    if record.photo is None:
        abort(404)
    return record.photo


@pages.post("/photo")
def add_photo(hand: str) -> AnyResponse:
    """Receive another photograph of the hand."""
    photo_desk().intake.take(read_upload, AdditionalPhoto(hand))
    return redirect_to_hand(hand)


@pages.post("/set/<int:which>")
def move_set(hand: str, which: int) -> AnyResponse:
    """Move a set to another row."""
    return change_hand(hand, SetMoved(which, form().choice("row", ROWS)))


@pages.post("/sets")
def move_sets(hand: str) -> AnyResponse:
    """Move a whole row of sets to another row."""
    fields = form()
    return change_hand(hand, SetsMoved(fields.numbers("sets"), fields.choice("row", ROWS)))


@pages.post("/right")
def confirm(hand: str) -> AnyResponse:
    """Save that the player confirms all tiles. Learn from them if that is allowed."""
    answer = change_hand(hand, TilesConfirmed())
    _learn_tiles(hand)
    return answer


def _other_set_name(record: HandRecord) -> str:
    """Return the name of the tile set that the hand seems to be from; empty if none is offered."""
    sets = records().sets
    if not record.may_be_read_anew or record.looks_like == sets.chosen_set(record.table).id:
        return ""
    other = sets.find_set(record.looks_like)
    return (name_gate().words(other.name) or say("sets.usual")) if other else ""


@pages.post("/mirrored")
def say_mirrored(hand: str) -> AnyResponse:
    """Save whether the photograph is mirrored. If it is, read it again as such."""
    is_mirrored = form().choice("mirrored", ("yes", "no")) == "yes"
    records().hands.change(hand, MirrorAnswered(is_mirrored, by=acting_player(hand)))
    if is_mirrored:
        photo_desk().jobs.submit("hand", hand)
    return redirect_to_hand(hand)


@pages.post("/block")
def say_block(hand: str) -> AnyResponse:
    """Save whether tiles that lie together beside the hand are the player's."""
    fields = form()
    return change_hand(hand, BlockAnswered(fields.place("block"), fields.flag("own")))


@pages.post("/so")
def say_so(hand: str) -> AnyResponse:
    """Save that the player confirms something that looks odd."""
    return change_hand(hand, PointSettled(form().choice("point", ODD_POINTS)))


@pages.post("/learn")
def learn(hand: str) -> AnyResponse:
    """Save whether the box may learn from tiles; if so, begin with this hand if it is confirmed."""
    may_learn = form().choice("learn", ("yes", "no")) == "yes"
    if records().sets.may_learn() not in (None, may_learn):
        require_role(Role.OWNER)
    records().sets.allow(is_allowed=may_learn)
    _learn_tiles(hand)
    return redirect_to_hand(hand)


def _learn_tiles(hand: str) -> None:
    """Have the worker cut out the tiles of a confirmed hand, if the players allow it."""
    record = records().hands.get(hand)
    if record.tiles_right and records().sets.may_learn():
        records().hands.change(hand, CropsAsked(records().sets.chosen_set(record.table).id))
        photo_desk().jobs.submit("crops", hand)


@pages.post("/set")
def use_other_set(hand: str) -> AnyResponse:
    """Choose the tile set that the hand seems to be from, and read the hand again."""
    record = records().hands.get(hand)
    if not _other_set_name(record):
        raise ChangeRefusedError("the hand seems to be from no other set")
    records().hands.change(hand, ReadingRenewed())
    records().sets.choose(record.looks_like, record.table)
    photo_desk().jobs.submit("hand", hand)
    return redirect_to_hand(hand)


@pages.post("/situation")
def set_situation(hand: str) -> AnyResponse:
    """Save the player's answers about the situation."""
    fields = form()
    answers: dict[str, Any] = {
        key: read(fields, key) for key, read in _ANSWER_READERS.items() if key in fields
    }
    if fields.names - ANSWERS:
        raise ChangeRefusedError("that is no part of a situation")
    if "won_by" in answers:
        answers["winner"] = answers["won_by"] != NO_WIN
        if not answers["winner"]:
            del answers["won_by"]
    return change_hand(hand, ContextSet(**answers))


@pages.post("/undo")
def undo(hand: str) -> AnyResponse:
    """Undo the last change."""
    records().hands.undo(hand, form().seq(default=-1))
    return redirect_to_hand(hand)


@pages.post("/redo")
def redo(hand: str) -> AnyResponse:
    """Redo the change that was undone last."""
    records().hands.redo(hand, form().seq(default=-1))
    return redirect_to_hand(hand)


@pages.post("/again")
def read_again(hand: str) -> AnyResponse:
    """Read a photograph again after its reading failed."""
    records().hands.change(hand, ReadingAsked())
    photo_desk().jobs.submit("hand", hand)
    return redirect_to_hand(hand)


def change_hand(hand: str, event: HandChange) -> AnyResponse:
    """Save what a player changes in a hand, and who that is; lead back to the hand."""
    records().hands.change(hand, structs.replace(event, by=acting_player(hand)))
    return redirect_to_hand(hand)


def redirect_to_hand(hand: str) -> AnyResponse:
    """Return a redirect to the hand's page after a change."""
    return redirect(hand_url(hand), 303)


def photo_response(name: str) -> Response:
    """Return a stored picture, which phones may cache."""
    response = Response(records().hands.picture(name), mimetype="image/jpeg")
    response.cache_control.private = True
    response.cache_control.max_age = _PICTURE_AGE_S
    return response
