"""Registering a set: how to lay it out, what the box makes of the photo, and keeping its tiles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from flask import Blueprint, Response, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.decoding.gate import GATE
from device.hands.tiles import HandPhoto
from device.i18n.words import say, tile_name
from device.intake import AnotherPhotoOfSet, SetLaidOut
from device.tilesets.registrations import PlaceInPhoto, RegisteredTile, Registration
from device.views import overlay
from device.views.stages import stages
from device.web.box import box
from device.web.fields import form
from device.web.hand import photo_response
from device.web.sheets import FAMILIES, NAMED, NOT_A_TILE
from device.web.uploads import uploaded
from scorer.tiles import CODES, FACE_DOWN, JOKER
from vision.registering import PARTS, SHOWN

pages = Blueprint("register", __name__, url_prefix="/sets/register")

MOST_PHOTOS = 3
"""Photographs of one registration: more bring little, and each is to be looked over."""

LESSON = (
    *(tuple(code for part in row for code in PARTS[part]) for row in SHOWN),
    (FACE_DOWN,) * 3,
)
"""The rows as the page shows them."""


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One picture of a tile."""

    place: PlaceInPhoto
    photo: HandPhoto
    crop: overlay.Crop
    code: str | None
    name: str
    """What it is taken for, in words, its doubts included."""
    unconfirmed: bool
    changed: bool


@dataclass(frozen=True, slots=True)
class RegisteredFace:
    """One face with every picture of it."""

    code: str
    name: str
    seen: tuple[SeenTile, ...]


@dataclass(frozen=True, slots=True)
class LookOver:
    """What is to be looked over."""

    asked: tuple[SeenTile, ...]
    """Those of which the box does not know what they are."""
    unconfirmed: int
    families: tuple[tuple[str, tuple[RegisteredFace, ...]], ...]
    struck_out: tuple[SeenTile, ...]
    missing: tuple[str, ...]
    """Names of the faces that no photograph shows."""
    to_keep: int
    kept: bool
    """Whether the box has learnt all that there is to learn."""
    notes: tuple[tuple[int, str], ...]
    """The number of the photograph, from 1, and what is to be known of it."""


@pages.get("/")
def show() -> str:
    """Show how to lay the set out."""
    name = box().sets.chosen(box().table).name
    return render_template("register.html", rows=LESSON, set_name=name)


@pages.post("/")
def begin() -> AnyResponse:
    """Begin a registration of the set on the table with a photograph."""
    return _back(box().intake.take(uploaded, SetLaidOut(box().sets.chosen(box().table).id)))


@pages.get("/<id:registration>/")
def check(registration: str) -> str:
    """Show what the box made of the photographs, or that it is still reading one."""
    at = box().jobs.stage(registration)  # before the record: what has been read is in that
    record = box().sets.registrations.get(registration)
    waiting = record.awaited is not None
    if waiting and at:
        steps = stages("registration", at)
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
    """Take in another photograph of the set."""
    if len(box().sets.registrations.get(registration).photos) >= MOST_PHOTOS:
        abort(400)
    return _back(box().intake.take(uploaded, AnotherPhotoOfSet(registration)))


@pages.post("/<id:registration>/again")
def read_again(registration: str) -> AnyResponse:
    """Read the photograph at which the box was switched off."""
    box().sets.registrations.get(registration)
    box().jobs.submit("registration", registration)
    return _back(registration)


@pages.get("/<id:registration>/tile/<int:number>-<int:k>")
def tile(registration: str, number: int, k: int) -> str:
    """Show one tile beside what it is taken for, with what else it might be."""
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
    """Name a tile, or strike it out."""
    code = form().choice("code", NAMED)
    box().sets.registrations.name(registration, (number, k), None if code == NOT_A_TILE else code)
    return _back(registration)


@pages.post("/<id:registration>/undo")
def undo(registration: str) -> AnyResponse:
    """Take back the last naming."""
    box().sets.registrations.undo(registration, form().seq(default=-1))
    return _back(registration)


@pages.post("/<id:registration>/keep")
def keep(registration: str) -> AnyResponse:
    """Learn from all tiles of which it is known what they are."""
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
    """Return the 42 faces by family, and the backs and jokers that there are."""
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
        crop=overlay.crop(each.read.quad),
        code=each.code,
        name=", ".join(words),
        unconfirmed=each.is_unconfirmed,
        changed=each.named and each.code != each.read.code,
    )


def _alternatives(each: RegisteredTile) -> tuple[str, ...]:
    """Return what else the tile may be: what it looks like, the likeliest first."""
    likely = [each.read.code, *(code for code, _ in each.read.alternatives)]
    return tuple(code for code in likely if code != each.code)
