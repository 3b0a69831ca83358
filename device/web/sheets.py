"""The sheets of a hand: correct, move or add a tile, and the evidence of a disputed score.

Each sheet is a page that works without a script. The script opens the sheets of tiles as dialogs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from flask import Blueprint, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import HandPhoto, HandRecord, UnknownHandError
from device.i18n.words import say, tile_name
from device.store.events import TileAdded, TileCorrected, TileMoved
from device.views import photo_overlay, tiles
from device.web.box import box
from device.web.fields import form, query
from device.web.hand import back
from device.web.name_gate import name_gate
from device.web.opened_from import keep_opened_from, opened_from, page_of
from device.web.table.here import acting
from scorer.tiles import CODES, FACE_DOWN, JOKER, TILES

pages = Blueprint("sheet", __name__, url_prefix="/hand/<id:hand>")
pages.url_defaults(keep_opened_from)

ALTERNATIVES_SHOWN = 5

NOT_A_TILE = "none"
"""The form's value for something that was read as a tile but is not one."""

NAMED = (*CODES, FACE_DOWN, JOKER, NOT_A_TILE)
"""All values that a player may choose for a tile."""

FAMILIES = tuple(
    (family, tuple(tile.code for tile in tiles))
    for family, tiles in groupby(TILES, key=lambda tile: tile.family)
)
"""All 42 codes by family, in their standard order."""


@dataclass(frozen=True, slots=True)
class AlsoSeen:
    """The tile as another photograph of the hand shows it."""

    photo: HandPhoto
    url: str
    crop: photo_overlay.TileCrop
    title: str
    """Which photograph it is, and its reading of the tile."""


@pages.get("/tile/<int:place>")
def tile(hand: str, place: int) -> str:
    """Show one tile beside its picture, with alternatives."""
    record = name_gate().hand(box().hands.get(hand))
    if place >= len(record.tiles):
        raise UnknownHandError
    shown = record.tiles[place]
    return render_template(
        "tile.html",
        record=record,
        back=page_of(hand),
        opened_from=opened_from(),
        place=place,
        tile=shown,
        symbol=tiles.symbol(shown.code),
        crop=photo_overlay.tile_crop(shown.read.quad) if shown.read else None,
        also=_also(record, place),
        alternatives=_alternatives(record, place),
        families=FAMILIES,
        groups=_other_sets(record, place),
        why=photo_overlay.left_out_places(record).get(place),
        candidate=photo_overlay.tile_to_take_in(record, place),
    )


@pages.post("/tile/<int:place>")
def correct(hand: str, place: int) -> AnyResponse:
    """Correct a tile, or say that it is not a tile."""
    box().hands.change(hand, TileCorrected(place, _code(), by=acting(hand)))
    return back(hand)


@pages.post("/tile/<int:place>/move")
def move(hand: str, place: int) -> AnyResponse:
    """Move a tile to another set."""
    box().hands.change(hand, TileMoved(place, *_target(), by=acting(hand)))
    return back(hand)


@pages.get("/add")
def add(hand: str) -> str:
    """Show the tiles to choose from, to add a missed one."""
    record = name_gate().hand(box().hands.get(hand))
    return render_template(
        "add.html",
        record=record,
        back=page_of(hand),
        families=FAMILIES,
        target=_target_fields(),
    )


@pages.post("/add")
def add_tile(hand: str) -> AnyResponse:
    """Add a tile that was missed."""
    box().hands.change(hand, TileAdded(_code(), *_target(), by=acting(hand)))
    return back(hand)


def _code() -> str | None:
    code = form().choice("code", NAMED)
    return None if code == NOT_A_TILE else code


def _target() -> tuple[str, int | None]:
    """Return the row and the set to add a tile to. Without a set, it begins a new one."""
    return form().choice("row", tiles.ROWS, "concealed"), form().place("set", default=None)


def _target_fields() -> dict[str, str]:
    return {key: query().word(key) for key in ("set", "row") if key in query()}


def _alternatives(record: HandRecord, place: int) -> tuple[str, ...]:
    """Return the likeliest other faces, the best first.

    After a correction, the first reading is among them, so that one tap takes a slip back.
    """
    tile = record.tiles[place]
    if tile.read is None:
        return ()
    likely = [tile.read.code, *(code for code, _ in tile.read.alternatives)]
    return tuple([code for code in likely if code != tile.code][:ALTERNATIVES_SHOWN])


def _also(record: HandRecord, place: int) -> tuple[AlsoSeen, ...]:
    """Return the tile's pictures in the photographs that were added to the hand."""
    return tuple(
        AlsoSeen(
            record.added[number],
            url_for("hand.added_photo", hand=record.id, number=number),
            photo_overlay.tile_crop(said.quad),
            say("sheet.in-photo-numbered", number=number + 2, name=tile_name(said.code)),
        )
        for number, said in record.tiles[place].also
    )


def _other_sets(record: HandRecord, place: int) -> tuple[tiles.TileGroupView, ...]:
    shown = tiles.tile_rows(record, record.assembled())
    return tuple(
        group
        for row in ("exposed", "concealed")
        for group in shown[row]
        if all(piece.place != place for piece in group.pieces)
    )
