"""The events of one season of the club's league: what counts, and how much."""

from __future__ import annotations

from typing import ClassVar, Literal

from device.store.events.base import Event

SEASON = "season:"
"""What the name of a season's stream begins with; the season's id follows."""


class SeasonEvent(Event, frozen=True, kw_only=True):
    """An event of one season."""

    streams: ClassVar = ("season",)
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class SeasonSaid(SeasonEvent, frozen=True):
    """What a season is, said as a whole."""

    name: str
    """What it is called."""
    first: str
    """Its first day: `2026-09-01`."""
    last: str
    """Its last day."""
    points: Literal["totals", "places", "both"]
    """What decides: what was won and lost, points by place at each table, or these and then
    those."""
    by_place: tuple[int, ...]
    """What the first place of a table gives, the second and so on; further places give nothing."""
    best: int | None
    """How many of a player's best matches count; null for all."""


class SeasonBegun(SeasonSaid, frozen=True):
    """A season is written down."""

    kind: ClassVar = "season-begun"


class SeasonChanged(SeasonSaid, frozen=True):
    """The season is as this says from now on, for matches that are played already as well."""

    kind: ClassVar = "season-changed"


class SeasonMatchSaid(SeasonEvent, frozen=True):
    """Whether a match counts, whatever its day."""

    kind: ClassVar = "season-match-said"
    match: str
    """Id of the match."""
    counts: bool | None
    """It is put in or left out; null for as its day says."""
    why: str = ""
    """The reason."""
    who: str = ""
    """Who decided it."""
