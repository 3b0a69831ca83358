"""A tournament as it stands: its players, its rounds with their results, and what is to come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from device.host.uptime import Uptime
from device.i18n.names import Name
from device.store.events import RoundSeats

_UNKNOWN = Uptime("", 0.0)

RankedBy = Literal["total", "places", "both"]
"""By the points made, by table points for places, or by those first and then by points."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who plays, or did."""

    number: int
    """Counted from 0; it stays whoever goes on in this place."""
    name: Name
    here: bool = True
    """Plays in the rounds to come."""
    since: int = 1
    """The first round that this player may play."""
    left_after: int = 0
    """After which round he went; of no meaning for one who is here."""
    were: tuple[tuple[Name, int], ...] = ()
    """Who played in this place before, and up to which round."""

    def name_in(self, number: int) -> Name:
        """Return who played in this place in a round, counted from 1."""
        return next((name for name, last in self.were if number <= last), self.name)


@dataclass(frozen=True, slots=True)
class GivenResult:
    """What a table's four won and lost, as somebody gave it in."""

    points: tuple[int, ...]
    """In the order of the table's seats."""
    match: str
    """Id of the match that it was taken from; empty for one that was typed."""
    by: str
    at: datetime
    why: str
    """Why it is another than the one before; empty for what was not closed yet."""
    late: bool = False
    """It was given after the round was closed."""


@dataclass(frozen=True, slots=True)
class RoundClock:
    """What the round's clock showed, and when."""

    seconds: int
    running: bool
    at: datetime
    since: Uptime = _UNKNOWN
    """The same moment by what the computer counts, which nobody sets."""

    def left(self, now: datetime, up: Uptime = _UNKNOWN) -> float:
        """Return how many seconds are left; below 0 when the time is over.

        `up` is how long the computer has been running that asks. By that it is counted where it is
        the one that began the clock and was not started anew since; else by the clocks' times, and
        a clock that was set back lets nothing pass.
        """
        if not self.running:
            return self.seconds
        if up.boot and up.boot == self.since.boot:
            return self.seconds - (up.seconds - self.since.seconds)
        return self.seconds - max(0.0, (now - self.at).total_seconds())


@dataclass(frozen=True, slots=True)
class LengthChange:
    """Another number of rounds, or of minutes, and who said so."""

    rounds: int
    minutes: int
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PlayedAt:
    """At which of the box's tables a tournament is played, and how."""

    tables: tuple[str, ...]
    """Ids of the tables, that for the tournament's first table first; empty for none of them."""
    ruleset: str
    limit: int | None
    house: tuple[str, ...]

    def table(self, number: int) -> str:
        """Return the id of the box's table for a table of the tournament, counted from 1."""
        return self.tables[number - 1] if number <= len(self.tables) else ""


@dataclass(frozen=True, slots=True)
class TournamentRound:
    """A round that was drawn."""

    number: int
    """Counted from 1."""
    seats: RoundSeats
    given: tuple[tuple[GivenResult, ...], ...]
    """All that was given in for each table, the newest last: that one counts."""
    clock: RoundClock | None = None
    """None until it has begun."""
    closed: bool = False
    drawn_by: int = 0
    """Number of the event that drew it: no other draw has it."""
    matches: tuple[str, ...] = ()
    """Ids of the matches that began at the box's tables for it, table by table; empty for none."""

    def match(self, table: int) -> str:
        """Return the id of the match that began for a table, counted from 1; empty for none."""
        return self.matches[table - 1] if table <= len(self.matches) else ""

    def result(self, table: int) -> GivenResult | None:
        """Return what counts of a table, counted from 0."""
        return self.given[table][-1] if self.given[table] else None

    @property
    def missing(self) -> tuple[int, ...]:
        """The tables without a result, counted from 1."""
        return tuple(number for number, given in enumerate(self.given, 1) if not given)


@dataclass(frozen=True, slots=True)
class Tournament:
    """Everything known about one tournament."""

    id: str
    name: Name
    entrants: tuple[Entrant, ...]
    """By their numbers."""
    rounds: int
    """How many are to be played."""
    minutes: int
    ranking: RankedBy
    places: tuple[int, ...]
    """Table points of the first place at a table, of the second and so on."""
    zero_sum: bool
    stand_ins: bool
    begun_at: datetime
    version: int
    """Number of the last event."""
    drawn: tuple[TournamentRound, ...] = ()
    plan: tuple[RoundSeats, ...] = ()
    """Seats of the rounds that are not drawn yet, the next first."""
    is_seated: bool = False
    """The plan is for those who are here; else it was for others, or there is none."""
    ended: bool = False
    played_at: PlayedAt | None = None
    """None until somebody chose the box's tables for it."""
    changes: tuple[LengthChange, ...] = ()
    """What was changed of its rounds and minutes, the oldest first."""

    @property
    def present(self) -> tuple[int, ...]:
        """The numbers of those who play in the rounds to come."""
        return tuple(each.number for each in self.entrants if each.here)

    @property
    def current(self) -> TournamentRound | None:
        """The round that is drawn and not closed."""
        return self.drawn[-1] if self.drawn and not self.drawn[-1].closed else None

    @property
    def over(self) -> bool:
        """No further round is played."""
        return self.ended or (len(self.drawn) >= self.rounds and self.current is None)

    @property
    def next_round(self) -> int:
        """The number of the round that is drawn next; 0 where none is, or one is being played."""
        return 0 if self.over or self.current else len(self.drawn) + 1

    @property
    def has_results(self) -> bool:
        """Any table has given one: before that nobody is ahead of anybody."""
        return any(any(each.given) for each in self.drawn)

    @property
    def seats(self) -> tuple[RoundSeats, ...]:
        """The seats of the rounds that are drawn."""
        return tuple(each.seats for each in self.drawn)

    def round(self, number: int) -> TournamentRound | None:
        """Return a round that is drawn, counted from 1."""
        return self.drawn[number - 1] if 1 <= number <= len(self.drawn) else None


def names_in(
    tournament: Tournament, number: int, players: Sequence[int]
) -> tuple[Name | None, ...]:
    """Return who played in these places in a round, counted from 1; None for a stand-in."""
    return tuple(
        None if each < 0 else tournament.entrants[each].name_in(number) for each in players
    )
