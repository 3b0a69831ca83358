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


class BottomSaid(TableEvent, frozen=True):
    """Somebody says who sits at the bottom of the picture; the same camera's next is seen so."""

    kind: ClassVar = "bottom-said"
    player: str
    """Who."""
    match: str
    """Id of the match."""
    source: str
    """Who held the camera, as above."""


class TableRead(TableEvent, frozen=True):
    """The photograph was read, and a hand begun of each side where tiles lie."""

    kind: ClassVar = "table-read"
    hands: Mapping[str, str]
    """Ids of the hands, by side: `bottom`, `right`, `top`, `left`."""


class TableFailed(TableEvent, Trouble, frozen=True):
    """The photograph could not be read."""

    kind: ClassVar = "table-failed"
