"""The state of one hand, built by replaying its events (`device.hands.replay`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from device.hands.situation import Agreement, Situation
from device.hands.tiles import HandPhoto, HandTile
from device.store.errors import UnknownStreamError
from scorer.tiles import FACE_DOWN
from vision.hand.assemble import AssembledHand, LaidSet, assemble
from vision.reading import Problem, Reading

ODD = ("count", "rows", "complete")
"""What may look odd about a hand and still be right: too few or too many tiles, all sets of one row
concealed, a complete Mah-Jong that did not go out."""


class UnknownHandError(UnknownStreamError):
    """There is no hand with that id."""


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """One change by a player, for the list on the page."""

    seq: int
    kind: str
    at: datetime
    tile: int | None = None
    """None for a change that concerns all tiles."""
    before: str | None = None
    after: str | None = None
    by: str = ""
    """The player whose phone it was; empty if unknown."""


@dataclass(frozen=True, slots=True)
class HandRecord:
    """The state of one hand."""

    id: str
    photo: HandPhoto | None
    """None for a hand entered tile by tile."""
    rules: str
    taken_at: datetime
    situation: Situation
    version: int
    """Number of the last event."""
    reading: Reading | None = None
    failure: Problem | None = None
    """Why the photograph could not be read."""
    attempts: int = 0
    """Number of readings that were begun and not finished."""
    doubts: tuple[Problem, ...] = ()
    """What is wrong with the newest photograph; it waits until a player decides."""
    as_it_is: bool = False
    """Whether a player wants the newest photograph read despite these problems."""
    retaken: tuple[HandPhoto, ...] = ()
    """Photographs that were replaced; they are not read."""
    tiles: tuple[HandTile, ...] = ()
    sets: tuple[LaidSet, ...] = ()
    changes: tuple[ChangeRecord, ...] = field(default=())
    undone: int | None = None
    """Number of the last undone change while it can still be redone."""
    added: tuple[HandPhoto, ...] = ()
    """Further photographs of the hand, oldest first."""
    settled: int = 0
    """Number of these that have been read or could not be read."""
    added_notes: tuple[Problem, ...] = ()
    """Remarks on the newest of these."""

    looks_like: str = ""
    """The tile set that the tiles seem to belong to, if not the one in use when they were read."""
    tiles_right: bool = False
    """Whether a player confirmed all tiles."""
    said_so: frozenset[str] = frozenset()
    """Names in `ODD_POINTS` that a player confirmed although they look odd."""
    tile_set: str = ""
    """The tile set that this hand teaches the box, if its crops were kept."""
    crops: Mapping[int, str] = field(default_factory=dict)
    """Names of stored crops, by position of the tile."""
    mirrored: bool | None = None
    """Whether the photograph is a mirror image; None until players say so."""
    removed: frozenset[str] = frozenset()
    """Names of large pictures that were removed to free space."""
    match: str = ""
    """Id of the hand's match; empty for a single hand."""
    table: str = ""
    """Id of the hand's table; empty where there is only one."""
    asked: bool = False
    """Whether somebody asked only what the tiles are, not what they score."""
    player: str = ""
    """The player, in a match."""
    agreed: bool = False
    """Whether somebody at the table checked it and agreed."""
    agreed_to: int | None = None
    """The score at that moment; None if that was not written down."""
    agreement: Agreement = field(default_factory=Agreement)
    of_table: bool = False
    """Whether the photograph shows the whole table, with other hands."""
    camera: Mapping[str, Any] = field(default_factory=dict)
    """The camera's metadata of the first photograph, with libcamera's names."""
    models: Mapping[str, str] = field(default_factory=dict)
    """Networks that read the first photograph, by name; empty if that was not written down."""

    @property
    def awaited(self) -> HandPhoto | None:
        """The added photograph that has yet to be read."""
        return self.added[self.settled] if self.settled < len(self.added) else None

    @property
    def newest_photo(self) -> HandPhoto | None:
        """The photograph to read, or else the hand's first one."""
        return self.awaited or self.photo

    @property
    def may_be_doubted(self) -> bool:
        """Whether the newest photograph is a phone's, which can be taken again at once."""
        newest = self.newest_photo
        return newest is not None and newest.by_phone and not self.as_it_is

    @property
    def is_read(self) -> bool:
        """Whether reading is done: there is a reading, or no photograph to read."""
        return self.reading is not None or self.photo is None

    @property
    def may_be_read_anew(self) -> bool:
        """Whether its own photograph still exists and no player has changed anything."""
        changed = self.changes or self.added or self.removed
        return self.reading is not None and not (changed or self.of_table)

    @property
    def asks_whether_mirrored(self) -> bool:
        """Whether the tiles look mirrored and nobody has said whether they are."""
        seen = self.reading.problems if self.reading else ()
        return self.mirrored is None and any(problem.code == "mirrored" for problem in seen)

    def shown(self, photo: HandPhoto) -> str:
        """Return the name of the largest stored picture for the page."""
        return photo.thumbnail if photo.display in self.removed else photo.display

    def assembled(self) -> AssembledHand:
        """Return the hand's sets as they lie, with corrections."""
        kept = [
            replace(laid, tiles=tuple(t for t in laid.tiles if self.tiles[t].code is not None))
            for laid in self.sets
        ]
        return assemble([tile.code or FACE_DOWN for tile in self.tiles], kept, self.rules)
