"""Other faces that the tiles of a hand may have, by the chances that its reading keeps."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from device.hands.record import HandRecord, HandTile
from device.hands.scoring import find_total, is_no_mah_jong
from scorer.tiles import CODES
from vision.reading import TileReading

MAX_UNRECORDED_CHANCE = 5e-5
"""Chances are stored with four decimals, in descending order. The first one stored as zero is at
most this, the next at most half of it."""

CHECKED_TILE_FACTOR = 0.1
"""Factor for a tile that a player has named or confirmed: it is less likely to be wrong."""

MAX_READINGS_TRIED = 12
"""Other readings of single tiles that are tried for a Mah-Jong, the likeliest first."""


@dataclass(frozen=True, slots=True)
class OtherReading:
    """Another face that a tile of a hand may have."""

    place: int
    """The tile's position in the hand."""
    was: str
    code: str
    odds: float
    """Logarithm of how much likelier this face is than the current one."""
    recorded_chance: float
    """The chance that the reading gives it, to four decimals."""


def list_other_readings(record: HandRecord) -> Iterator[OtherReading]:
    """Yield the other faces that each tile in the sets of a hand may have."""
    for place in sorted({place for laid in record.sets for place in laid.tiles}):
        tile = record.tiles[place]
        if tile.read is None or tile.code is None:
            continue
        recorded_chances = dict(tile.read.alternatives)
        chances = _chances(tile, tile.read)
        current_chance = (
            1.0 if _is_checked(tile) else max(chances.get(tile.code, 0.0), MAX_UNRECORDED_CHANCE)
        )
        for code, chance in chances.items():
            if code in CODES and code != tile.code:
                odds = math.log(chance) - math.log(current_chance)
                yield OtherReading(place, tile.code, code, odds, recorded_chances.get(code, 0.0))


def _chances(tile: HandTile, read: TileReading) -> Mapping[str, float]:
    """Return the chance of each face that a tile may have by its reading."""
    chances = {read.code: read.confidence}
    for rank, (code, chance) in enumerate(read.alternatives):
        chances.setdefault(code, max(chance, MAX_UNRECORDED_CHANCE / 2**rank))
    factor = CHECKED_TILE_FACTOR if _is_checked(tile) else 1.0
    return {code: chance * factor for code, chance in chances.items()}


def with_tile(record: HandRecord, place: int, code: str) -> HandRecord:
    """Return the hand with a tile named by a player."""
    tile = replace(record.tiles[place], code=code, is_changed=True)
    return replace(record, tiles=(*record.tiles[:place], tile, *record.tiles[place + 1 :]))


def find_misread_tile(record: HandRecord) -> int | None:
    """Return the tile that was likely misread in a hand that won and is no Mah-Jong.

    With another face, to which its reading gives a chance, the hand has a score. None if there is
    no such tile, or a player has looked at it. Tiles that were in doubt have been asked about.
    """
    if record.is_question or not is_no_mah_jong(record):
        return None
    sure = (
        other_reading
        for other_reading in list_other_readings(record)
        if other_reading.recorded_chance and not _was_doubtful(record.tiles[other_reading.place])
    )
    candidates = sorted(sure, key=lambda other_reading: -other_reading.recorded_chance)[
        :MAX_READINGS_TRIED
    ]
    mends = (e for e in candidates if find_total(with_tile(record, e.place, e.code)) is not None)
    first = next(mends, None)
    return first.place if first and not _is_checked(record.tiles[first.place]) else None


def _was_doubtful(tile: HandTile) -> bool:
    return tile.read is not None and tile.read.doubtful


def _is_checked(tile: HandTile) -> bool:
    return tile.is_changed or tile.is_confirmed
