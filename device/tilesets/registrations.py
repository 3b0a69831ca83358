"""A tile set that is being registered: photographed laid out in order, looked over, then learnt.

Like a hand, a registration is its events replayed (`device.hands.hand`). Nothing of it is learnt
from before the players say so, and what a kept picture shows is what the registration says by now.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from device.hands.hand import UnknownHandError
from device.hands.readings import kept_problem, problem_from_json, tile_from_json
from device.hands.repository import ChangeRefusedError, Records
from device.hands.tiles import HandPhoto, tile_code
from device.store import Event, Store
from device.store.replaying import replayed
from vision.photo import Photo
from vision.reading import Problem, TileReading
from vision.registering import LaidOut, Standing

Place = tuple[int, int]
"""A tile of a registration: the number of its photograph, and its number there."""

MOST = 60
"""Registrations that are looked through; nobody registers so many sets."""


@dataclass(frozen=True, slots=True)
class SetTile:
    """One tile of a set laid out: what it is taken for, and what the player says that it is."""

    code: str | None
    """None when the player said that it is no tile."""
    standing: Standing
    read: TileReading
    named: bool = False
    """The player said what it is."""

    @property
    def is_asked(self) -> bool:
        """The box does not know what it is and learns nothing from it until the player says so."""
        return self.standing == "ask" and not self.named

    @property
    def is_unconfirmed(self) -> bool:
        """Its place among the others alone says what it is."""
        return self.standing == "look" and not self.named


@dataclass(frozen=True, slots=True)
class SetPhoto:
    """One photograph of a registration."""

    photo: HandPhoto
    tiles: tuple[SetTile, ...] = ()
    problems: tuple[Problem, ...] = ()
    is_read: bool = False
    """It was read, or could not be."""


@dataclass(frozen=True, slots=True)
class Registration:
    """Everything known about one registration."""

    id: str
    tile_set: str
    version: int
    photos: tuple[SetPhoto, ...]
    changes: tuple[int, ...] = ()
    """Numbers of the events by which players named tiles."""
    crops: Mapping[Place, str] = field(default_factory=dict)
    """Names of the pictures that were kept; none before the players said so."""

    @property
    def awaited(self) -> int | None:
        """The number of the photograph that is still to be read."""
        return next((k for k, photo in enumerate(self.photos) if not photo.is_read), None)

    def tiles(self) -> Iterator[tuple[Place, SetTile]]:
        """Yield every tile with its place."""
        for number, photo in enumerate(self.photos):
            for k, tile in enumerate(photo.tiles):
                yield (number, k), tile

    def tile(self, place: Place) -> SetTile:
        """Return a tile; raise UnknownHandError when there is none at that place."""
        number, k = place
        if number < len(self.photos) and k < len(self.photos[number].tiles):
            return self.photos[number].tiles[k]
        raise UnknownHandError

    def to_keep(self) -> tuple[Place, ...]:
        """Return the tiles of which it is known what they are."""
        return tuple(place for place, tile in self.tiles() if tile.code and not tile.is_asked)


class Registrations:
    """The registrations in the store; every change is checked against the newest state."""

    def __init__(self, store: Store, records: Records) -> None:
        self._store = store
        self._records = records
        self._changing = threading.Lock()

    def begin(self, tile_set: str, photo: Photo, data: bytes) -> str:
        """Begin with a photograph of the set; return the registration's id."""
        registration = "set-" + secrets.token_hex(6)
        event = {"set": tile_set, "photo": self._records.keep(photo, data)}
        self._store.append(registration, "set-photographed", event)
        return registration

    def add_photo(self, registration: str, photo: Photo, data: bytes) -> None:
        """Add a photograph; raise UnknownHandError when there is no such registration."""
        self.change(registration, "set-photo-added", {"photo": self._records.keep(photo, data)})

    def was_read(self, registration: str, number: int, laid: LaidOut) -> None:
        """Keep what a photograph was read as."""
        problems = list(map(kept_problem, laid.problems))
        data = {"number": number, **asdict(replace(laid, problems=())), "problems": problems}
        self.change(registration, "set-read", data)

    def not_read(self, registration: str, number: int, problem: Problem) -> None:
        """Keep that a photograph could not be read."""
        self.change(
            registration,
            "set-read",
            {"number": number, "tiles": [], "problems": [kept_problem(problem)]},
        )

    def name(self, registration: str, place: Place, code: str | None) -> None:
        """Keep what the player says that a tile is; None strikes it out."""
        data = {"photo": place[0], "tile": place[1], "code": code}
        self.change(registration, "set-tile-named", data)

    def get(self, registration: str) -> Registration:
        """Return a registration; raise UnknownHandError when there is none."""
        return replay(self._store.events(registration))

    def change(self, registration: str, kind: str, data: Mapping[str, Any]) -> None:
        """Keep one change; raise UnknownHandError or ChangeRefusedError."""
        with self._changing:
            record = self.get(registration)
            event = Event(record.version + 1, registration, kind, data, datetime.now(UTC))
            try:
                _STEPS[kind](record, event)
            except (KeyError, IndexError, TypeError, ValueError) as error:
                raise ChangeRefusedError(str(error)) from error
            self._store.append(registration, kind, data)

    def undo(self, registration: str, seq: int) -> None:
        """Take back the last naming, which must be number `seq`; raise ChangeRefusedError."""
        with self._changing:
            changes = self.get(registration).changes
            if not changes or changes[-1] != seq:
                raise ChangeRefusedError("another change has been made since")
            self._store.append(registration, "change-undone", {"seq": seq})

    def kept(self, tile_set: str) -> Iterator[Registration]:
        """Yield the registrations of a set from which it learns, the newest first."""
        for registration in self._store.with_event("set-kept", MOST):
            record = self.get(registration)
            if record.tile_set == tile_set:
                yield record


