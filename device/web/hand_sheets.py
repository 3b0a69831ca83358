"""The sheets of a hand: correct, move or add a tile.

Each sheet is a page that works without a script. The script opens the sheets of tiles as dialogs.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import HandPhoto, HandRecord, UnknownHandError
from device.hands.repository import ChangeRefusedError
from device.i18n.words import say, tile_name
from device.store.events import SetRemoved, TileAdded, TileCorrected, TileMoved, TilesChecked
from device.views import photo_overlay, tiles
from device.web.contexts import records
from device.web.fields import form, query
from device.web.hand_page import change_hand, redirect_to_hand
from device.web.links import hand_url, keep_opened_from, opened_from, redirect_to
from device.web.name_gate import name_gate
from scorer.tiles import CODES, FACE_DOWN, JOKER, TILE_FAMILIES

sheet_pages = Blueprint("sheet", __name__, url_prefix="/hand/<id:hand>")
sheet_pages.url_defaults(keep_opened_from)

MAX_ALTERNATIVES = 5

APART_FIELD = "apart"
"""The field that asks about each doubtful tile by itself."""

NOT_A_TILE = "none"
"""The form's value for something that was read as a tile but is not one."""

TILE_ANSWERS = (*CODES, FACE_DOWN, JOKER, NOT_A_TILE)
"""All values that a player may choose for a tile."""


@dataclass(frozen=True, slots=True)
class OtherPicture:
    """The tile as another photograph of the hand shows it."""

    photo: HandPhoto
    url: str
    crop: photo_overlay.TileCrop
    title: str
    """Which photograph it is, and its reading of the tile."""


@sheet_pages.get("/tile/<int:place>")
def tile(hand: str, place: int) -> str:
    """Show one tile beside its picture, with alternatives."""
    record = name_gate().hand(records().hands.get(hand))
    if place >= len(record.tiles):
        raise UnknownHandError
    shown_tile, doubtful = record.tiles[place], tiles.doubtful_places(record)
    is_doubtful, read = shown_tile.doubtful or place in doubtful, shown_tile.read
    guesses = tiles.list_guesses(read, shown_tile.code, is_doubtful=is_doubtful) if read else ()
    own_set, other_sets = _own_and_other_sets(record, place, doubtful)
    is_separate = query().flag(APART_FIELD)
    question_places = next((g for g in _questions(record, is_separate) if place in g), (place,))
    return render_template(
        "tile.html",
        record=record,
        back=hand_url(hand),
        opened_from=opened_from(),
        place=place,
        tile=shown_tile,
        symbol=tiles.symbol(shown_tile.code),
        doubtful=is_doubtful,
        alike=question_places,
        apart=is_separate,
        crops=photo_overlay.crops_of(record, question_places),
        also=_other_pictures(record, place),
        alternatives=guesses[:MAX_ALTERNATIVES],
        families=TILE_FAMILIES,
        own=own_set,
        groups=other_sets,
        why=photo_overlay.left_out_places(record).get(place),
        candidate=photo_overlay.tile_to_take_in(record, place),
    )


@sheet_pages.post("/tile/<int:place>")
def correct(hand: str, place: int) -> AnyResponse:
    """Correct a tile, or say that it is not a tile."""
    code = _chosen_code()
    alike_places = form().numbers("alike") if "alike" in form() and code else ()
    other_places = tuple(other for other in alike_places if other != place)
    before = tiles.doubtful_places(records().hands.get(hand))
    answer = change_hand(hand, TileCorrected(place, code, other_places))
    if place not in before:
        return answer
    return _go_on_checking(hand, is_separate=form().flag(APART_FIELD))


@sheet_pages.get("/check")
def check(hand: str) -> str | AnyResponse:
    """Show all doubtful tiles; where they are one question, show that tile's sheet."""
    record = name_gate().hand(records().hands.get(hand))
    is_separate = query().flag(APART_FIELD)
    groups = _questions(record, is_separate)
    if len(groups) == 1:
        return redirect(url_for("sheet.tile", hand=hand, place=groups[0][0]))
    if not groups:
        return redirect_to_hand(hand)
    return render_template(
        "check.html",
        record=record,
        back=hand_url(hand),
        groups=tuple(_doubtful_group(record, group) for group in groups),
        places=tuple(place for group in groups for place in group),
        apart="yes" if is_separate else None,
    )


