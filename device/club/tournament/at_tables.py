"""A round that is played at the box's own tables: its matches begun there, and what they came to.

Which of the box's tables is the tournament's first, second and so on is chosen once. A match that
began for a table is named in the tournament's log, and its players are those of the seats in their
order, so that a name that is put right at the table, or in the tournament, leads nobody astray.
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
from device.club.tournament.taking import gains_of
from device.club.tournament.tournament import PlayedAt, Tournament, TournamentRound, names_in
from device.i18n.names import Name
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store.events import MatchBegun, MatchEnded, ResultGiven, RoundPlayedAt

HowFar = Literal["", "playing", "scoring", "unplayed", "over", "torn"]
"""How far a table's match is: none has begun for it; a deal is played, or is being scored; no deal
was written down; it is over; nobody can say."""


@dataclass(frozen=True, slots=True)
class TableInRound:
    """One of the round's tables, and the match that began there."""

    number: int
    """Counted from 1."""
    match: Match | None
    how_far: HowFar
    came_to: tuple[int, ...]
    """What the match has brought each seat so far; empty where none has begun."""


def proposed_tables(laid: Sequence[ClubTable], number: int) -> tuple[str, ...]:
    """Return the ids of as many of the box's tables as the tournament has, the first table first.

    A table whose name ends in a number is that one's, the others follow as they were laid; empty
    where there are too few.
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
    """Yield the tables of a round with the matches that began there."""
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
    """The round that is being played, at the box's tables."""

    def __init__(
        self, tournaments: TournamentRepository, matches: MatchRepository, tournament: str
    ) -> None:
        """Raise TournamentRefusedError where no round is being played."""
        self._tournaments, self._matches = tournaments, matches
        self._now = tournaments.get(tournament)
        if self._now.current is None:
            raise TournamentRefusedError("not-played")
        self._round = self._now.current

    def to_begin(self, at: PlayedAt) -> dict[int, str]:
        """Return the ids of the box's tables at which a match is yet to begin, by table number."""
        numbers = range(1, len(self._round.given) + 1)
        return {
            number: at.table(number)
            for number in numbers
            if at.table(number) and not self._round.match(number) and not self._given(number)
        }

    def taken_by_others(self, at: PlayedAt) -> tuple[str, ...]:
        """Return the ids of those of them where others play a match that is none of an old round.

        What such a round's match had to give was taken when that was closed.
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
        """Begin the matches that have not begun yet; what is played at those tables ends.

        `stand_in` says what the first stand-in of a table is called, the second and so on. Of two
        who begin the round at once, both find the same matches.
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
        """End the matches of the round, and take what they came to as its results.

        Returns the numbers of the tables where a deal is being scored: there nothing is ended. What
        somebody has typed stays, and so does a table at which no deal was written down.
        """
        scoring = []
        for each in tables_of(self._now, self._round, self._matches):
            if each.match is None or self._given(each.number) or each.how_far == "unplayed":
                continue
            if each.how_far == "scoring":
                scoring.append(each.number)
                continue
            if not each.match.ended:
                self._matches.change(each.match.id, MatchEnded(by=by), seen=each.match.version)
            self._take(each.number, each.match, by)
        return tuple(scoring)

    def end_unplayed(self, number: int, by: str = "") -> None:
        """End the matches of round `number`, for its draw is taken back.

        Raises TournamentRefusedError where another is being played, or this one has come to
        something: a result, or a deal of one of its matches.
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

    def _take(self, number: int, match: Match, by: str) -> None:
        seats = self._round.seats.tables[number - 1]
        points = gains_of(match, names_in(self._now, self._round.number, seats))
        event = ResultGiven(self._round.number, number, points, match=match.id, by=by)
        self._tournaments.change(self._now.id, event)

    def _given(self, number: int) -> bool:
        return self._round.result(number - 1) is not None

    def _players(self, number: int, stand_in: Callable[[int], Name]) -> tuple[str, ...]:
        seats = self._round.seats.tables[number - 1]
        players, stand_ins = [], 0
        for name in names_in(self._now, self._round.number, seats):
            stand_ins += name is None
            players.append(stand_in(stand_ins) if name is None else name)
        return tuple(players)

    def _id(self, number: int) -> str:
        """Return the id of the match for a table: the same for all who begin it."""
        made_of = f"{self._now.id} {self._round.drawn_by} {number}"
        return hashlib.sha256(made_of.encode()).hexdigest()[:12]
