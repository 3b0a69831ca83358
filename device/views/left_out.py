"""Tiles that were found but left out of the hand, with the reason for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from device.hands.record import HandRecord
from device.i18n.words import say, say_count, tile_name
from device.views.tableau import symbol
from scorer.tiles import CODES, FACE_DOWN, Tile
from vision.reading import LeftOutReason, RowName

NEARBY: tuple[LeftOutReason, ...] = ("apart", "askew", "size")
"""Reasons for tiles beside the hand, where the box may be wrong: each tile is shown. There may
be a hundred tiles far off (walls, a patterned cloth): these are only counted."""

BEYOND: tuple[LeftOutReason, ...] = ("far", "backs", "pattern")


@dataclass(frozen=True, slots=True)
class TileToTakeIn:
    """A left-out tile that one tap adds to the hand."""

    place: int
    symbol: str
    name: str
    row: RowName
    """The row that takes it: bonus tiles or concealed tiles."""


@dataclass(frozen=True, slots=True)
class LeftOutTiles:
    """The tiles that were left out for one reason."""

    why: LeftOutReason
    sentence: str
    candidates: tuple[TileToTakeIn, ...]
    """Empty for tiles far off."""


def left_out_places(record: HandRecord) -> Mapping[int, LeftOutReason]:
    """Return the reason for each tile in no set; struck-out tiles are not included."""
    in_hand = {place for laid in record.sets for place in laid.tiles}
    said = {each.tile: each.why for each in record.reading.left_out} if record.reading else {}
    return {
        place: said.get(place, "apart")
        for place, tile in enumerate(record.tiles)
        if tile.read and tile.code is not None and place not in in_hand
    }


def left_out(record: HandRecord) -> tuple[LeftOutTiles, ...]:
    """Return the left-out tiles by reason, those beside the hand first."""
    places = left_out_places(record)
    found = []
    for why in (*NEARBY, *BEYOND):
        own = [place for place, reason in places.items() if reason == why]
        if own:
            shown = tuple(candidate(record, place) for place in own) if why in NEARBY else ()
            sentence = say_count(f"left-out.{why}", len(own))
            found.append(LeftOutTiles(why, sentence, shown))
    return tuple(found)


def candidate(record: HandRecord, place: int) -> TileToTakeIn:
    """Return a left-out tile with the row that a tap adds it to."""
    code = record.tiles[place].code or FACE_DOWN
    is_bonus = code in CODES and Tile.parse(code).is_bonus
    name = say("tile.numbered", number=place + 1, name=tile_name(code))
    return TileToTakeIn(place, symbol(code), name, "bonus" if is_bonus else "concealed")
