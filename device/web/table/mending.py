"""Find conflicts between the hands of a deal, and offer the likely correction.

Conflicts are too many of a tile, or the same photo for two hands. If the hands together hold too
many of a tile, one of them was likely misread. The page names it and offers the right tile.
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import HandRecord
from device.i18n.words import say, tile_name
from device.matches.match import Match
from device.matches.tile_counts import (
    HandsByPlayer,
    TileChange,
    TileMend,
    load_counted_hands,
    propose_mends,
)
from device.store.events import TileCorrected
from device.views import photo_overlay, tiles
from device.web.box import box
from device.web.fields import form
from device.web.table.here import match_here, me, next_step

pages = Blueprint("mending", __name__, url_prefix="/table/mend")


@dataclass(frozen=True, slots=True)
class BlamedTile:
    """A tile that was likely misread."""

    player: str
    record: HandRecord
    crop: photo_overlay.TileCrop | None
    """Where it is in the hand's photograph."""
    title: str


@dataclass(frozen=True, slots=True)
class MendOffered:
    """A likely correction, to be chosen with one tap."""

    value: str
    """The form's value."""
    label: str
    symbols: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mending:
    """The corrections that are proposed if the hands of a deal hold too many of a tile."""

    says: str
    blamed: tuple[BlamedTile, ...]
    offers: tuple[MendOffered, ...]
    """The likeliest first."""
    whole: str = ""
    """The id of the table photo to go back to; empty without one."""

    @property
    def players(self) -> tuple[str, ...]:
        """The players whose hands it is about."""
        return tuple(dict.fromkeys(each.player for each in self.blamed))

    @property
    def hands(self) -> tuple[tuple[str, str], ...]:
        """The players with the ids of their hands."""
        return tuple({each.player: each.record.id for each in self.blamed}.items())


def proposed(match: Match, whole: str = "") -> Mending | None:
    """Return the corrections proposed for the current deal; None if there are none."""
    records = load_counted_hands(match, box().hands)
    ways = propose_mends(records)
    if not ways:
        return None
    return Mending(
        says=_likeliest(ways[0]),
        blamed=tuple(_blamed(each, records) for each in ways[0]),
        offers=tuple(_offer(way, records) for way in ways),
        whole=whole,
    )


@pages.post("/")
def accept() -> AnyResponse:
    """Apply the correction that the page proposed, if it would still be proposed."""
    match, asked = match_here(), form().word("way")
    records = load_counted_hands(match, box().hands)
    for way in propose_mends(records):
        if _value(way, records) == asked:
            for each in way:
                change = TileCorrected(each.place, each.code, by=me(match))
                box().hands.change(records[each.player].id, change)
    if whole := form().word("whole"):
        return redirect(url_for("whole.show", photo=whole), 303)
    return next_step(match_here())


def _likeliest(way: TileMend) -> str:
    tiles = say("matches.and").join(
        say("mend.tile", player=each.player, number=each.place + 1, tile=tile_name(each.code))
        for each in way
    )
    return say("mend.likeliest", tiles=tiles)


def _blamed(change: TileChange, records: HandsByPlayer) -> BlamedTile:
    record = records[change.player]
    read = record.tiles[change.place].read
    title = say("mend.picture", player=change.player, number=change.place + 1)
    return BlamedTile(
        change.player,
        record,
        photo_overlay.tile_crop(read.quad) if read and record.photo else None,
        title,
    )


def _offer(way: TileMend, records: HandsByPlayer) -> MendOffered:
    names = say("matches.and").join(tile_name(each.code) for each in way)
    symbols = tuple(tiles.symbol(each.code) for each in way)
    return MendOffered(_value(way, records), say("mend.is", tiles=names), symbols)


def _value(way: TileMend, records: HandsByPlayer) -> str:
    return " ".join(f"{records[each.player].id}:{each.place}:{each.code}" for each in way)
