"""Tile sets: choose the one on the table, and register one so that the box learns its tiles.

To register a set, players lay it out and photograph it, then check what the box has read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from flask import Blueprint, Response, abort, render_template
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import HandPhoto
from device.i18n.words import say, say_count, tile_name
from device.intake import AdditionalSetPhoto, NewRegistration
from device.tilesets.registrations import PlaceInPhoto, RegisteredTile, Registration
from device.tilesets.tile_sets import MAX_SET_NAME_CHARACTERS, OwnTileSet
from device.views import photo_overlay
from device.views.hand_page import job_stages
from device.views.tiles import list_guesses
from device.web.contexts import photo_desk, records, room
from device.web.fields import form
from device.web.hand_page import photo_response
from device.web.hand_sheets import NOT_A_TILE, TILE_ANSWERS
from device.web.links import redirect_to
from device.web.name_gate import name_gate
from device.web.uploads import read_upload
from scorer.tiles import CODES, FACE_DOWN, JOKER, TILE_FAMILIES
from vision.set_registration import SET_PARTS, SHOWN_ROWS

register_pages = Blueprint("register", __name__, url_prefix="/sets/register")

MAX_REGISTRATION_PHOTOS = 3
"""Photographs per registration. More bring little, and somebody must check each."""

LAYOUT_ROWS = (
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
class RegistrationView:
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


@register_pages.get("/")
def show() -> str:
    """Show how to lay the set out, and lead to a registration that nothing is learnt from yet."""
    chosen_set = records().sets.chosen_set(room().table)
    newest_registration = records().sets.registrations.find_newest(chosen_set.id)
    registration_id = (
        newest_registration.id if newest_registration and not newest_registration.crops else ""
    )
    name = name_gate().words(chosen_set.name)
    return render_template("register.html", rows=LAYOUT_ROWS, set_name=name, begun=registration_id)


@register_pages.post("/")
def begin() -> AnyResponse:
    """Begin to register the set on the table with a photograph."""
    return _redirect_to_registration(
        photo_desk().intake.take(
            read_upload, NewRegistration(records().sets.chosen_set(room().table).id)
        )
    )


@register_pages.get("/<id:registration>/")
def check(registration: str) -> str:
    """Show what the box has read in the photographs, or its progress."""
    stage = photo_desk().jobs.stage(
        registration
    )  # read before the record, so that no stage is missed
    record = records().sets.registrations.get(registration)
    is_waiting = record.awaited_photo is not None
    if is_waiting and stage:
        steps = job_stages("registration", stage)
        return render_template("register_waiting.html", record=record, stages=steps)
    return render_template(
        "registered.html",
        record=record,
        view=_registration_view(record),
        waiting=is_waiting,
        room=len(record.photos) < MAX_REGISTRATION_PHOTOS,
    )


@register_pages.get("/<id:registration>/photo-<int:number>.jpg")
def photo(registration: str, number: int) -> Response:
    """Return one of the photographs."""
    photos = records().sets.registrations.get(registration).photos
    if number >= len(photos):
        abort(404)
    return photo_response(photos[number].photo.display)


@register_pages.post("/<id:registration>/photo")
def add_photo(registration: str) -> AnyResponse:
    """Receive another photograph of the set."""
    if len(records().sets.registrations.get(registration).photos) >= MAX_REGISTRATION_PHOTOS:
        abort(400)
    return _redirect_to_registration(
        photo_desk().intake.take(read_upload, AdditionalSetPhoto(registration))
    )


@register_pages.post("/<id:registration>/again")
def read_again(registration: str) -> AnyResponse:
    """Read a photograph again after the box was switched off meanwhile."""
    records().sets.registrations.get(registration)
    photo_desk().jobs.submit("registration", registration)
    return _redirect_to_registration(registration)


@register_pages.get("/<id:registration>/tile/<int:number>-<int:k>")
def tile(registration: str, number: int, k: int) -> str:
    """Show one tile with its reading and the alternatives."""
    record = records().sets.registrations.get(registration)
    shown_tile = record.tile((number, k))
    return render_template(
        "registered_tile.html",
        record=record,
        tile=shown_tile,
        seen=_seen_tile(record, (number, k), shown_tile),
        alternatives=list_guesses(
            shown_tile.read,
            shown_tile.code,
            is_doubtful=shown_tile.is_asked or shown_tile.is_unconfirmed,
        ),
        families=TILE_FAMILIES,
    )


@register_pages.post("/<id:registration>/tile/<int:number>-<int:k>")
def name(registration: str, number: int, k: int) -> AnyResponse:
    """Save what a tile is, or that it is not a tile."""
    code = form().choice("code", TILE_ANSWERS)
    records().sets.registrations.name(
        registration, (number, k), None if code == NOT_A_TILE else code
    )
    return _redirect_to_registration(registration)


@register_pages.post("/<id:registration>/undo")
def undo(registration: str) -> AnyResponse:
    """Undo the last naming."""
    records().sets.registrations.undo(registration, form().seq(default=-1))
    return _redirect_to_registration(registration)


@register_pages.post("/<id:registration>/keep")
def keep(registration: str) -> AnyResponse:
    """Learn from all tiles whose names are known."""
    record = records().sets.registrations.get(registration)
    with photo_desk().gate.in_line(), photo_desk().gate.turn():
        records().sets.register(
            record,
            (records().hands.open(each.photo, photo_desk().decoder) for each in record.photos),
        )
    return _redirect_to_registration(registration)


def _redirect_to_registration(registration: str) -> AnyResponse:
    return redirect_to("register.check", registration=registration)


def _registration_view(record: Registration) -> RegistrationView:
    by_code: dict[str, list[SeenTile]] = {}
    asked_tiles, struck_out_tiles, unconfirmed_count = [], [], 0
    for place, registered_tile in record.tiles():
        seen_tile = _seen_tile(record, place, registered_tile)
        unconfirmed_count += seen_tile.unconfirmed
        if registered_tile.is_asked:
            asked_tiles.append(seen_tile)
        elif registered_tile.code is None:
            struck_out_tiles.append(seen_tile)
        else:
            by_code.setdefault(registered_tile.code, []).append(seen_tile)
    to_keep = record.to_keep()
    return RegistrationView(
        asked=tuple(asked_tiles),
        unconfirmed=unconfirmed_count,
        families=_faces_by_family(by_code),
        struck_out=tuple(struck_out_tiles),
        missing=tuple(tile_name(code) for code in CODES if code not in by_code),
        to_keep=len(to_keep),
        kept=bool(record.crops) and set(to_keep) <= record.crops.keys(),
        notes=tuple(
            (number + 1, say(problem.message))
            for number, photo in enumerate(record.photos)
            for problem in photo.problems
        ),
    )


def _faces_by_family(
    by_code: Mapping[str, Iterable[SeenTile]],
) -> tuple[tuple[str, tuple[RegisteredFace, ...]], ...]:
    """Return the 42 faces by family, then backs and jokers if there are any."""
    families = [(say(f"family.{family}"), codes) for family, codes in TILE_FAMILIES]
    other_codes = [code for code in (FACE_DOWN, JOKER) if code in by_code]
    rest = [(say("register.others"), other_codes)] if other_codes else []
    return tuple(
        (title, tuple(RegisteredFace(c, tile_name(c), tuple(by_code.get(c, ()))) for c in codes))
        for title, codes in (*families, *rest)
    )


def _seen_tile(
    record: Registration, place: PlaceInPhoto, registered_tile: RegisteredTile
) -> SeenTile:
    label = tile_name(registered_tile.code) if registered_tile.code else say("tile.not-a-tile")
    is_unconfirmed = registered_tile.is_unconfirmed and place not in record.crops
    doubt = registered_tile.is_asked or is_unconfirmed
    words = [label, say("tile.is-doubtful")] if doubt else [label]
    return SeenTile(
        place=place,
        photo=record.photos[place[0]].photo,
        crop=photo_overlay.tile_crop(registered_tile.read.quad),
        code=registered_tile.code,
        name=", ".join(words),
        unconfirmed=is_unconfirmed,
        changed=registered_tile.is_named and registered_tile.code != registered_tile.read.code,
    )


sets_pages = Blueprint("sets", __name__, url_prefix="/sets")

_REFUSED_STATUS = 422


@dataclass(frozen=True, slots=True)
class TileSetView:
    """The values that the page shows for one set."""

    id: str
    name: str
    known: str
    """How much the box has learnt, in words."""
    has_pictures: bool
    on_table: bool
    registered: str
    """The id of the newest registration that has pictures; empty without one."""


@sets_pages.get("/", endpoint="show")
def show_sets() -> str:
    """Show the sets."""
    return _sets_page("")


def _sets_page(wrong: str) -> str:
    sets, chosen_set = records().sets, records().sets.chosen_set(room().table)
    views = [_set_view(each, on_table=each == chosen_set) for each in sets.list_sets()]
    return render_template("sets.html", sets=views, may_learn=sets.may_learn(), wrong=wrong)


@sets_pages.post("/choose")
def choose() -> AnyResponse | tuple[str, int]:
    """Choose the set on the table: an existing one, or a new one by its name."""
    if "name" in form():
        name = form().text("name", MAX_SET_NAME_CHARACTERS)
        if not name:
            return _sets_page(say("field.empty")), _REFUSED_STATUS
        records().sets.begin(name, room().table)
    else:
        records().sets.choose(form().word("set", None), room().table)
    return redirect_to("sets.show")


@sets_pages.post("/learning")
def learning() -> AnyResponse:
    """Save whether the box may learn from tiles."""
    records().sets.allow(is_allowed=form().choice("learn", ("yes", "no")) == "yes")
    return redirect_to("sets.show")


@sets_pages.post("/delete")
def delete() -> AnyResponse:
    """Delete the pictures of a set's tiles."""
    records().sets.forget(form().word("set", None))
    return redirect_to("sets.show")


def _set_view(tile_set: OwnTileSet, *, on_table: bool) -> TileSetView:
    codes = records().sets.codes(tile_set.id)
    faces = len(set(codes.values()) & set(CODES))
    known_sentence = (
        say_count("sets.known", len(codes), faces=faces) if codes else say("sets.known-none")
    )
    name = tile_set.name or say("sets.usual")
    registrations = records().sets.registrations.list_learnt(tile_set.id)
    registration_id = next(
        (each.id for each in registrations if codes.keys() & set(each.crops.values())), ""
    )
    return TileSetView(tile_set.id, name, known_sentence, bool(codes), on_table, registration_id)