def replay(events: Iterable[Event]) -> Registration:
    """Derive a registration from its events, oldest first.

    Raises StoreError for events that make none, UnknownHandError when there are none.
    """
    events = tuple(events)
    record = replayed(events, _begun, _apply)
    if record is None:
        raise UnknownHandError
    return replace(record, version=events[-1].seq)


def _apply(record: Registration, event: Event) -> Registration:
    return _STEPS[event.kind](record, event)


def _begun(event: Event) -> Registration:
    if event.kind != "set-photographed":
        raise ValueError("a registration begins with a photograph")
    photo = SetPhoto(HandPhoto(**event.data["photo"]))
    return Registration(event.hand, str(event.data["set"]), event.seq, (photo,))


def _photo_added(record: Registration, event: Event) -> Registration:
    photo = SetPhoto(HandPhoto(**event.data["photo"]))
    return replace(record, photos=(*record.photos, photo))


def _read(record: Registration, event: Event) -> Registration:
    tiles = tuple(
        SetTile(tile_code(tile["code"]), tile["standing"], tile_from_json(tile["read"]))
        for tile in event.data["tiles"]
    )
    problems = tuple(map(problem_from_json, event.data["problems"]))
    return _with_photo(record, event.data["number"], tiles=tiles, problems=problems, is_read=True)


def _tile_named(record: Registration, event: Event) -> Registration:
    number, k = int(event.data["photo"]), int(event.data["tile"])
    if min(number, k) < 0:
        raise ValueError("there is no such tile")
    tiles = list(record.photos[number].tiles)
    tiles[k] = replace(tiles[k], code=tile_code(event.data["code"]), named=True)
    named = _with_photo(record, number, tiles=tuple(tiles))
    return replace(named, changes=(*record.changes, event.seq))


def _kept(record: Registration, event: Event) -> Registration:
    crops = {_place(place): str(name) for place, name in event.data["crops"].items()}
    return replace(record, crops=crops)


def _with_photo(record: Registration, number: int, **changes: object) -> Registration:
    photos = list(record.photos)
    photos[number] = replace(photos[number], **changes)  # type: ignore[arg-type]
    return replace(record, photos=tuple(photos))


def _place(text: str) -> Place:
    number, k = text.split("-")
    return int(number), int(k)


_STEPS: dict[str, Callable[[Registration, Event], Registration]] = {
    "set-photo-added": _photo_added,
    "set-read": _read,
    "set-tile-named": _tile_named,
    "set-kept": _kept,
}
