"""A hand as the page shows it: derived by replaying its events, never stored itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from device.hands.layout import added, counted, grouped, moved, put
from device.hands.more_photos import Known, add_reading
from device.hands.readings import problem_from_json, reading_from_json
from device.hands.situation import Agreement, Situation, first_guess, guess_won
from device.hands.tiles import HandPhoto, HandTile, tile_code
from device.i18n.names import Name
from device.store import Event
from device.store.replaying import replayed
from scorer.tiles import FACE_DOWN
from vision.hand.assemble import AssembledHand, LaidSet, assemble
from vision.reading import Problem, Reading

BEGINNINGS = ("photo-taken", "hand-begun")
"""The events that a hand begins with: a photograph, or the wish to enter it tile by tile."""


class UnknownHandError(Exception):
    """There is no hand of that id."""


@dataclass(frozen=True, slots=True)
class Change:
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
    tiles: tuple[HandTile, ...] = ()
    sets: tuple[LaidSet, ...] = ()
    changes: tuple[Change, ...] = field(default=())
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
    tile_set: str = ""
    """The tile set that this hand teaches the box, if its crops were kept."""
    crops: Mapping[int, str] = field(default_factory=dict)
    """Names of the kept pictures of single tiles, by the tile's place."""
    removed: frozenset[str] = frozenset()
    """Names of the large pictures that made room for others."""
    match: str = ""
    """The match that the hand belongs to; empty for a hand of its own."""
    asked: bool = False
    """Somebody asked what the tiles are; nobody asked what they score."""
    player: str = ""
    """Whose hand it is, in a match."""
    agreement: Agreement = field(default_factory=Agreement)
    camera: Mapping[str, Any] = field(default_factory=dict)
    """What the box's own camera said of the first photograph, in libcamera's words."""
    models: Mapping[str, str] = field(default_factory=dict)
    """Which networks read the first photograph, by name; empty where that was not written down."""

    @property
    def awaited(self) -> HandPhoto | None:
        """The added photograph that is still to be read."""
        return self.added[self.settled] if self.settled < len(self.added) else None

    @property
    def is_read(self) -> bool:
        """There are tiles to look at, there were none in the photograph, or there is none."""
        return self.reading is not None or self.photo is None

    @property
    def may_be_read_anew(self) -> bool:
        """Its photograph is there, and no player has put anything right or added another."""
        return self.reading is not None and not (self.changes or self.added or self.removed)

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


def replay(events: Iterable[Event]) -> HandRecord:
    """Derive a hand from its events, oldest first.

    Raises StoreError for events that make no hand, UnknownHandError when there are none.
    """
    events = tuple(events)
    record = replayed(events, _begin, apply)
    if record is None:
        raise UnknownHandError
    record = replace(record, version=events[-1].seq)
    # A photograph whose reading the player took back is not read again.
    return replace(record, settled=sum(event.kind in _SETTLING for event in events))


def apply(record: HandRecord, event: Event) -> HandRecord:
    """Return the record with one more event; raise ValueError and kin when it does not fit."""
    return _STEPS[event.kind](record, event)


def _begin(event: Event) -> HandRecord:
    if event.kind not in BEGINNINGS:
        raise ValueError("a hand begins with its photograph, or by hand")
    data = event.data
    record = HandRecord(
        id=event.hand,
        photo=HandPhoto(**data["photo"]) if event.kind == "photo-taken" else None,
        rules=data["rules"],
        taken_at=event.at,
        situation=Situation(seat_wind=data["seat_wind"], prevailing_wind=data["prevailing_wind"]),
        version=event.seq,
        match=data.get("match", ""),
        asked=bool(data.get("asked", False)),
        agreement=_agreed(data),
        camera=data.get("camera", {}),
    )
    # A photograph of the whole table is read before it is told apart into hands.
    return _read(record, data["reading"]) if "reading" in data else record


def _agreed(data: Mapping[str, Any]) -> Agreement:
    """Return what was agreed where the tiles were asked about; a match tells its own hands."""
    said = data.get("agreement")
    if said is None:
        return Agreement()
    return Agreement(**{**said, "ruleset": data["rules"], "house": tuple(said["house"])})


