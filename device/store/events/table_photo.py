"""The events of one table photo: a photograph of the whole table, split into its hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from device.store.events.catalogue import Event
from device.store.events.parts import HandPhoto, Trouble


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
    """Somebody says who sits at the bottom of the picture, also for the camera's next ones."""

    kind: ClassVar = "bottom-said"
    player: str
    """Who."""
    match: str
    """Id of the match."""
    source: str
    """Who held the camera, as above."""


class TableReadingBegun(TableEvent, frozen=True):
    """A reading of the photograph begins. Too many without an end mean a fault."""

    kind: ClassVar = "table-reading-begun"


class TableDoubted(TableEvent, frozen=True):
    """The photograph is spoilt: it waits until a player takes it again, or has it read."""

    kind: ClassVar = "table-doubted"
    why: tuple[Trouble, ...]
    """What is wrong with it and what to do, the most important first."""


class TableAccepted(TableEvent, frozen=True):
    """A player wants the photograph read as it is, though it is spoilt."""

    kind: ClassVar = "table-accepted"
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class TableRetaken(TableEvent, frozen=True):
    """A player took the photograph again, since it is spoilt; that is kept, but not read."""

    kind: ClassVar = "table-retaken"
    photo: HandPhoto
    """The photograph in its place."""
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class TableReadingAsked(TableEvent, frozen=True):
    """A player wants a photograph that could not be read to be read once more."""

    kind: ClassVar = "table-reading-asked"
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class TableRead(TableEvent, frozen=True):
    """The photograph was read, and a hand begun for each side with tiles."""

    kind: ClassVar = "table-read"
    hands: Mapping[str, str]
    """Ids of the hands, by side: `bottom`, `right`, `top`, `left`."""


class TableFailed(TableEvent, Trouble, frozen=True):
    """The photograph could not be read."""

    kind: ClassVar = "table-failed"
