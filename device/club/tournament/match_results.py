"""Tie a tournament's results to matches: play a round at the box's tables, count typed results.

The box's tables are assigned to the tournament's tables once. A match that begins for a table is
recorded in the tournament's log. Its players sit in the order of the seats, so renaming somebody in
the match or in the tournament does no harm. Any other match is found by its players' names.

What the tournament counts is what counts for its players in the club's statistics, too. So a typed
result takes the place of the gains of its table's match, where there was one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from msgspec.structs import replace

from device.club.match_statistics import ClubStatistics, MatchStatistics, PlayerStatistics
from device.club.tables import ClubTable
from device.club.tournament.replay import TournamentRefusedError
from device.club.tournament.repository import TournamentRepository
from device.club.tournament.tournament import (
    Tournament,
    TournamentRound,
    TournamentTables,
    names_in_round,
)
from device.i18n.names import folded
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import MatchBegun, MatchEnded, ResultGiven, RoundPlayedAt

MAX_MATCHES_SEARCHED = 200
"""Newest matches searched for a table's match: three rounds at sixty tables, and some more."""

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def find_matches(
    store: Store, matches: MatchRepository, names: Sequence[str | None]
) -> Iterator[Match]:
    """Yield the matches that these four may have played, newest first."""
    for each in store.newest_of_kinds(MatchBegun, limit=MAX_MATCHES_SEARCHED):
        begun = each.event
        if isinstance(begun, MatchBegun) and _names_fit(begun.players, names):
            match = matches.get_if_whole(each.stream)
            if match:
                yield match


def final_gains(
    match: Match, names: Sequence[str | None], *, began_for_them: bool = False
) -> tuple[int, int, int, int]:
    """Return what each seat won or lost in a finished match.

    `names` are those of the seats; None stands for a stand-in, who may have any name. Raises
    TournamentRefusedError for a match that runs, or one of other people unless it began for these
    four.
    """
    if not match.ended:
        raise TournamentRefusedError("match-on")
    if not began_for_them and not _names_fit(match.game.players, names):
        raise TournamentRefusedError("match-of-others")
    return gains_by_seat(match, names)


def gains_by_seat(match: Match, names: Sequence[str | None]) -> tuple[int, int, int, int]:
    """Return what each seat's player has won and lost so far, in a match that four play.

    If players were renamed since, they are taken in the order in which the match began.
    """
    gains = {
        folded(player): total - match.game.first_tallies
        for player, total in match.course.totals.items()
    }
    if _names_fit(match.game.players, names):
        known = {folded(name) for name in names if name is not None}
        others = iter([gain for player, gain in gains.items() if player not in known])
        in_order = [next(others) if name is None else gains[folded(name)] for name in names]
    else:
        in_order = [gains[folded(player)] for player in match.game.players]
    east, south, west, north = in_order
    return east, south, west, north


def _names_fit(players: Sequence[str], names: Sequence[str | None]) -> bool:
    known = {folded(name) for name in names if name is not None}
    return len(players) == len(names) and known <= set(map(folded, players))


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


def propose_tables(laid: Sequence[ClubTable], number: int) -> tuple[str, ...]:
    """Return ids of the box's tables for a tournament's tables, in order; empty if too few.

    A table whose name ends in a number gets that place. The others follow in the order in which
    they were laid.
    """
    by_number = {
        _trailing_number(each.name): each.id
        for each in reversed(laid)
        if _trailing_number(each.name)
    }
    named = [by_number.get(at, "") for at in range(1, number + 1)]
    others = iter([each.id for each in laid if each.id not in named])
    return tuple(table or next(others, "") for table in named)


def _trailing_number(name: str) -> int:
    found = re.search(r"[0-9]{1,3}$", name)
    return int(found[0]) if found else 0