def _reading_begun(record: HandRecord, event: Event) -> HandRecord:
    return replace(record, attempts=record.attempts + 1)


def _reading_made(record: HandRecord, event: Event) -> HandRecord:
    if record.reading is not None:
        raise ValueError("a hand is read once: another reading would undo the player's work")
    return _read(record, event.data)


def _read(record: HandRecord, data: Mapping[str, Any]) -> HandRecord:
    reading = reading_from_json(data)
    return replace(
        record,
        reading=reading,
        failure=None,
        changes=(),  # tiles entered by hand while there was no reading give way to it
        tiles=tuple(HandTile(tile.code, tile) for tile in reading.tiles),
        sets=tuple(LaidSet(s.tiles, s.row) for s in reading.sets),
        situation=first_guess(record.situation, reading),
        models=dict(data.get("models", {})),
    )


def _other_set_seen(record: HandRecord, event: Event) -> HandRecord:
    return replace(record, looks_like=str(event.data["set"]))


def _reading_renewed(record: HandRecord, event: Event) -> HandRecord:
    if not record.may_be_read_anew:
        raise ValueError("another reading would undo the player's work")
    return replace(record, reading=None, tiles=(), sets=(), looks_like="", attempts=0)


def _reading_failed(record: HandRecord, event: Event) -> HandRecord:
    if record.reading is not None:
        raise ValueError("the hand has been read")
    problem = problem_from_json(event.data)
    return replace(record, failure=problem, attempts=0)


def _reading_asked(record: HandRecord, event: Event) -> HandRecord:
    if record.failure is None or record.removed:
        raise ValueError("nothing has failed, or there is nothing left to read")
    return replace(record, failure=None)


def _photo_added(record: HandRecord, event: Event) -> HandRecord:
    if record.reading is None:
        raise ValueError("the first photograph has not been read")
    return replace(record, added=(*record.added, HandPhoto(**event.data["photo"])), attempts=0)


def _photo_read(record: HandRecord, event: Event) -> HandRecord:
    number = int(event.data["number"])
    if record.reading is None or not 0 <= number < len(record.added):
        raise ValueError(f"no photograph {number} was added")
    moved = any(change.kind in _REARRANGING for change in record.changes)
    known = Known(record.reading, record.tiles, record.sets, record.rules, moved)
    more = add_reading(known, number, reading_from_json(event.data["reading"]))
    told = replace(record, tiles=more.tiles, sets=more.sets, added_notes=more.notes)
    return _changed(told, event, None, None) if more.same_hand else told


def _photo_failed(record: HandRecord, event: Event) -> HandRecord:
    if not record.added:
        raise ValueError("no photograph was added")
    return replace(record, added_notes=(problem_from_json(event.data),))


def _tile_corrected(record: HandRecord, event: Event) -> HandRecord:
    place, code = _tile(record, event.data), tile_code(event.data["code"])
    before = record.tiles[place]
    same = before.read is not None and before.read.code == code
    after = replace(before, code=code, changed=not same, confirmed=same)
    tiles = (*record.tiles[:place], after, *record.tiles[place + 1 :])
    return _changed(replace(record, tiles=tiles), event, place, before.code)


def _tiles_confirmed(record: HandRecord, event: Event) -> HandRecord:
    if record.reading is None or record.tiles_right:
        raise ValueError("there is nothing to say right of")
    tiles = tuple(replace(tile, confirmed=not tile.changed) for tile in record.tiles)
    change = Change(event.seq, event.kind, event.at, by=_by(event))
    return replace(record, tiles=tiles, tiles_right=True, changes=(*record.changes, change))


def _crops_kept(record: HandRecord, event: Event) -> HandRecord:
    """Taken as it comes: what was confirmed may have been taken back, and then nobody asks."""
    crops = {int(place): str(name) for place, name in event.data["crops"].items()}
    return replace(record, tile_set=str(event.data["set"]), crops=crops)