def _questions(record: HandRecord, is_separate: bool) -> tuple[tuple[int, ...], ...]:
    """Return the doubtful tiles by question, or each by itself once a player said they differ."""
    if is_separate:
        return tuple((place,) for place in tiles.doubtful_places(record))
    return tiles.doubtful_groups(record)


@sheet_pages.post("/check")
def confirm_checked(hand: str) -> AnyResponse:
    """Save that the doubtful tiles that were shown are right."""
    return change_hand(hand, TilesChecked(form().numbers("tiles")))


@sheet_pages.post("/leave-out")
def leave_out(hand: str) -> AnyResponse:
    """Strike out the gaps that were taken for tiles, unless one has been answered meanwhile."""
    gaps = form().numbers("tiles")
    if gaps != tiles.find_gaps(records().hands.get(hand)):
        raise ChangeRefusedError("these are not the gaps that the page shows now")
    return change_hand(hand, SetRemoved(gaps))


def _go_on_checking(hand: str, *, is_separate: bool) -> AnyResponse:
    """Return a redirect to the tiles that are still in doubt, or to the hand's page."""
    if tiles.doubtful_places(records().hands.get(hand)):
        return redirect_to("sheet.check", hand=hand, apart="yes" if is_separate else None)
    return redirect_to_hand(hand)


@dataclass(frozen=True, slots=True)
class DoubtfulTiles:
    """Doubtful tiles that are one question: one tile, or several alike."""

    place: int
    crops: tuple[photo_overlay.TileCrop, ...]
    symbol: str
    name: str


def _doubtful_group(record: HandRecord, places: tuple[int, ...]) -> DoubtfulTiles:
    code = record.tiles[places[0]].code
    crops = photo_overlay.crops_of(record, places)
    return DoubtfulTiles(places[0], crops, tiles.symbol(code), tile_name(code or FACE_DOWN))


@sheet_pages.post("/tile/<int:place>/move")
def move(hand: str, place: int) -> AnyResponse:
    """Move a tile to another set."""
    return change_hand(hand, TileMoved(place, *_target()))


@sheet_pages.get("/add")
def add(hand: str) -> str:
    """Show the tiles to choose from, to add a missed one."""
    record = name_gate().hand(records().hands.get(hand))
    return render_template(
        "add.html",
        record=record,
        back=hand_url(hand),
        families=TILE_FAMILIES,
        target={key: query().word(key) for key in ("set", "row") if key in query()},
    )


@sheet_pages.post("/add")
def add_tile(hand: str) -> AnyResponse:
    """Add a tile that was missed."""
    return change_hand(hand, TileAdded(_chosen_code(), *_target()))


def _chosen_code() -> str | None:
    code = form().choice("code", TILE_ANSWERS)
    return None if code == NOT_A_TILE else code


def _target() -> tuple[str, int | None]:
    """Return the row and the set to add a tile to. Without a set, it begins a new one."""
    return form().choice("row", tiles.ROWS, "concealed"), form().place("set", default=None)


def _other_pictures(record: HandRecord, place: int) -> tuple[OtherPicture, ...]:
    """Return the tile's pictures in the photographs that were added to the hand."""
    return tuple(
        OtherPicture(
            record.added_photos[number],
            url_for("hand.added_photo", hand=record.id, number=number),
            photo_overlay.tile_crop(said.quad),
            say("sheet.in-photo-numbered", number=number + 2, name=tile_name(said.code)),
        )
        for number, said in record.tiles[place].added_readings
    )


def _own_and_other_sets(
    record: HandRecord, place: int, doubtful: Collection[int]
) -> tuple[tiles.TileGroupView | None, tuple[tiles.TileGroupView, ...]]:
    """Return the set that a tile lies in, if any, and the sets to which it could move."""
    rows = tiles.tile_rows(record, record.assembled_hand, doubtful)
    own_set = None
    other_sets = []
    for group in (group for row in ("exposed", "concealed") for group in rows[row]):
        if any(piece.place == place for piece in group.pieces):
            own_set = group
        else:
            other_sets.append(group)
    return own_set, tuple(other_sets)
