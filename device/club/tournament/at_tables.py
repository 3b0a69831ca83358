"""Play a round as matches at the box's own tables."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from device.club.tables import ClubTable
from device.club.tournament.replay import TournamentRefusedError
from device.club.tournament.repository import TournamentRepository
from device.club.tournament.taking import gains_of
from device.club.tournament.tournament import PlayedAt, Tournament, TournamentRound, names_in
from device.i18n.names import Name
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store.events import MatchBegun, MatchEnded, ResultGiven, RoundPlayedAt

HowFar = Literal["", "playing", "scoring", "unplayed", "over", "torn"]
"""State of a table's match: not begun (empty), a deal in play, a deal being scored, no deal written
down yet, finished, or damaged."""


@dataclass(frozen=True, slots=True)
class TableInRound:
    """One table of a round, with the match that began there."""

    number: int
    """Counted from 1."""
    match: Match | None
    how_far: HowFar
    came_to: tuple[int, ...]
    """What each seat has won or lost so far; empty before the match begins."""


def proposed_tables(laid: Sequence[ClubTable], number: int) -> tuple[str, ...]:
    """Return ids of the box's tables for a tournament's tables, in order; empty if too few.

    A table whose name ends in a number gets that place. The others follow in the order in which
    they were laid.
    """
    by_number = {_number(each.name): each.id for each in reversed(laid) if _number(each.name)}
    named = [by_number.get(at, "") for at in range(1, number + 1)]
    others = iter([each.id for each in laid if each.id not in named])
    return tuple(table or next(others, "") for table in named)


def _number(name: str) -> int:
    found = re.search(r"[0-9]{1,3}$", name)
    return int(found[0]) if found else 0


def tables_of(
    now: Tournament, found: TournamentRound, matches: MatchRepository
) -> Iterator[TableInRound]:
    """Yield the tables of a round with their matches."""
    for number in range(1, len(found.given) + 1):
        begun = found.match(number)
        match = matches.get_if_whole(begun) if begun else None
        names = names_in(now, found.number, found.seats.tables[number - 1])
        how_far: HowFar = _how_far(match) if match else "torn" if begun else ""
        yield TableInRound(number, match, how_far, gains_of(match, names) if match else ())


def _how_far(match: Match) -> HowFar:
    if match.deal.ending is not None and not match.ended:
        return "scoring"
    if not match.course.rows:
        return "unplayed"
    return "over" if match.ended else "playing"


class RoundAtTables:
    """The current round, played at the box's tables."""

    def __init__(
        self, tournaments: TournamentRepository, matches: MatchRepository, tournament: str
    ) -> None:
        """Raise TournamentRefusedError when no round is being played."""
        self._tournaments, self._matches = tournaments, matches
        self._now = tournaments.get(tournament)
        if self._now.current is None:
            raise TournamentRefusedError("not-played")
        self._round = self._now.current

    def to_begin(self, at: PlayedAt) -> dict[int, str]:
        """Return the ids of the box's tables where a match has yet to begin, by table number."""
        numbers = range(1, len(self._round.given) + 1)
        return {
            number: at.table(number)
            for number in numbers
            if at.table(number) and not self._round.match(number) and not self._has_result(number)
        }

    def taken_by_others(self, at: PlayedAt) -> tuple[str, ...]:
        """Return those of these tables where other people are playing a match.

        Matches of earlier rounds do not count: their results were taken when the round was closed.
        """
        old = {match for each in self._now.drawn for match in each.matches}
        running = {each.table: each for each in self._matches.all_on()}
        return tuple(
            table
            for number, table in self.to_begin(at).items()
            if table in running
            and running[table].id not in old | {self._id(number)}
            and running[table].course.rows
        )

    def begin(self, at: PlayedAt, stand_in: Callable[[int], Name], by: str = "") -> None:
        """Begin the missing matches; this ends other matches at those tables.

        `stand_in` returns the name of a table's n-th stand-in. When two phones begin the round at
        once, both get the same matches.
        """
        begun = [""] * len(self._round.given)
        for number, table in self.to_begin(at).items():
            event = MatchBegun(
                players=self._players(number, stand_in),
                ruleset=at.ruleset,
                limit=at.limit,
                house=at.house,
                by=by,
            )
            begun[number - 1] = self._matches.at(table).begin(event, match=self._id(number))
        if any(begun):
            event_at = RoundPlayedAt(self._round.number, tuple(begun), by=by)
            self._tournaments.change(self._now.id, event_at)

    def take_over(self, by: str = "") -> tuple[int, ...]:
        """End the round's matches and take over their results.

        Returns the numbers of tables where a deal is still being scored; those matches go on. Typed
        results stay, and a table without any deal gets no result.
        """
        scoring = []
        for each in tables_of(self._now, self._round, self._matches):
            if each.match is None or self._has_result(each.number) or each.how_far == "unplayed":
                continue
            if each.how_far == "scoring":
                scoring.append(each.number)
                continue
            if not each.match.ended:
                self._matches.change(each.match.id, MatchEnded(by=by), seen=each.match.version)
            self._record_result(each.number, each.match, by)
        return tuple(scoring)

    def end_unplayed(self, number: int, by: str = "") -> None:
        """End the matches of round `number` when its draw is withdrawn.

        Raises TournamentRefusedError when it is not the current round, or already has a result or a
        deal.
        """
        if number != self._round.number:
            raise TournamentRefusedError("not-played")
        if any(self._round.given):
            raise TournamentRefusedError("has-results")
        begun = [each for each in tables_of(self._now, self._round, self._matches) if each.match]
        if any(each.how_far != "unplayed" for each in begun):
            raise TournamentRefusedError("has-deals")
        for each in begun:
            if each.match and not each.match.ended:
                self._matches.change(each.match.id, MatchEnded(by=by), seen=each.match.version)

    def _record_result(self, number: int, match: Match, by: str) -> None:
        seats = self._round.seats.tables[number - 1]
        points = gains_of(match, names_in(self._now, self._round.number, seats))
        event = ResultGiven(self._round.number, number, points, match=match.id, by=by)
        self._tournaments.change(self._now.id, event)

    def _has_result(self, number: int) -> bool:
        return self._round.result(number - 1) is not None

    def _players(self, number: int, stand_in: Callable[[int], Name]) -> tuple[str, ...]:
        seats = self._round.seats.tables[number - 1]
        players, stand_ins = [], 0
        for name in names_in(self._now, self._round.number, seats):
            stand_ins += name is None
            players.append(stand_in(stand_ins) if name is None else name)
        return tuple(players)

    def _id(self, number: int) -> str:
        """Return the id of a table's match: the same for everybody who begins it."""
        made_of = f"{self._now.id} {self._round.drawn_by} {number}"
        return hashlib.sha256(made_of.encode()).hexdigest()[:12]
