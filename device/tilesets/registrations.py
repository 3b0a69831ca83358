"""Register a tile set: it is laid out in order, photographed, checked by players, then learnt.

A registration is a stream of events that is replayed, like a hand (`device.hands.record`). The box
learns from it only after the players say so. What a picture shows is what the registration says
now, so a later correction counts.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from device.hands.readings import check_problem, check_tile
from device.hands.record import HandPhoto, UnknownHandError, parse_tile_code
from device.hands.repository import ChangeRefusedError, HandRepository
from device.store import Envelope, Event, Store
from device.store.errors import EventRefusedError
from device.store.events import (
    ChangeUndone,
    RegistrationEvent,
    SetPhotoAdded,
    SetPhotographed,
    SetRead,
    SetReadingBegun,
    SetReadingCutOff,
    SetSaved,
    SetTileNamed,
)
from device.store.projection import Projection, get_if_whole, get_projector
from vision.photo import Photo
from vision.reading import NamedSetTile, NameStanding, Problem, TileReading
from vision.set_registration import RegisteredSet

PlaceInPhoto = tuple[int, int]
"""A tile of a registration: the number of its photograph, and its number there."""

MAX_REGISTRATIONS = 60
"""Registrations to read; nobody registers so many sets."""


@dataclass(frozen=True, slots=True)
class RegisteredTile:
    """One tile of the laid-out set: its code as read, or as the player named it."""

    code: str | None
    """None if the player said that it is not a tile."""
    standing: NameStanding
    read: TileReading
    is_named: bool = False
    """The player named it."""

    @property
    def is_asked(self) -> bool:
        """Whether the player must name it before the box learns from it."""
        return self.standing == "ask" and not self.is_named

    @property
    def is_unconfirmed(self) -> bool:
        """Whether only its place among the others tells its code."""
        return self.standing == "look" and not self.is_named


@dataclass(frozen=True, slots=True)
class SetPhoto:
    """One photograph of a registration."""

    photo: HandPhoto
    tiles: tuple[RegisteredTile, ...] = ()
    problems: tuple[Problem, ...] = ()
    is_read: bool = False
    """Reading has ended, with or without success."""


@dataclass(frozen=True, slots=True)
class Registration:
    """The record of one registration."""

    id: str
    tile_set: str
    version: int
    photos: tuple[SetPhoto, ...]
    changes: tuple[int, ...] = ()
    """Numbers of the events by which players named tiles."""
    crops: Mapping[PlaceInPhoto, str] = field(default_factory=dict)
    """Names of the kept pictures; none before the players agreed."""
    attempts: int = 0
    """Number of readings that began and have not ended."""

    @property
    def awaited_photo(self) -> int | None:
        """Number of the next photograph to read; None if all are read."""
        return next((k for k, photo in enumerate(self.photos) if not photo.is_read), None)

    def tiles(self) -> Iterator[tuple[PlaceInPhoto, RegisteredTile]]:
        """Yield every tile with its place."""
        for number, photo in enumerate(self.photos):
            for k, tile in enumerate(photo.tiles):
                yield (number, k), tile

    def tile(self, place: PlaceInPhoto) -> RegisteredTile:
        """Return the tile at a place; raise UnknownHandError if there is none."""
        number, k = place
        if number < len(self.photos) and k < len(self.photos[number].tiles):
            return self.photos[number].tiles[k]
        raise UnknownHandError

    def to_keep(self) -> tuple[PlaceInPhoto, ...]:
        """Return the places of the tiles whose code is known."""
        return tuple(place for place, tile in self.tiles() if tile.code and not tile.is_asked)


class Registrations:
    """The registrations in the store. Every change is checked against the newest state."""

    def __init__(self, store: Store, hands: HandRepository) -> None:
        self._store = store
        self._hands = hands
        self._projector = get_projector(store, REGISTRATIONS)

    def begin(self, tile_set: str, photo: Photo, data: bytes) -> str:
        """Begin a registration with a photograph of the set; return its id."""
        registration = "set-" + secrets.token_hex(6)
        event = SetPhotographed(tile_set, self._hands.keep(photo, data))
        self._projector.add_after(registration, 0, event)
        return registration

    def add_photo(self, registration: str, photo: Photo, data: bytes) -> None:
        """Add a photograph; raise UnknownHandError for an unknown registration."""
        self.change(registration, SetPhotoAdded(self._hands.keep(photo, data)))

    def record_reading(self, registration: str, number: int, registered_set: RegisteredSet) -> None:
        """Record the reading of a photograph."""
        problems = tuple(registered_set.problems)
        self.change(registration, SetRead(number, registered_set.tiles, problems))

    def record_failure(self, registration: str, number: int, problem: Problem) -> None:
        """Record that a photograph could not be read."""
        self.change(registration, SetRead(number, (), (problem,)))

    def name(self, registration: str, place: PlaceInPhoto, code: str | None) -> None:
        """Record the player's code for a tile; None means that it is not a tile."""
        self.change(registration, SetTileNamed(*place, code))

    def get(self, registration: str) -> Registration:
        """Return a registration; raise UnknownHandError if there is none."""
        return self._projector.get(registration)

    def change(self, registration: str, event: RegistrationEvent) -> None:
        """Append a change; raise UnknownHandError or ChangeRefusedError."""
        try:
            self._projector.change(registration, event)
        except EventRefusedError as error:
            raise ChangeRefusedError(str(error)) from error

    def undo(self, registration: str, seq: int) -> None:
        """Undo the last naming, which must be event `seq`; raise ChangeRefusedError."""

        def check(registration_now: Registration) -> None:
            if not registration_now.changes or registration_now.changes[-1] != seq:
                raise ChangeRefusedError("another change has been made since")

        self._projector.change(registration, ChangeUndone(seq), check)

    def find_newest(self, tile_set: str) -> Registration | None:
        """Return the newest registration of a set, if there is one."""
        registrations_begun = self._store.newest_of_kinds(SetPhotographed, limit=MAX_REGISTRATIONS)
        of_set = (
            each.stream
            for each in registrations_begun
            if isinstance(each.event, SetPhotographed) and each.event.set == tile_set
        )
        latest = next(of_set, None)
        return get_if_whole(self.get, latest) if latest else None

    def list_learnt(self, tile_set: str) -> Iterator[Registration]:
        """Yield the whole registrations that a set learns from, newest first."""
        for registration in self._store.with_event(SetSaved, limit=MAX_REGISTRATIONS):
            record = get_if_whole(self.get, registration)
            if record and record.tile_set == tile_set:
                yield record


