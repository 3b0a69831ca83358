"""Tie a tournament's results to matches: play a round at the box's tables, count typed results.

The box's tables are assigned to the tournament's tables once. A match that begins for a table is
recorded in the tournament's log. Its players sit in the order of the seats, so renaming somebody in
the match or in the tournament does no harm. Any other match is found by its players' names.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from device.club.tables import ClubTable
from device.club.tournament.replay import TournamentRefusedError
from device.club.tournament.repository import TournamentRepository
from device.club.tournament.tournament import (
    Tournament,
    TournamentRound,
    TournamentTables,
    names_in_round,
)
from device.i18n.names import fold_name
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import MatchBegun, MatchEnded, ResultGiven, RoundPlayedAt

MAX_MATCHES_SEARCHED = 200
"""Newest matches searched for a table's match: three rounds at sixty tables, and some more."""


def find_matches(
    store: Store, matches: MatchRepository, names: Sequence[str | None]
) -> Iterator[Match]:
    """Yield the matches that these four may have played, newest first."""
    for kind in store.newest_of_kinds(MatchBegun, limit=MAX_MATCHES_SEARCHED):
        start = kind.event
        if isinstance(start, MatchBegun) and _names_fit(start.players, names):
            match = matches.get_if_whole(kind.stream)
            if match:
                yield match


def final_gains(
    match: Match, names: Sequence[str | None], *, is_from_tournament: bool = False
) -> tuple[int, int, int, int]:
    """Return what each seat won or lost in a finished match.

    `names` are those of the seats; None stands for a stand-in, who may have any name. Raises
    TournamentRefusedError for a match that runs, or one of other people unless it began for these
    four.
    """
    if not match.ended:
        raise TournamentRefusedError("match-on")
    if not is_from_tournament and not _names_fit(match.game.players, names):
        raise TournamentRefusedError("match-of-others")
    return gains_by_seat(match, names)


def gains_by_seat(match: Match, names: Sequence[str | None]) -> tuple[int, int, int, int]:
    """Return what each seat's player has won and lost so far, in a match that four play.

    If players were renamed since, they are taken in the order in which the match began.
    """
    gains = {
        fold_name(player): total - match.game.first_tallies
        for player, total in match.course.totals.items()
    }
    if _names_fit(match.game.players, names):
        known_names = {fold_name(name) for name in names if name is not None}
        other_gains = iter([gain for player, gain in gains.items() if player not in known_names])
        in_order = [next(other_gains) if name is None else gains[fold_name(name)] for name in names]
    else:
        in_order = [gains[fold_name(player)] for player in match.game.players]
    east, south, west, north = in_order
    return east, south, west, north


def _names_fit(players: Sequence[str], names: Sequence[str | None]) -> bool:
    known_names = {fold_name(name) for name in names if name is not None}
    return len(players) == len(names) and known_names <= set(map(fold_name, players))


@dataclass(frozen=True, slots=True)
class OutdatedResult:
    """A result that a tournament took from a match before the match was put right."""

    tournament: Tournament
    round: int
    """Counted from 1."""
    table: int
    """Counted from 1."""


def find_outdated_result(tournament: Tournament | None, match: Match) -> OutdatedResult | None:
    """Return the result that was taken from a match and is no longer what it came to, if any."""
    for drawn_round in tournament.drawn if tournament else ():
        for table, seats in enumerate(drawn_round.seats.tables, 1):
            result = drawn_round.result(table - 1)
            if tournament is None or result is None or result.match != match.id:
                continue
            names = names_in_round(tournament, drawn_round.number, seats)
            if result.points != gains_by_seat(match, names):
                return OutdatedResult(tournament, drawn_round.number, table)
    return None


MatchProgress = Literal["", "playing", "scoring", "unplayed", "over", "torn"]
"""State of a table's match: not begun (empty), a deal in play, a deal being scored, no deal written
down yet, finished, or damaged."""


@dataclass(frozen=True, slots=True)
class RoundTable:
    """One table of a round, with the match that began there."""

    number: int
    """Counted from 1."""
    match: Match | None
    progress: MatchProgress
    came_to: tuple[int, ...]
    """What each seat has won or lost so far; empty before the match begins."""


def propose_tables(club_tables: Sequence[ClubTable], number: int) -> tuple[str, ...]:
    """Return ids of the box's tables for a tournament's tables, in order; empty if too few.

    A table whose name ends in a number gets that place. The others follow in the order in which
    they were laid.
    """
    by_number = {
        _trailing_number(each.name): each.id
        for each in reversed(club_tables)
        if _trailing_number(each.name)
    }
    table_ids = [by_number.get(at, "") for at in range(1, number + 1)]
    other_ids = iter([each.id for each in club_tables if each.id not in table_ids])
    return tuple(table or next(other_ids, "") for table in table_ids)


def _trailing_number(name: str) -> int:
    number_match = re.search(r"[0-9]{1,3}$", name)
    return int(number_match[0]) if number_match else 0


def round_tables(
    tournament: Tournament, tournament_round: TournamentRound, matches: MatchRepository
) -> Iterator[RoundTable]:
    """Yield the tables of a round with their matches."""
    for number in range(1, len(tournament_round.given) + 1):
        match_id = tournament_round.match(number)
        match = matches.get_if_whole(match_id) if match_id else None
        names = names_in_round(
            tournament, tournament_round.number, tournament_round.seats.tables[number - 1]
        )
        progress: MatchProgress = _progress(match) if match else "torn" if match_id else ""
        yield RoundTable(number, match, progress, gains_by_seat(match, names) if match else ())


