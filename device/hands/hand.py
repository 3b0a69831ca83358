"""A hand as the page shows it: derived by replaying its events (`device.hands.replay`)."""

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
"""What may look odd of a hand and yet be so: too few tiles or too many, all sets of one row
concealed, a whole Mah-Jong that did not go out."""


class UnknownHandError(UnknownStreamError):
    """There is no hand of that id."""


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """One thing that the player changed, for the list that stays visible."""

    seq: int
    kind: str
    at: datetime
    tile: int | None = None
    """None for what concerns all tiles."""
    before: str | None = None
    after: str | None = None
    by: str = ""
    """Whose phone it was; empty where nobody has said."""


@dataclass(frozen=True, slots=True)
class HandRecord:
    """Everything known about one hand."""

    id: str
    photo: HandPhoto | None
    """None for a hand that is entered tile by tile."""
    rules: str
    taken_at: datetime
    situation: Situation
    version: int
    """Number of the last event; grows with every change."""
    reading: Reading | None = None
    failure: Problem | None = None
    """Why the photograph could not be read."""
    attempts: int = 0
    """How many readings were begun of which no end is known."""
    doubts: tuple[Problem, ...] = ()
    """What is wrong with the newest photograph, which waits until a player says what to do."""
    as_it_is: bool = False
    """A player wants the newest photograph read whatever is wrong with it."""
    retaken: tuple[HandPhoto, ...] = ()
    """Photographs in whose place others were taken; they are not read."""
    tiles: tuple[HandTile, ...] = ()
    sets: tuple[LaidSet, ...] = ()
    changes: tuple[ChangeRecord, ...] = field(default=())
    undone: int | None = None
    """Number of the change that was taken back last, if nothing has happened since."""
    added: tuple[HandPhoto, ...] = ()
    """Further photographs of the hand, in the order in which they came."""
    settled: int = 0
    """How many of these have been read, or could not be."""
    added_notes: tuple[Problem, ...] = ()
    """What there is to say of the newest of these."""

    looks_like: str = ""
    """The tile set of which the tiles seem to be, if not the one on the table when it was read."""
    tiles_right: bool = False
    """The player looked at all tiles and said that they are right."""
    said_so: frozenset[str] = frozenset()
    """What a player said is so though it looks odd: of `ODD`."""
    tile_set: str = ""
    """The tile set that this hand teaches the box, if its crops were kept."""
    crops: Mapping[int, str] = field(default_factory=dict)
    """Names of the kept pictures of single tiles, by the tile's place."""
    mirrored: bool | None = None
    """Whether its photograph is a mirror image; None until players say so."""
    removed: frozenset[str] = frozenset()
    """Names of the large pictures that made room for others."""
    match: str = ""
    """The match that the hand belongs to; empty for a hand of its own."""
    table: str = ""
    """Id of the table that it lies on; empty where there is only one."""
    asked: bool = False
    """Somebody asked what the tiles are; nobody asked what they score."""
    player: str = ""
    """Whose hand it is, in a match."""
    agreed: bool = False
    """Somebody at its table looked at it and said that it is right."""
    agreed_to: int | None = None
    """What it came to then; None where that was not written down."""
    agreement: Agreement = field(default_factory=Agreement)
    of_table: bool = False
    """Its photograph is of the whole table: other hands are in it too."""
    camera: Mapping[str, Any] = field(default_factory=dict)
    """What the box's own camera said of the first photograph, in libcamera's words."""
    models: Mapping[str, str] = field(default_factory=dict)
    """Which networks read the first photograph, by name; empty where that was not written down."""

    @property
    def awaited(self) -> HandPhoto | None:
        """The added photograph that is still to be read."""
        return self.added[self.settled] if self.settled < len(self.added) else None

    @property
    def newest_photo(self) -> HandPhoto | None:
        """The photograph that is to be read, or the one that the hand began with."""
        return self.awaited or self.photo

    @property
    def may_be_doubted(self) -> bool:
        """Whether the newest photograph is a phone's, which can be taken again at once."""
        newest = self.newest_photo
        return newest is not None and newest.by_phone and not self.as_it_is

    @property
    def is_read(self) -> bool:
        """There are tiles to look at, there were none in the photograph, or there is none."""
        return self.reading is not None or self.photo is None

    @property
    def may_be_read_anew(self) -> bool:
        """Its photograph, of this hand alone, is there; no player has put anything right."""
        changed = self.changes or self.added or self.removed
        return self.reading is not None and not (changed or self.of_table)

    @property
    def asks_whether_mirrored(self) -> bool:
        """The tiles look as in a mirror, and nobody has said whether they are."""
        seen = self.reading.problems if self.reading else ()
        return self.mirrored is None and any(problem.code == "mirrored" for problem in seen)

    def shown(self, photo: HandPhoto) -> str:
        """Return the name of the largest picture there is for the page."""
        return photo.thumbnail if photo.display in self.removed else photo.display

    def assembled(self) -> AssembledHand:
        """Return the parts of the hand as the tiles lie, corrections included."""
        kept = [
            replace(laid, tiles=tuple(t for t in laid.tiles if self.tiles[t].code is not None))
            for laid in self.sets
        ]
        return assemble([tile.code or FACE_DOWN for tile in self.tiles], kept, self.rules)
