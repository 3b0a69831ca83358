"""The events of one registration: a tile set is laid out, photographed, checked and learnt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from device.store.events.catalogue import Event
from device.store.events.parts import HandPhoto, Trouble
from vision.reading import NamedSetTile


class RegistrationEvent(Event, frozen=True):
    """An event of a registration."""

    streams: ClassVar = ("registration",)


class SetPhotographed(RegistrationEvent, frozen=True):
    """A registration begins with a photograph of the set laid out."""

    kind: ClassVar = "set-photographed"
    set: str
    """Id of the tile set."""
    photo: HandPhoto
    """The photograph."""


class SetPhotoAdded(RegistrationEvent, frozen=True):
    """Another photograph of the set was taken."""

    kind: ClassVar = "set-photo-added"
    photo: HandPhoto
    """The photograph."""


class SetReadingBegun(RegistrationEvent, frozen=True):
    """A reading of a photograph begins. Too many without an end mean a fault."""

    kind: ClassVar = "set-reading-begun"


class SetRead(RegistrationEvent, frozen=True):
    """A photograph was read, or could not be."""

    kind: ClassVar = "set-read"
    number: int
    """Which one, counted from 0."""
    tiles: tuple[NamedSetTile, ...]
    """None for a photograph that could not be read."""
    problems: tuple[Trouble, ...]
    """What the player should know."""


class SetTileNamed(RegistrationEvent, frozen=True):
    """A player says what a tile is."""

    kind: ClassVar = "set-tile-named"
    photo: int
    """Number of the photograph, counted from 0."""
    tile: int
    """Number of the tile in it."""
    code: str | None
    """What it is; null for no tile."""


class SetKept(RegistrationEvent, frozen=True):
    """Pictures of the tiles were kept, from which the box learns the set."""

    kind: ClassVar = "set-kept"
    crops: Mapping[str, str]
    """Names of the pictures, by photograph and tile: `0-13`."""
