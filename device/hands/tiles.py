"""The photographs and tiles of a hand, as read and as corrected by the player."""

from __future__ import annotations

from dataclasses import dataclass

from device.store.events import HandPhoto as HandPhoto
from scorer.tiles import CODES, FACE_DOWN, JOKER
from vision.reading import TileReading

Witness = tuple[int, TileReading]
"""The number of an added photograph, and its reading of a tile in its own pixels."""


@dataclass(frozen=True, slots=True)
class HandTile:
    """One tile: its reading, and what the player says."""

    code: str | None
    """A code or `??`; None if the player said that it is no tile."""
    read: TileReading | None
    """The merged reading of all photographs, in the first one's pixels; None for a tile that the
    player added."""
    changed: bool = False
    """Whether the player named it; the reading is kept."""
    confirmed: bool = False
    """Whether the player said that the reading is right."""
    also: tuple[Witness, ...] = ()
    """Each added photograph's own reading of it."""

    @property
    def doubtful(self) -> bool:
        """Whether to ask about it: below the confidence gate, and not checked by the player."""
        return bool(self.read and self.read.doubtful and not (self.changed or self.confirmed))


def tile_code(value: object) -> str | None:
    """Return the tile code in an event, None for no tile; raise ValueError otherwise."""
    if value is None or value in (*CODES, FACE_DOWN, JOKER):
        return value if value is None else str(value)
    raise ValueError(f"{value!r} is no tile code")
