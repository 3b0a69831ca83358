"""How a hand may have been won: the faces that may have completed it, and ways that cannot be."""

from __future__ import annotations

from dataclasses import dataclass

from device.hands.record import HandRecord
from device.i18n.words import say, tile_name
from device.views.tiles import symbol
from vision.hand.assembly import AssembledHand

NO_WIN = "no"
"""The answer to how a hand won that says that it did not."""


@dataclass(frozen=True, slots=True)
class WinningTile:
    """One face that may have completed the hand."""

    place: int
    symbol: str
    name: str
    chosen: bool


def winning_tiles(record: HandRecord) -> tuple[WinningTile, ...]:
    """Return each face of the hand once: at the chosen place, else at its first place.

    No kong is completed by the winning tile: a loose tile follows it (BMJA-P16).
    """
    faces: dict[str, list[int]] = {}
    for tile_set in record.assembled_hand.sets:
        for place, code in zip(tile_set.tiles, tile_set.codes, strict=True):
            may_complete = tile_set.row != "bonus" and tile_set.kind != "kong"
            if may_complete and code == record.tiles[place].code:
                faces.setdefault(code, []).append(place)
    winning_place = record.situation.winning_tile
    return tuple(
        WinningTile(
            winning_place if winning_place in places and winning_place is not None else places[0],
            symbol(code),
            tile_name(code),
            winning_place in places,
        )
        for code, places in faces.items()
    )


def find_objection(way: str, hand: AssembledHand) -> str:
    """Return why no hand with these sets can have won in a way, in words; empty if it can."""
    has_loose_tile = hand.bonus or any(laid.kind == "kong" for laid in hand.sets)
    return say("how.no-loose") if way == "loose" and not has_loose_tile else ""
