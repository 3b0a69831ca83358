"""What a hand is made of: its photographs, and its tiles as read and as the player says."""

from __future__ import annotations

from dataclasses import dataclass

from device.store.events import HandPhoto as HandPhoto
from scorer.tiles import CODES, FACE_DOWN, JOKER
from vision.reading import TileReading

Witness = tuple[int, TileReading]
"""The number of an added photograph, and what it says of a tile, in its own pixels."""


@dataclass(frozen=True, slots=True)
class HandTile:
    """One tile: what the box read, and what the player says that it is."""

    code: str | None
    """A code or `??`; None when the player said that it is no tile."""
    read: TileReading | None
    """What all photographs say together, in the first one's pixels; None for a tile that the
    player added."""
    changed: bool = False
    """The player named it; its reading, if any, is kept beside it."""
    confirmed: bool = False
    """The player said that the reading is right."""
    also: tuple[Witness, ...] = ()
    """What each added photograph says of it alone."""

    @property
    def doubtful(self) -> bool:
        """To be asked about: read below the gate, and not yet looked at by the player."""
        return bool(self.read and self.read.doubtful and not (self.changed or self.confirmed))


def tile_code(value: object) -> str | None:
    """Return a tile code out of an event, None for no tile; raise ValueError for anything else."""
    if value is None or value in (*CODES, FACE_DOWN, JOKER):
        return value if value is None else str(value)
    raise ValueError(f"{value!r} is no tile code")
