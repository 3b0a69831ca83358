"""A hand as it is right after its reading, without a store: for what looks at tiles alone."""

from __future__ import annotations

from datetime import UTC, datetime

from device.hands.record import HandRecord, HandTile, Situation
from vision.hand.assembly import LaidSet
from vision.reading import Reading


def hand_read(reading: Reading, *, is_winner: bool = False) -> HandRecord:
    """Return a hand that was read as this."""
    return HandRecord(
        id="hand",
        photo=None,
        rules="bmja",
        taken_at=datetime.now(UTC),
        situation=Situation(winner=is_winner),
        version=1,
        reading=reading,
        tiles=tuple(HandTile(tile.code, tile) for tile in reading.tiles),
        sets=tuple(LaidSet(each.tiles, each.row) for each in reading.sets),
    )
