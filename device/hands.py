"""A hand as the page shows it: derived by replaying its events, never stored itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from device.hand_tiles import HandTile
from device.more_photos import Known, add_reading
from device.readings import reading_from_json
from device.situation import Agreement, Situation, first_guess
from device.store import Event, StoreError
from scorer.errors import HandError, HandProblem, error
from scorer.hand import Hand
from scorer.tiles import CODES, FACE_DOWN, JOKER
from vision.assemble import AssembledHand, LaidSet, assemble
from vision.reading import Problem, Reading, Row


class UnknownHandError(Exception):
    """There is no hand of that id."""


@dataclass(frozen=True, slots=True)
class HandPhoto:
    """The photograph of a hand: names of files in the store, and the size after EXIF rotation."""

    original: str
    display: str
    thumbnail: str
    width: int
    height: int
    name: str
    """What the player's phone called the file."""


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
    photo: HandPhoto
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
        """There are tiles to look at, or there were none in the photograph."""
        return self.reading is not None

    @property
    def may_be_read_anew(self) -> bool:
        """Its photograph is there, and no player has put anything right or added another."""
        return self.is_read and not (self.changes or self.added or self.removed)

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
    undone = {event.data["seq"] for event in events if event.kind == "change-undone"}
    record: HandRecord | None = None
    for event in events:
        try:
            if record is None:
                record = _begin(event)
            elif event.seq not in undone and event.kind != "change-undone":
                record = apply(record, event)
            record = replace(record, version=event.seq)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise StoreError(f"Event {event.seq} ({event.kind}) makes no sense: {error}") from error
    if record is None:
        raise UnknownHandError
    # A photograph whose reading the player took back is not read again.
    return replace(record, settled=sum(event.kind in _SETTLING for event in events))


def apply(record: HandRecord, event: Event) -> HandRecord:
    """Return the record with one more event; raise ValueError and kin when it does not fit."""
    return _STEPS[event.kind](record, event)


def hand_from(record: HandRecord) -> Hand:
    """Return the hand to be scored; raise HandError without tiles, or for one not known."""
    parts = record.assembled()
    if not any(laid.tiles for laid in parts.sets):
        raise HandError((error("no-tiles", "This hand has no tiles yet. Add them by hand."),))
    if parts.unresolved:
        raise HandError(tuple(_face_down(tile) for tile in parts.unresolved))
    situation = record.situation
    winning = situation.winning_tile
    codes = {t: code for s in parts.sets for t, code in zip(s.tiles, s.codes, strict=True)}
    return Hand(
        exposed=parts.exposed,
        declared_kongs=parts.declared_kongs,
        concealed=parts.concealed,
        bonus=parts.bonus,
        winner=situation.winner,
        won_by=(situation.won_by,) if situation.winner else (),
        winning_tile=codes.get(winning) if situation.winner and winning is not None else None,
        seat_wind=situation.seat_wind,
        prevailing_wind=situation.prevailing_wind,
        ruleset=record.rules,
        original_call=situation.original_call,
        players=record.agreement.players,
        goulash=record.agreement.goulash,
        limit=record.agreement.limit,
        house=record.agreement.house,
    )


def _face_down(tile: int) -> HandProblem:
    return error(
        "face-down-unknown",
        f"Tile {tile + 1} lies face down and its neighbours do not tell what it is. "
        "Tap it and choose the tile.",
    )


def _begin(event: Event) -> HandRecord:
    if event.kind != "photo-taken":
        raise ValueError("a hand begins with its photograph")
    data = event.data
    return HandRecord(
        id=event.hand,
        photo=HandPhoto(**data["photo"]),
        rules=data["rules"],
        taken_at=event.at,
        situation=Situation(seat_wind=data["seat_wind"], prevailing_wind=data["prevailing_wind"]),
        version=event.seq,
        match=data.get("match", ""),
        camera=data.get("camera", {}),
    )


def _reading_begun(record: HandRecord, event: Event) -> HandRecord:
    return replace(record, attempts=record.attempts + 1)


