"""Tile sets: choose the one on the table, and register one so that the box learns its tiles.

To register a set, players lay it out and photograph it, then check what the box has read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from flask import Blueprint, Response, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.decoding.decoder import GATE
from device.hands.record import HandPhoto
from device.i18n.words import say, tile_name
from device.intake import AdditionalSetPhoto, NewRegistration
from device.tilesets.registrations import PlaceInPhoto, RegisteredTile, Registration
from device.views import photo_overlay
from device.views.hand_page import job_stages
from device.web.box import box
from device.web.fields import form
from device.web.hand import photo_response
from device.web.sheets import FAMILIES, NAMED, NOT_A_TILE
from device.web.uploads import uploaded
from scorer.tiles import CODES, FACE_DOWN, JOKER
from vision.set_registration import SET_PARTS, SHOWN_ROWS

pages = Blueprint("register", __name__, url_prefix="/sets/register")

MOST_PHOTOS = 3
"""Photographs per registration. More bring little, and somebody must check each."""

LESSON = (
    *(tuple(code for part in row for code in SET_PARTS[part]) for row in SHOWN_ROWS),
    (FACE_DOWN,) * 3,
)
"""The rows in which the page tells players to lay out the set."""


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One tile in a photograph."""

    place: PlaceInPhoto
    photo: HandPhoto
    crop: photo_overlay.TileCrop
    code: str | None
    name: str
    """The tile's name as read, marked if it is doubtful."""
    unconfirmed: bool
    changed: bool


@dataclass(frozen=True, slots=True)
class RegisteredFace:
    """One face, with all pictures of it."""

    code: str
    name: str
    seen: tuple[SeenTile, ...]


@dataclass(frozen=True, slots=True)
class LookOver:
    """The values of the page on which a registration is checked."""

    asked: tuple[SeenTile, ...]
    """The tiles that the box could not name."""
    unconfirmed: int
    families: tuple[tuple[str, tuple[RegisteredFace, ...]], ...]
    struck_out: tuple[SeenTile, ...]
    missing: tuple[str, ...]
    """The names of the faces that are in no photograph."""
    to_keep: int
    kept: bool
    """Whether the box has learnt all of these tiles."""
    notes: tuple[tuple[int, str], ...]
    """The number of a photograph, from 1, and a problem with it."""


@pages.get("/")
def show() -> str:
    """Show how to lay the set out."""
    name = box().sets.chosen(box().table).name
    return render_template("register.html", rows=LESSON, set_name=name)


@pages.post("/")
def begin() -> AnyResponse:
    """Begin to register the set on the table with a photograph."""
    return _back(box().intake.take(uploaded, NewRegistration(box().sets.chosen(box().table).id)))


@pages.get("/<id:registration>/")
def check(registration: str) -> str:
    """Show what the box has read in the photographs, or its progress."""
    at = box().jobs.stage(registration)  # read before the record, so that no stage is missed
    record = box().sets.registrations.get(registration)
    waiting = record.awaited is not None
    if waiting and at:
        steps = job_stages("registration", at)
        return render_template("register_waiting.html", record=record, stages=steps)
    return render_template(
        "registered.html",
        record=record,
        view=_check(record),
        waiting=waiting,
        room=len(record.photos) < MOST_PHOTOS,
    )


@pages.get("/<id:registration>/photo-<int:number>.jpg")
def photo(registration: str, number: int) -> Response:
    """Return one of the photographs."""
    photos = box().sets.registrations.get(registration).photos
    if number >= len(photos):
        abort(404)
    return photo_response(photos[number].photo.display)


@pages.post("/<id:registration>/photo")
def add_photo(registration: str) -> AnyResponse:
    """Receive another photograph of the set."""
    if len(box().sets.registrations.get(registration).photos) >= MOST_PHOTOS:
        abort(400)
    return _back(box().intake.take(uploaded, AdditionalSetPhoto(registration)))


@pages.post("/<id:registration>/again")
def read_again(registration: str) -> AnyResponse:
    """Read a photograph again after the box was switched off meanwhile."""
    box().sets.registrations.get(registration)
    box().jobs.submit("registration", registration)
    return _back(registration)


