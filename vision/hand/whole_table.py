"""Lay the hands on the sides of a whole table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorer.tiles import FACE_DOWN
from vision.geometry.plane import quads_of
from vision.geometry.table_sides import by_side
from vision.hand.build import LaidHand, lay
from vision.reading import Side, TileReading


@dataclass(frozen=True, slots=True)
class HandAtSide:
    """The hand on one side of the table."""

    side: Side
    tiles: tuple[int, ...]
    """Positions in the list of the table's tiles; positions in `laid` refer to this tuple."""
    laid: LaidHand


def lay_sides(
    found: Sequence[TileReading], rules: str, gate: float | None = None
) -> tuple[HandAtSide, ...]:
    """Return the hand on each side of the table that has one, in the order of play.

    Tiles in the middle are left out of the nearest hand.
    """
    hands = []
    for seat in by_side(quads_of(found), [tile.code == FACE_DOWN for tile in found]):
        own = [found[i] for i in seat.tiles]
        others = [tile for i, tile in enumerate(found) if i not in seat.tiles]
        laid = lay(own, rules, gate, seat.owner, others=others)
        hands.append(HandAtSide(seat.side, seat.tiles, laid))
    return tuple(hands)
