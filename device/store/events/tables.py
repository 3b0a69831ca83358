"""The events of one photograph of the whole table, which is told apart into its hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from device.store.events.base import Event, HandPhoto, Trouble


class TableEvent(Event, frozen=True):
    """An event of a photograph of the whole table."""

    streams: ClassVar = ("table photo",)


class TablePhotographed(TableEvent, frozen=True):
    """The whole table was photographed for a deal."""

    kind: ClassVar = "table-photographed"
    match: str
    """Id of the match."""
    deal: int
    """Number of the deal."""
    source: str
    """Who held the camera: a player, `camera` for the box's own, or empty where nobody said."""
    photo: HandPhoto
    """The photograph."""
    by: str = ""
    """The player whose phone asked for the reading; empty where nobody has said."""


class BottomSaid(TableEvent, frozen=True):
    """Somebody says who sits at the bottom of the picture; the same camera's next is seen so."""

    kind: ClassVar = "bottom-said"
    player: str
    """Who."""
    match: str
    """Id of the match."""
    source: str
    """Who held the camera, as above."""


class TableReadingBegun(TableEvent, frozen=True):
    """The photograph begins to be read: too many of these without an end are a fault."""

    kind: ClassVar = "table-reading-begun"


class TableReadingAsked(TableEvent, frozen=True):
    """A player wants a photograph that could not be read to be read once more."""

    kind: ClassVar = "table-reading-asked"
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class TableRead(TableEvent, frozen=True):
    """The photograph was read, and a hand begun of each side where tiles lie."""

    kind: ClassVar = "table-read"
    hands: Mapping[str, str]
    """Ids of the hands, by side: `bottom`, `right`, `top`, `left`."""


class TableFailed(TableEvent, Trouble, frozen=True):
    """The photograph could not be read."""

    kind: ClassVar = "table-failed"
