"""The tiles that were found but not taken for the hand's: why, and the way to take them in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from device.hands.hand import HandRecord
from device.i18n.words import say, say_count, tile_name
from device.views.tableau import symbol
from scorer.tiles import CODES, FACE_DOWN, Tile
from vision.reading import RowName, Why

NEARBY: tuple[Why, ...] = ("apart", "askew", "size")
"""Reasons of tiles that lie beside the hand, where the box may be wrong: each is shown. Of those
far off, of walls and of a cloth's pattern, there may be a hundred: these are only counted, and can
be tapped in the photo."""

BEYOND: tuple[Why, ...] = ("far", "backs", "pattern")


@dataclass(frozen=True, slots=True)
class TileToTakeIn:
    """One tile that a tap takes into the hand."""

    place: int
    symbol: str
    name: str
    row: RowName
    """Where it goes: with the flowers and seasons, or with the concealed tiles."""


@dataclass(frozen=True, slots=True)
class LeftOutTiles:
    """The tiles that were left out for one reason."""

    why: Why
    sentence: str
    candidates: tuple[TileToTakeIn, ...]
    """None for what lies beyond."""


def left_out_places(record: HandRecord) -> Mapping[int, Why]:
    """Return why each tile that is in no set was left out; struck-out tiles are none."""
    in_hand = {place for laid in record.sets for place in laid.tiles}
    said = {each.tile: each.why for each in record.reading.left_out} if record.reading else {}
    return {
        place: said.get(place, "apart")
        for place, tile in enumerate(record.tiles)
        if tile.read and tile.code is not None and place not in in_hand
    }


def left_out(record: HandRecord) -> tuple[LeftOutTiles, ...]:
    """Return the tiles that were left out, by reason, those beside the hand first."""
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
    """Return a tile that was left out as a tap takes it in."""
    code = record.tiles[place].code or FACE_DOWN
    is_bonus = code in CODES and Tile.parse(code).is_bonus
    name = say("tile.numbered", number=place + 1, name=tile_name(code))
    return TileToTakeIn(place, symbol(code), name, "bonus" if is_bonus else "concealed")