def _begin(envelope: Envelope[Event]) -> Registration:
    event = envelope.event
    if not isinstance(event, SetPhotographed):
        raise ValueError("a registration begins with a photograph")
    return Registration(envelope.stream, event.set, envelope.seq, (SetPhoto(event.photo),))


def _apply(record: Registration, envelope: Envelope[Event]) -> Registration:
    match envelope.event:
        case SetPhotoAdded(photo=photo):
            return replace(record, photos=(*record.photos, SetPhoto(photo)), attempts=0)
        case SetReadingBegun():
            return replace(record, attempts=record.attempts + 1)
        case SetReadingCutOff():
            return replace(record, attempts=max(0, record.attempts - 1))
        case SetRead() as read:
            tiles = tuple(map(_set_tile, read.tiles))
            problems = tuple(map(check_problem, read.problems))
            record_with_photo = _with_photo(
                record, read.number, tiles=tiles, problems=problems, is_read=True
            )
            return replace(record_with_photo, attempts=0)
        case SetTileNamed() as name_event:
            return replace(_name_tile(record, name_event), changes=(*record.changes, envelope.seq))
        case SetSaved(crops=crops):
            return replace(record, crops={_place(place): name for place, name in crops.items()})
    raise ValueError("nothing of the kind happens to a registration")


def _finish(record: Registration, events: Sequence[Envelope[Event]]) -> Registration:
    return replace(record, version=events[-1].seq)


REGISTRATIONS = Projection(
    "registration", _begin, _apply, UnknownHandError, _finish, max_remembered=16
)
"""How a registration's events become its record."""


def _set_tile(named_tile: NamedSetTile) -> RegisteredTile:
    return RegisteredTile(
        parse_tile_code(named_tile.code), named_tile.standing, check_tile(named_tile.read)
    )


def _name_tile(record: Registration, event: SetTileNamed) -> Registration:
    if min(event.photo, event.tile) < 0:
        raise ValueError("there is no such tile")
    tiles = list(record.photos[event.photo].tiles)
    tiles[event.tile] = replace(tiles[event.tile], code=parse_tile_code(event.code), is_named=True)
    return _with_photo(record, event.photo, tiles=tuple(tiles))


def _with_photo(record: Registration, number: int, **changes: object) -> Registration:
    photos = list(record.photos)
    photos[number] = replace(photos[number], **changes)  # type: ignore[arg-type]
    return replace(record, photos=tuple(photos))


def _place(text: str) -> PlaceInPhoto:
    number, k = text.split("-")
    return int(number), int(k)