def _progress(match: Match) -> MatchProgress:
    if match.deal.ending is not None and not match.ended:
        return "scoring"
    if not match.course.rows:
        return "unplayed"
    return "over" if match.ended else "playing"


class RoundMatches:
    """The current round, played at the box's tables."""

    def __init__(
        self, tournaments: TournamentRepository, matches: MatchRepository, tournament: str
    ) -> None:
        """Raise TournamentRefusedError when no round is being played."""
        self._tournaments, self._matches = tournaments, matches
        self._tournament = tournaments.get(tournament)
        if self._tournament.current is None:
            raise TournamentRefusedError("not-played")
        self._round = self._tournament.current

    def tables_to_begin(self, tables: TournamentTables) -> dict[int, str]:
        """Return the ids of the box's tables where a match has yet to begin, by table number."""
        numbers = range(1, len(self._round.given) + 1)
        return {
            number: tables.table(number)
            for number in numbers
            if tables.table(number)
            and not self._round.match(number)
            and not self._has_result(number)
        }

    def occupied_tables(self, tables: TournamentTables) -> tuple[str, ...]:
        """Return those of these tables where other people are playing a match.

        Matches of earlier rounds do not count: their results were taken when the round was closed.
        """
        old = {match for each in self._tournament.drawn for match in each.matches}
        running_by_table = {each.table: each for each in self._matches.all_running()}
        return tuple(
            table
            for number, table in self.tables_to_begin(tables).items()
            if table in running_by_table
            and running_by_table[table].id not in old | {self._id(number)}
            and running_by_table[table].course.rows
        )

    def begin(
        self, tables: TournamentTables, stand_in: Callable[[int], str], author: str = ""
    ) -> None:
        """Begin the matches that have not begun yet; what is played at those tables ends.

        `stand_in` returns the name of a table's n-th stand-in. When two phones begin the round at
        once, both get the same matches.
        """
        match_ids = [""] * len(self._round.given)
        for number, table in self.tables_to_begin(tables).items():
            event = MatchBegun(
                players=self._players(number, stand_in),
                ruleset=tables.ruleset,
                limit=tables.limit,
                house=tables.house,
                by=author,
            )
            match_ids[number - 1] = self._matches.at_table(table).begin(
                event, match=self._id(number)
            )
        if any(match_ids):
            event_at = RoundPlayedAt(self._round.number, tuple(match_ids), by=author)
            self._tournaments.change(self._tournament.id, event_at)

    def take_results(self, author: str = "") -> tuple[int, ...]:
        """End the round's matches and take over their results.

        Returns the numbers of tables where a deal is still being scored; those matches go on. Typed
        results stay, and a table without any deal gets no result.
        """
        scoring = []
        for table in round_tables(self._tournament, self._round, self._matches):
            if (
                table.match is None
                or self._has_result(table.number)
                or table.progress == "unplayed"
            ):
                continue
            if table.progress == "scoring":
                scoring.append(table.number)
                continue
            if not table.match.ended:
                self._matches.change(
                    table.match.id, MatchEnded(by=author), seen_version=table.match.version
                )
            self._record_result(table.number, table.match, author)
        return tuple(scoring)

    def end_unplayed(self, number: int, author: str = "") -> None:
        """End the matches of round `number` when its draw is withdrawn.

        Raises TournamentRefusedError when it is not the current round, or already has a result or a
        deal.
        """
        if number != self._round.number:
            raise TournamentRefusedError("not-played")
        if any(self._round.given):
            raise TournamentRefusedError("has-results")
        started_tables = [
            each
            for each in round_tables(self._tournament, self._round, self._matches)
            if each.match
        ]
        if any(each.progress != "unplayed" for each in started_tables):
            raise TournamentRefusedError("has-deals")
        for started_table in started_tables:
            if started_table.match and not started_table.match.ended:
                self._matches.change(
                    started_table.match.id,
                    MatchEnded(by=author),
                    seen_version=started_table.match.version,
                )

    def _record_result(self, number: int, match: Match, author: str) -> None:
        seats = self._round.seats.tables[number - 1]
        points = gains_by_seat(match, names_in_round(self._tournament, self._round.number, seats))
        event = ResultGiven(self._round.number, number, points, match=match.id, by=author)
        self._tournaments.change(self._tournament.id, event)

    def _has_result(self, number: int) -> bool:
        return self._round.result(number - 1) is not None

    def _players(self, number: int, stand_in: Callable[[int], str]) -> tuple[str, ...]:
        seats = self._round.seats.tables[number - 1]
        players, stand_ins = [], 0
        for name in names_in_round(self._tournament, self._round.number, seats):
            stand_ins += name is None
            players.append(stand_in(stand_ins) if name is None else name)
        return tuple(players)

    def _id(self, number: int) -> str:
        """Return the id of a table's match: the same for everybody who begins it."""
        id_source = f"{self._tournament.id} {self._round.drawn_by} {number}"
        return hashlib.sha256(id_source.encode()).hexdigest()[:12]