def _reading_made(record: HandRecord, event: Event) -> HandRecord:
    if record.reading is not None:
        raise ValueError("a hand is read once: another reading would undo the player's work")
    reading = reading_from_json(event.data)
    return replace(
        record,
        reading=reading,
        failure=None,
        changes=(),  # tiles entered by hand while there was no reading give way to it
        tiles=tuple(HandTile(tile.code, tile) for tile in reading.tiles),
        sets=tuple(LaidSet(s.tiles, s.row) for s in reading.sets),
        situation=first_guess(record.situation, reading),
        models=dict(event.data.get("models", {})),
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
    problem = Problem(event.data["code"], event.data["message"])
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
    return replace(record, added_notes=(Problem(event.data["code"], event.data["message"]),))


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


def _tile_added(record: HandRecord, event: Event) -> HandRecord:
    place = len(record.tiles)
    added = replace(record, tiles=(*record.tiles, HandTile(None, None, changed=True)))
    named = replace(added.tiles[place], code=tile_code(event.data["code"]))
    placed = _place(replace(added, tiles=(*record.tiles, named)), place, event.data)
    return _changed(placed, event, place, None)


def _tile_moved(record: HandRecord, event: Event) -> HandRecord:
    place = _tile(record, event.data)
    return _changed(_place(record, place, event.data), event, place, None)


def _place(record: HandRecord, tile: int, data: Mapping[str, Any]) -> HandRecord:
    """Put a tile at the end of a set, or in a set of its own at the end of a row."""
    sets = [replace(s, tiles=tuple(t for t in s.tiles if t != tile)) for s in record.sets]
    which = data["set"]
    if which is None:
        sets.append(LaidSet((tile,), _row(data["row"]), placed_by_hand=True))
    elif 0 <= which < len(sets):
        sets[which] = replace(sets[which], tiles=(*sets[which].tiles, tile))
    else:
        raise ValueError(f"the hand has no set {which}")
    return replace(record, sets=tuple(sets))


def _set_moved(record: HandRecord, event: Event) -> HandRecord:
    which, row = event.data["set"], _row(event.data["row"])
    sets = list(record.sets)
    sets[which] = replace(sets[which], row=row, placed_by_hand=True)
    return _changed(replace(record, sets=tuple(sets)), event, sets[which].tiles[0], None)


def _context_set(record: HandRecord, event: Event) -> HandRecord:
    answers = {key: value for key, value in event.data.items() if key != "by"}
    return replace(record, situation=record.situation.with_answers(answers))


def _changed(record: HandRecord, event: Event, tile: int | None, before: str | None) -> HandRecord:
    after = None if tile is None else record.tiles[tile].code
    change = Change(event.seq, event.kind, event.at, tile, before, after, _by(event))
    return replace(record, changes=(*record.changes, change))


def _by(event: Event) -> str:
    return str(event.data.get("by", ""))


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
    "tile-added": _tile_added,
    "tile-moved": _tile_moved,
    "set-moved": _set_moved,
    "context-set": _context_set,
}

_REARRANGING = frozenset({"tile-added", "tile-moved", "set-moved"})
"""The changes that say which tiles lie together."""

_SETTLING = frozenset({"photo-read", "photo-failed"})
"""The events that end the wait for an added photograph."""


def _tile(record: HandRecord, data: Mapping[str, Any]) -> int:
    place = int(data["tile"])
    if not 0 <= place < len(record.tiles):
        raise ValueError(f"the hand has no tile {place}")
    return place


def tile_code(value: object) -> str | None:
    """Return a tile code out of an event, None for no tile; raise ValueError for anything else."""
    if value is None or value in (*CODES, FACE_DOWN, JOKER):
        return value if value is None else str(value)
    raise ValueError(f"{value!r} is no tile code")


def _row(value: object) -> Row:
    match value:
        case "exposed" | "concealed" | "bonus":
            return value
    raise ValueError(f"{value!r} is no row")