@pages.get("/<id:registration>/tile/<int:number>-<int:k>")
def tile(registration: str, number: int, k: int) -> str:
    """Show one tile with its reading and the alternatives."""
    record = box().sets.registrations.get(registration)
    shown = record.tile((number, k))
    return render_template(
        "registered_tile.html",
        record=record,
        tile=shown,
        seen=_seen(record, (number, k), shown),
        alternatives=_alternatives(shown),
        families=FAMILIES,
    )


@pages.post("/<id:registration>/tile/<int:number>-<int:k>")
def name(registration: str, number: int, k: int) -> AnyResponse:
    """Save what a tile is, or that it is not a tile."""
    code = form().choice("code", NAMED)
    box().sets.registrations.name(registration, (number, k), None if code == NOT_A_TILE else code)
    return _back(registration)


@pages.post("/<id:registration>/undo")
def undo(registration: str) -> AnyResponse:
    """Undo the last naming."""
    box().sets.registrations.undo(registration, form().seq(default=-1))
    return _back(registration)


@pages.post("/<id:registration>/keep")
def keep(registration: str) -> AnyResponse:
    """Learn from all tiles whose names are known."""
    record = box().sets.registrations.get(registration)
    with GATE.in_line(), GATE.turn():
        box().sets.register(record, (box().hands.open(each.photo) for each in record.photos))
    return _back(registration)


def _back(registration: str) -> AnyResponse:
    return redirect(url_for("register.check", registration=registration), 303)


def _check(record: Registration) -> LookOver:
    by_code: dict[str, list[SeenTile]] = {}
    asked, struck_out, unconfirmed = [], [], 0
    for place, each in record.tiles():
        seen = _seen(record, place, each)
        unconfirmed += each.is_unconfirmed
        if each.is_asked:
            asked.append(seen)
        elif each.code is None:
            struck_out.append(seen)
        else:
            by_code.setdefault(each.code, []).append(seen)
    to_keep = record.to_keep()
    return LookOver(
        asked=tuple(asked),
        unconfirmed=unconfirmed,
        families=_families(by_code),
        struck_out=tuple(struck_out),
        missing=tuple(tile_name(code) for code in CODES if code not in by_code),
        to_keep=len(to_keep),
        kept=bool(record.crops) and set(to_keep) <= record.crops.keys(),
        notes=tuple(
            (number + 1, say(problem.message))
            for number, photo in enumerate(record.photos)
            for problem in photo.problems
        ),
    )


def _families(
    by_code: Mapping[str, Iterable[SeenTile]],
) -> tuple[tuple[str, tuple[RegisteredFace, ...]], ...]:
    """Return the 42 faces by family, then backs and jokers if there are any."""
    known = [(say(f"family.{family}"), codes) for family, codes in FAMILIES]
    others = [code for code in (FACE_DOWN, JOKER) if code in by_code]
    rest = [(say("register.others"), others)] if others else []
    return tuple(
        (title, tuple(RegisteredFace(c, tile_name(c), tuple(by_code.get(c, ()))) for c in codes))
        for title, codes in (*known, *rest)
    )


def _seen(record: Registration, place: PlaceInPhoto, each: RegisteredTile) -> SeenTile:
    said = tile_name(each.code) if each.code else say("tile.not-a-tile")
    doubt = each.is_asked or each.is_unconfirmed
    words = [said, say("tile.is-doubtful")] if doubt else [said]
    return SeenTile(
        place=place,
        photo=record.photos[place[0]].photo,
        crop=photo_overlay.tile_crop(each.read.quad),
        code=each.code,
        name=", ".join(words),
        unconfirmed=each.is_unconfirmed,
        changed=each.named and each.code != each.read.code,
    )


def _alternatives(each: RegisteredTile) -> tuple[str, ...]:
    """Return the other faces that the tile resembles, the likeliest first."""
    likely = [each.read.code, *(code for code, _ in each.read.alternatives)]
    return tuple(code for code in likely if code != each.code)
