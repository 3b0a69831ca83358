"""The state of a tournament: players, drawn rounds with results, and the plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from device.host.machine import Uptime
from device.store.events import RoundSeats

_UNKNOWN_UPTIME = Uptime("", 0.0)

RankingBasis = Literal["total", "places", "both"]
"""Rank by points won, by table points, or by table points and then points won."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """One player's place in the tournament."""

    number: int
    """Counted from 0; it stays whoever goes on in this place."""
    name: str
    here: bool = True
    """Whether the player takes part in the coming rounds."""
    since: int = 1
    """The first round that this player may play."""
    left_after: int = 0
    """After which round he went; of no meaning for one who is here."""
    were: tuple[tuple[str, int], ...] = ()
    """Who played in this place before, and up to which round."""

    @property
    def predecessors(self) -> tuple[tuple[str, int], ...]:
        """Those of `were` who have played a round."""
        first = (self.since, *(last + 1 for _, last in self.were))
        return tuple(
            each for each, since in zip(self.were, first, strict=False) if each[1] >= since
        )

    def name_in(self, number: int) -> str:
        """Return who played in this place in a round, counted from 1."""
        return next((name for name, last in self.were if number <= last), self.name)


@dataclass(frozen=True, slots=True)
class GivenResult:
    """A table's result as somebody entered it."""

    points: tuple[int, ...]
    """In the order of the table's seats."""
    match: str
    """Id of the match that it was taken from; empty for a typed result."""
    by: str
    at: datetime
    why: str
    """The reason for changing a closed result; empty before the round is closed."""
    late: bool = False
    """Whether it was entered after the round was closed."""


@dataclass(frozen=True, slots=True)
class RoundClock:
    """What the round's clock showed at a moment."""

    seconds: int
    running: bool
    at: datetime
    since: Uptime = _UNKNOWN_UPTIME
    """The same moment by the computer's uptime, which nobody can set."""

    def time_left(self, current_time: datetime, uptime: Uptime = _UNKNOWN_UPTIME) -> float:
        """Return the seconds left; negative when the time is over.

        `uptime` is the uptime of the computer that asks. It is used if that computer started the
        clock and has not rebooted since. Otherwise wall time is used, and a clock that was set back
        does not add time.
        """
        if not self.running:
            return self.seconds
        if uptime.boot and uptime.boot == self.since.boot:
            return self.seconds - (uptime.seconds - self.since.seconds)
        return self.seconds - max(0.0, (current_time - self.at).total_seconds())


@dataclass(frozen=True, slots=True)
class LengthChange:
    """A change of the number of rounds or minutes, and who made it."""

    rounds: int
    minutes: int
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class TournamentTables:
    """The box's tables that a tournament uses, and the rules of its matches."""

    tables: tuple[str, ...]
    """Ids in the order of the tournament's tables; empty for a table elsewhere."""
    ruleset: str
    limit: int | None
    house: tuple[str, ...]

    def table(self, number: int) -> str:
        """Return the id of the box's table for a tournament table, counted from 1."""
        return self.tables[number - 1] if number <= len(self.tables) else ""


@dataclass(frozen=True, slots=True)
class TournamentRound:
    """A drawn round."""

    number: int
    """Counted from 1."""
    seats: RoundSeats
    given: tuple[tuple[GivenResult, ...], ...]
    """All results entered for each table, newest last; the newest counts."""
    clock: RoundClock | None = None
    """None before the clock is first set."""
    closed: bool = False
    drawn_by: int = 0
    """Number of the event that drew it; it identifies this draw."""
    matches: tuple[str, ...] = ()
    """Ids of the matches that began at the box's tables, by table; empty for none."""

    def match(self, table: int) -> str:
        """Return the id of a table's match, counted from 1; empty for none."""
        return self.matches[table - 1] if table <= len(self.matches) else ""

    def result(self, table: int) -> GivenResult | None:
        """Return the result that counts for a table, counted from 0."""
        return self.given[table][-1] if self.given[table] else None

    @property
    def is_begun(self) -> bool:
        """Whether play has begun: by the clock, at a table of the box, or with a result."""
        return self.clock is not None or any(self.matches) or any(self.given)

    @property
    def missing(self) -> tuple[int, ...]:
        """The tables without a result, counted from 1."""
        return tuple(number for number, given in enumerate(self.given, 1) if not given)


@dataclass(frozen=True, slots=True)
class Tournament:
    """The state of one tournament."""

    id: str
    name: str
    entrants: tuple[Entrant, ...]
    """In the order of their numbers."""
    rounds: int
    """Number of rounds to play."""
    minutes: int
    ranking: RankingBasis
    places: tuple[int, ...]
    """Table points of the first place at a table, the second and so on."""
    zero_sum: bool
    stand_ins: bool
    begun_at: datetime
    version: int
    """Number of the last event."""
    drawn: tuple[TournamentRound, ...] = ()
    plan: tuple[RoundSeats, ...] = ()
    """Seats of the rounds that are not drawn yet, the next first."""
    is_seated: bool = False
    """Whether the plan fits the present players."""
    ended: bool = False
    played_at: TournamentTables | None = None
    """None until somebody chooses the box's tables."""
    changes: tuple[LengthChange, ...] = ()
    """Changes of rounds and minutes, oldest first."""

    @property
    def present(self) -> tuple[int, ...]:
        """The numbers of the players in the coming rounds."""
        return tuple(each.number for each in self.entrants if each.here)

    @property
    def current(self) -> TournamentRound | None:
        """The round that is drawn and not closed."""
        return self.drawn[-1] if self.drawn and not self.drawn[-1].closed else None

    @property
    def seated_without_result(self) -> frozenset[int]:
        """The players at tables of the open round whose result is missing."""
        tables = self.current.missing if self.current else ()
        return frozenset(
            player for table in tables for player in self.drawn[-1].seats.tables[table - 1]
        )

    @property
    def over(self) -> bool:
        """Whether no further round is played."""
        return self.ended or (len(self.drawn) >= self.rounds and self.current is None)

    @property
    def next_round(self) -> int:
        """The number of the round to draw next; 0 if there is none or a round is open."""
        return 0 if self.over or self.current else len(self.drawn) + 1

    @property
    def substitute_rounds(self) -> tuple[int, ...]:
        """The rounds from which a substitute may play on: the next first, then the open one."""
        upcoming_rounds = (len(self.drawn) + 1,) if len(self.drawn) < self.rounds else ()
        return (*upcoming_rounds, self.current.number) if self.current else upcoming_rounds

    @property
    def has_results(self) -> bool:
        """Whether any table has a result; before that there is no ranking."""
        return any(any(each.given) for each in self.drawn)

    @property
    def seats(self) -> tuple[RoundSeats, ...]:
        """The seats of the drawn rounds."""
        return tuple(each.seats for each in self.drawn)

    def round(self, number: int) -> TournamentRound | None:
        """Return a drawn round, counted from 1."""
        return self.drawn[number - 1] if 1 <= number <= len(self.drawn) else None


def names_in_round(
    tournament: Tournament, number: int, players: Sequence[int]
) -> tuple[str | None, ...]:
    """Return who played in these places in a round, counted from 1; None for a stand-in."""
    return tuple(
        None if each < 0 else tournament.entrants[each].name_in(number) for each in players
    )