def round_tables(
    now: Tournament, found: TournamentRound, matches: MatchRepository
) -> Iterator[RoundTable]:
    """Yield the tables of a round with their matches."""
    for number in range(1, len(found.given) + 1):
        begun = found.match(number)
        match = matches.get_if_whole(begun) if begun else None
        names = names_in_round(now, found.number, found.seats.tables[number - 1])
        how_far: MatchProgress = _progress(match) if match else "torn" if begun else ""
        yield RoundTable(number, match, how_far, gains_by_seat(match, names) if match else ())


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
        self._now = tournaments.get(tournament)
        if self._now.current is None:
            raise TournamentRefusedError("not-played")
        self._round = self._now.current

    def tables_to_begin(self, at: TournamentTables) -> dict[int, str]:
        """Return the ids of the box's tables where a match has yet to begin, by table number."""
        numbers = range(1, len(self._round.given) + 1)
        return {
            number: at.table(number)
            for number in numbers
            if at.table(number) and not self._round.match(number) and not self._has_result(number)
        }

    def occupied_tables(self, at: TournamentTables) -> tuple[str, ...]:
        """Return those of these tables where other people are playing a match.

        Matches of earlier rounds do not count: their results were taken when the round was closed.
        """
        old = {match for each in self._now.drawn for match in each.matches}
        running = {each.table: each for each in self._matches.all_running()}
        return tuple(
            table
            for number, table in self.tables_to_begin(at).items()
            if table in running
            and running[table].id not in old | {self._id(number)}
            and running[table].course.rows
        )

    def begin(self, at: TournamentTables, stand_in: Callable[[int], str], by: str = "") -> None:
        """Begin the matches that have not begun yet; what is played at those tables ends.

        `stand_in` returns the name of a table's n-th stand-in. When two phones begin the round at
        once, both get the same matches.
        """
        begun = [""] * len(self._round.given)
        for number, table in self.tables_to_begin(at).items():
            event = MatchBegun(
                players=self._players(number, stand_in),
                ruleset=at.ruleset,
                limit=at.limit,
                house=at.house,
                by=by,
            )
            begun[number - 1] = self._matches.at_table(table).begin(event, match=self._id(number))
        if any(begun):
            event_at = RoundPlayedAt(self._round.number, tuple(begun), by=by)
            self._tournaments.change(self._now.id, event_at)

    def take_results(self, by: str = "") -> tuple[int, ...]:
        """End the round's matches and take over their results.

        Returns the numbers of tables where a deal is still being scored; those matches go on. Typed
        results stay, and a table without any deal gets no result.
        """
        scoring = []
        for each in round_tables(self._now, self._round, self._matches):
            if each.match is None or self._has_result(each.number) or each.progress == "unplayed":
                continue
            if each.progress == "scoring":
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
        begun = [each for each in round_tables(self._now, self._round, self._matches) if each.match]
        if any(each.progress != "unplayed" for each in begun):
            raise TournamentRefusedError("has-deals")
        for each in begun:
            if each.match and not each.match.ended:
                self._matches.change(each.match.id, MatchEnded(by=by), seen=each.match.version)

    def _record_result(self, number: int, match: Match, by: str) -> None:
        seats = self._round.seats.tables[number - 1]
        points = gains_by_seat(match, names_in_round(self._now, self._round.number, seats))
        event = ResultGiven(self._round.number, number, points, match=match.id, by=by)
        self._tournaments.change(self._now.id, event)

    def _has_result(self, number: int) -> bool:
        return self._round.result(number - 1) is not None

    def _players(self, number: int, stand_in: Callable[[int], str]) -> tuple[str, ...]:
        seats = self._round.seats.tables[number - 1]
        players, stand_ins = [], 0
        for name in names_in_round(self._now, self._round.number, seats):
            stand_ins += name is None
            players.append(stand_in(stand_ins) if name is None else name)
        return tuple(players)

    def _id(self, number: int) -> str:
        """Return the id of a table's match: the same for everybody who begins it."""
        made_of = f"{self._now.id} {self._round.drawn_by} {number}"
        return hashlib.sha256(made_of.encode()).hexdigest()[:12]


class TypedResult(MatchStatistics, frozen=True, kw_only=True):
    """A table's typed result, which has no deals."""

    tournament: str
    """Id of the tournament."""


def with_typed_results(played: ClubStatistics, tournaments: Iterable[Tournament]) -> ClubStatistics:
    """Return the statistics with the typed results of these tournaments, the oldest first."""
    found = {match.id: match for match in played.matches}
    for tournament in tournaments:
        for match, result in _typed_results(tournament):
            if match in found:
                gains = {folded(each.name): each.gain for each in result.players}
                found[match] = _with_gains(found[match], gains)
            else:
                found[result.id] = result
    in_order = sorted(found.values(), key=lambda match: match.begun or _LONG_AGO)
    return ClubStatistics(tuple(in_order), played.left)


def _typed_results(tournament: Tournament) -> Iterator[tuple[str, TypedResult]]:
    """Yield each typed result that counts, with the id of its table's match if there was one."""
    for each in tournament.drawn:
        for number, given in enumerate(each.given, 1):
            if not given or given[-1].match:
                continue
            taken = [result.match for result in given if result.match]
            names = names_in_round(tournament, each.number, each.seats.tables[number - 1])
            played = [
                PlayerStatistics(name, gain, 0, 0, 0, 0, None, (), ())
                for name, gain in zip(names, given[-1].points, strict=True)
                if name is not None
            ]
            yield (
                each.match(number) or next(iter(taken), ""),
                TypedResult(
                    id=f"{tournament.id}-{each.number}-{number}",
                    begun=given[0].at,
                    ruleset="",
                    players=tuple(played),
                    tournament=tournament.id,
                ),
            )


def _with_gains(match: MatchStatistics, gains: Mapping[str, int]) -> MatchStatistics:
    """Return a match's statistics with the gains that the tournament counts, by folded name."""
    players = (
        replace(each, gain=gains.get(folded(each.name), each.gain)) for each in match.players
    )
    return replace(match, players=tuple(players))