def _photos_removed(record: HandRecord, event: Event) -> HandRecord:
    """Taken as it comes: by the time that this is replayed, the files are gone."""
    return replace(record, removed=record.removed.union(event.data["names"]))


def _tiles_added(record: HandRecord, event: Event) -> HandRecord:
    data = event.data
    codes = data["codes"] if event.kind == "set-added" else [data["code"]]
    tiles, sets = added(record.tiles, record.sets, codes, data.get("set"), data["row"])
    laid = _guessed(replace(record, tiles=tiles, sets=sets))
    return _changed(laid, event, len(record.tiles), None)


def _guessed(record: HandRecord) -> HandRecord:
    """Without a photograph, it is the number of tiles that says whether the hand won."""
    if record.photo:
        return record
    return replace(record, situation=guess_won(record.situation, counted(record.assembled())))


def _set_removed(record: HandRecord, event: Event) -> HandRecord:
    """Strike a whole set out."""
    places = [_tile(record, {"tile": tile}) for tile in event.data["tiles"]]
    tiles = list(record.tiles)
    for place in places:
        tiles[place] = replace(tiles[place], code=None, changed=True, confirmed=False)
    before = record.tiles[places[0]].code
    return _changed(_guessed(replace(record, tiles=tuple(tiles))), event, places[0], before)


def _tiles_grouped(record: HandRecord, event: Event) -> HandRecord:
    groups = [[_tile(record, {"tile": tile}) for tile in each] for each in event.data["groups"]]
    laid = replace(record, sets=grouped(record.sets, groups))
    return _changed(laid, event, groups[0][0], None)


def _tile_moved(record: HandRecord, event: Event) -> HandRecord:
    place = _tile(record, event.data)
    sets = put(record.sets, place, event.data["set"], event.data["row"])
    return _changed(replace(record, sets=sets), event, place, None)


def _set_moved(record: HandRecord, event: Event) -> HandRecord:
    which = event.data["set"]
    sets = moved(record.sets, which, event.data["row"])
    return _changed(replace(record, sets=sets), event, sets[which].tiles[0], None)


def _context_set(record: HandRecord, event: Event) -> HandRecord:
    answers = {key: value for key, value in event.data.items() if key != "by"}
    return replace(record, situation=record.situation.with_answers(answers))


def _changed(record: HandRecord, event: Event, tile: int | None, before: str | None) -> HandRecord:
    after = None if tile is None else record.tiles[tile].code
    change = Change(event.seq, event.kind, event.at, tile, before, after, _by(event))
    return replace(record, changes=(*record.changes, change))


def _by(event: Event) -> Name:
    return Name(event.data.get("by", ""))


_STEPS: dict[str, Callable[[HandRecord, Event], HandRecord]] = {
    "reading-begun": _reading_begun,
    "reading-made": _reading_made,
    "reading-failed": _reading_failed,
    "reading-asked": _reading_asked,
    "other-set-seen": _other_set_seen,
    "reading-renewed": _reading_renewed,
    "photo-added": _photo_added,
    "photo-read": _photo_read,
    "photo-failed": _photo_failed,
    "tile-corrected": _tile_corrected,
    "tiles-confirmed": _tiles_confirmed,
    "crops-kept": _crops_kept,
    "photos-removed": _photos_removed,
    "tile-added": _tiles_added,
    "set-added": _tiles_added,
    "set-removed": _set_removed,
    "tiles-grouped": _tiles_grouped,
    "tile-moved": _tile_moved,
    "set-moved": _set_moved,
    "context-set": _context_set,
}

_REARRANGING = frozenset(
    {"tile-added", "tile-moved", "set-moved", "set-added", "set-removed", "tiles-grouped"}
)
"""The changes that say which tiles lie together."""

_SETTLING = frozenset({"photo-read", "photo-failed"})
"""The events that end the wait for an added photograph."""


def _tile(record: HandRecord, data: Mapping[str, Any]) -> int:
    place = int(data["tile"])
    if not 0 <= place < len(record.tiles):
        raise ValueError(f"the hand has no tile {place}")
    return place
