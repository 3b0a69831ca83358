"""A tile set that is being registered: photographed laid out in order, looked over, then learnt.

Like a hand, a registration is its events replayed (`device.hands.hand`). Nothing of it is learnt
from before the players say so, and what a kept picture shows is what the registration says by now.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from msgspec import convert

from device.hands.hand import UnknownHandError
from device.hands.readings import problem_from, tile_from, trouble_of
from device.hands.repository import ChangeRefusedError, HandRepository
from device.hands.tiles import HandPhoto, tile_code
from device.store import Envelope, Event, Store
from device.store.errors import UnfitError
from device.store.events import (
    ChangeUndone,
    LaidTile,
    RegistrationEvent,
    SetKept,
    SetPhotoAdded,
    SetPhotographed,
    SetRead,
    SetReadingBegun,
    SetTileNamed,
)
from device.store.replaying import Projection, if_whole, projector
from vision.photo import Photo
from vision.reading import Problem, TileReading
from vision.registering import LaidOut, NameStanding

PlaceInPhoto = tuple[int, int]
"""A tile of a registration: the number of its photograph, and its number there."""

MOST = 60
"""Registrations that are looked through; nobody registers so many sets."""


@dataclass(frozen=True, slots=True)
class RegisteredTile:
    """One tile of a set laid out: what it is taken for, and what the player says that it is."""

    code: str | None
    """None when the player said that it is no tile."""
    standing: NameStanding
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
    tiles: tuple[RegisteredTile, ...] = ()
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
    crops: Mapping[PlaceInPhoto, str] = field(default_factory=dict)
    """Names of the pictures that were kept; none before the players said so."""
    attempts: int = 0
    """How many readings were begun of which no end is known."""

    @property
    def awaited(self) -> int | None:
        """The number of the photograph that is still to be read."""
        return next((k for k, photo in enumerate(self.photos) if not photo.is_read), None)

    def tiles(self) -> Iterator[tuple[PlaceInPhoto, RegisteredTile]]:
        """Yield every tile with its place."""
        for number, photo in enumerate(self.photos):
            for k, tile in enumerate(photo.tiles):
                yield (number, k), tile

    def tile(self, place: PlaceInPhoto) -> RegisteredTile:
        """Return a tile; raise UnknownHandError when there is none at that place."""
        number, k = place
        if number < len(self.photos) and k < len(self.photos[number].tiles):
            return self.photos[number].tiles[k]
        raise UnknownHandError

    def to_keep(self) -> tuple[PlaceInPhoto, ...]:
        """Return the tiles of which it is known what they are."""
        return tuple(place for place, tile in self.tiles() if tile.code and not tile.is_asked)


class Registrations:
    """The registrations in the store; every change is checked against the newest state."""

    def __init__(self, store: Store, hands: HandRepository) -> None:
        self._store = store
        self._hands = hands
        self._projector = projector(store, REGISTRATIONS)

    def begin(self, tile_set: str, photo: Photo, data: bytes) -> str:
        """Begin with a photograph of the set; return the registration's id."""
        registration = "set-" + secrets.token_hex(6)
        photographed = SetPhotographed(tile_set, self._hands.keep(photo, data))
        self._projector.add_after(registration, 0, photographed)
        return registration

    def add_photo(self, registration: str, photo: Photo, data: bytes) -> None:
        """Add a photograph; raise UnknownHandError when there is no such registration."""
        self.change(registration, SetPhotoAdded(self._hands.keep(photo, data)))

    def reading_begun(self, registration: str) -> None:
        """Keep that a photograph begins to be read: the box may end with it."""
        self.change(registration, SetReadingBegun())

    def was_read(self, registration: str, number: int, laid: LaidOut) -> None:
        """Keep what a photograph was read as."""
        tiles = convert(list(map(asdict, laid.tiles)), tuple[LaidTile, ...])
        problems = tuple(map(trouble_of, laid.problems))
        self.change(registration, SetRead(number, tiles, problems))

    def not_read(self, registration: str, number: int, problem: Problem) -> None:
        """Keep that a photograph could not be read."""
        self.change(registration, SetRead(number, (), (trouble_of(problem),)))

    def name(self, registration: str, place: PlaceInPhoto, code: str | None) -> None:
        """Keep what the player says that a tile is; None strikes it out."""
        self.change(registration, SetTileNamed(*place, code))

    def get(self, registration: str) -> Registration:
        """Return a registration; raise UnknownHandError when there is none."""
        return self._projector.get(registration)

    def change(self, registration: str, event: RegistrationEvent) -> None:
        """Keep one change; raise UnknownHandError or ChangeRefusedError."""
        try:
            self._projector.change(registration, event)
        except UnfitError as error:
            raise ChangeRefusedError(str(error)) from error

    def undo(self, registration: str, seq: int) -> None:
        """Take back the last naming, which must be number `seq`; raise ChangeRefusedError."""

        def check(now: Registration) -> None:
            if not now.changes or now.changes[-1] != seq:
                raise ChangeRefusedError("another change has been made since")

        self._projector.change(registration, ChangeUndone(seq), check)

    def kept(self, tile_set: str) -> Iterator[Registration]:
        """Yield the whole registrations of a set from which it learns, the newest first."""
        for registration in self._store.with_event(SetKept, limit=MOST):
            record = if_whole(self.get, registration)
            if record and record.tile_set == tile_set:
                yield record


def _begun(envelope: Envelope[Event]) -> Registration:
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
        case SetRead() as read:
            tiles = tuple(map(_set_tile, read.tiles))
            problems = tuple(map(problem_from, read.problems))
            made = _with_photo(record, read.number, tiles=tiles, problems=problems, is_read=True)
            return replace(made, attempts=0)
        case SetTileNamed() as named:
            return replace(_named(record, named), changes=(*record.changes, envelope.seq))
        case SetKept(crops=crops):
            return replace(record, crops={_place(place): name for place, name in crops.items()})
    raise ValueError("nothing of the kind happens to a registration")


def _finish(record: Registration, events: Sequence[Envelope[Event]]) -> Registration:
    return replace(record, version=events[-1].seq)


REGISTRATIONS = Projection("registration", _begun, _apply, UnknownHandError, _finish, remembered=16)
"""How a registration comes of its events."""


def _set_tile(laid: LaidTile) -> RegisteredTile:
    return RegisteredTile(tile_code(laid.code), standing_named(laid.standing), tile_from(laid.read))


def standing_named(value: str) -> NameStanding:
    """Return how sure a tile's name is, out of an event; raise ValueError."""
    match value:
        case "sure" | "look" | "ask":
            return value
    raise ValueError(f"a tile's name is not {value!r}")


def _named(record: Registration, event: SetTileNamed) -> Registration:
    if min(event.photo, event.tile) < 0:
        raise ValueError("there is no such tile")
    tiles = list(record.photos[event.photo].tiles)
    tiles[event.tile] = replace(tiles[event.tile], code=tile_code(event.code), named=True)
    return _with_photo(record, event.photo, tiles=tuple(tiles))


def _with_photo(record: Registration, number: int, **changes: object) -> Registration:
    photos = list(record.photos)
    photos[number] = replace(photos[number], **changes)  # type: ignore[arg-type]
    return replace(record, photos=tuple(photos))


def _place(text: str) -> PlaceInPhoto:
    number, k = text.split("-")
    return int(number), int(k)
