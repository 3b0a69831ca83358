"""Show a tournament: the seats of each round, the results and the ranking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from types import MappingProxyType

from babel.numbers import format_decimal

from device.club.tournament.match_results import MatchProgress, RoundTable
from device.club.tournament.ranking import PlayerStanding, rank_entrants
from device.club.tournament.schedule import MeetingCounts, count_meetings
from device.club.tournament.tournament import (
    GivenResult,
    Tournament,
    names_in_round,
)
from device.i18n.words import day_of, join_sentences, language, locale, say, say_count, sign_amount
from scorer.tiles import WINDS

NO_FIGURE = "–"
"""Stands for the place and the sum of a player without a result."""

_NO_NAMES: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class TournamentSeat:
    """One seat of a table."""

    wind: str
    """E, S, W or N."""
    player: str
    points: str
    """The gain or loss with its sign; empty without a result."""


@dataclass(frozen=True, slots=True)
class TableView:
    """One table of a round."""

    number: int
    """Counted from 1."""
    name: str
    """Name of the club's table where it is played, or its number."""
    seats: tuple[TournamentSeat, ...]
    is_in: bool
    """The table has a result."""
    is_corrected: bool
    progress: MatchProgress = ""
    """Progress of the match at this table; empty where none has begun."""
    is_on: bool = False
    """The match is still being played."""
    differs: bool = False
    """The match's points have changed since its result was taken."""


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round, drawn or planned."""

    number: int
    tables: tuple[TableView, ...]
    out: str
    """The players who sit out, in words; empty for nobody."""
    missing: int
    """Number of tables without a result."""
    at_tables: bool = False
    """Matches of this round have begun at the club's tables."""

    @property
    def may_be_withdrawn(self) -> bool:
        """Return whether no table has a result or a recorded deal."""
        return not any(each.is_in or each.progress not in ("", "unplayed") for each in self.tables)

    @property
    def may_end(self) -> bool:
        """Return whether every table has a result, or a match to take it from."""
        return all(each.is_in or each.progress in ("playing", "over") for each in self.tables)


@dataclass(frozen=True, slots=True)
class RankingLine:
    """One line of the ranking."""

    place: int | None
    """None for a player without a result."""
    shared: bool
    player: str
    number: int
    points: str
    """Table points."""
    total: str
    rounds: tuple[str, ...]
    """Points of each drawn round, first to last; empty where there are none."""
    remark: str
    """Who has left, and who played here before; empty for none."""

    @property
    def place_text(self) -> str:
        """The place as it is shown."""
        return str(self.place or NO_FIGURE)


@dataclass(frozen=True, slots=True)
class ResultView:
    """A result as it was handed in, for the list of all of them."""

    points: str
    says: str
    why: str
    match: str
    """Id of the match that gave the result."""


def round_view(
    tournament: Tournament,
    number: int,
    names: Mapping[int, str] = _NO_NAMES,
    played_tables: Iterable[RoundTable] = (),
) -> RoundView:
    """Return a drawn round, or the plan of a later one; `number` counts from 1.

    `names` are the names of the club's tables by number, `played_tables` the matches there.
    """
    tournament_round = tournament.round(number)
    seats = (
        tournament_round.seats
        if tournament_round
        else tournament.plan[number - len(tournament.drawn) - 1]
    )
    played_by_number = {each.number: each for each in played_tables}
    tables = tuple(
        _table_view(tournament, number, table, players,
                    names.get(table, ""), played_by_number.get(table))
        for table, players in enumerate(seats.tables, 1)
    )  # fmt: skip
    waiting_names = [str(each) for each in names_in_round(tournament, number, seats.out)]
    out_key = "out" if tournament.ranking == "total" else "out-average"
    waiting_text = (
        say(f"club.tournament.{out_key}", players=", ".join(waiting_names)) if waiting_names else ""
    )
    missing = sum(not each.is_in for each in tables)
    return RoundView(
        number,
        tables,
        waiting_text,
        missing,
        any(tournament_round.matches) if tournament_round else False,
    )


def _table_view(
    tournament: Tournament,
    number: int,
    table: int,
    players: Sequence[int],
    name: str,
    played: RoundTable | None,
) -> TableView:
    """Return a table of a round; `name` and `played` say where it is played, and its match."""
    tournament_round = tournament.round(number)
    result = tournament_round.result(table - 1) if tournament_round else None
    match = played.match if played else None
    points = [sign_amount(each) for each in result.points] if result else [""] * len(players)
    names = names_in_round(tournament, number, players)
    return TableView(
        number=table,
        name=name or say("club.tournament.table", table=table),
        seats=tuple(
            TournamentSeat(wind, player or say("club.tournament.stand-in"), made)
            for wind, player, made in zip(WINDS, names, points, strict=True)
        ),
        is_in=result is not None,
        is_corrected=tournament_round is not None
        and any(each.late for each in tournament_round.given[table - 1]),
        progress=played.progress if played else "",
        is_on=match is not None and not match.ended,
        differs=bool(
            played
            and match
            and result
            and result.match == match.id
            and result.points != played.came_to
        ),
    )


def describe_winner(tournament: Tournament) -> str:
    """Return who has won a tournament that is over; empty before, and without any result."""
    if not (tournament.over and tournament.has_results):
        return ""
    names = [each.entrant.name for each in rank_entrants(tournament) if each.place == 1]
    return say_count("club.tournament.winner", len(names), players=", ".join(names))


def ranking_lines(tournament: Tournament) -> tuple[RankingLine, ...]:
    """Return the ranking so far, the first place first."""
    return tuple(_ranking_line(tournament, each) for each in rank_entrants(tournament))


def _ranking_line(tournament: Tournament, standing: PlayerStanding) -> RankingLine:
    by_round = {score.round: score for score in standing.rounds}
    rounds = []
    for tournament_round in tournament.drawn:
        score = by_round.get(tournament_round.number)
        if score is None:
            rounds.append("")
        elif tournament.ranking == "places":
            rounds.append(format_points(score.points))
        else:
            rounds.append(sign_amount(score.total) if score.table else NO_FIGURE)
    has_place = standing.has_place
    return RankingLine(
        standing.place if has_place else None,
        standing.shared and has_place,
        standing.entrant.name,
        standing.entrant.number,
        format_points(standing.points) if has_place else NO_FIGURE,
        sign_amount(standing.total) if has_place else NO_FIGURE,
        tuple(rounds),
        join_sentences(_remarks(tournament, standing)),
    )


def _remarks(tournament: Tournament, standing: PlayerStanding) -> Iterable[str]:
    entrant, current = standing.entrant, tournament.current
    if standing.is_playing and current:
        yield say(f"club.tournament.{'still-playing' if current.is_begun else 'not-begun'}")
    for name, last in entrant.predecessors:
        yield say("club.tournament.was", player=name, round=last)
    if entrant.since > 1:
        yield say("club.tournament.came", round=entrant.since)
    if not entrant.here:
        last_round = entrant.left_after
        yield (
            say("club.tournament.left", round=last_round)
            if last_round
            else say("club.tournament.gone")
        )


def result_views(results: Iterable[GivenResult]) -> tuple[ResultView, ...]:
    """Return all results that were handed in for a table, newest first."""
    views = [
        ResultView(
            " · ".join(map(sign_amount, each.points)),
            say("change.by", who=each.by or say("table.somebody"), time=format_clock_time(each.at)),
            each.why,
            each.match,
        )
        for each in results
    ]
    return tuple(reversed(views))


def describe_meetings(tournament: Tournament) -> str:
    """Return how often players meet in all rounds, drawn and planned.

    Empty where nobody is seated.
    """
    rounds = (*tournament.seats, *tournament.plan)
    return _describe_meetings(count_meetings(rounds)) if rounds else ""


def _describe_meetings(counts: MeetingCounts) -> str:
    if not counts.pairs:
        return say("club.tournament.nobody-twice")
    if counts.most == 2:
        says = say_count("club.tournament.pairs-twice", counts.pairs)
    else:
        says = say_count("club.tournament.pairs-often", counts.pairs, most=counts.most)
    verdict = "unavoidable" if counts.badness == counts.min_badness else "best-found"
    return join_sentences((says, say(f"club.tournament.{verdict}")))


def describe_state(tournament: Tournament) -> str:
    """Return the progress of a tournament in a line."""
    if tournament.over:
        return say_count("club.tournament.over", len(tournament.drawn))
    current = tournament.current
    state = "to-draw" if current is None else "playing" if current.is_begun else "drawn"
    number = current.number if current else tournament.next_round
    return say(f"club.tournament.{state}", round=number, rounds=tournament.rounds)


def describe_changes(tournament: Tournament) -> tuple[str, ...]:
    """Return the changes to rounds and minutes, and who made them, oldest first."""
    return tuple(
        say(
            "club.tournament.changed",
            rounds=each.rounds,
            minutes=each.minutes,
            who=each.by or say("table.somebody"),
            time=format_clock_time(each.at),
        )
        for each in tournament.changes
    )


def describe_filling(tournament: Tournament) -> str:
    """Return how incomplete tables are filled; empty where all tables are complete."""
    remainder = len(tournament.present) % 4
    if not remainder:
        return ""
    if tournament.stand_ins:
        return say_count(
            "club.tournament.with-stand-ins", 4 - remainder, players=len(tournament.present)
        )
    return say_count("club.tournament.with-out", remainder, players=len(tournament.present))


def format_points(points: Fraction) -> str:
    """Return points in the language's notation: `2.33`, and `2,33` in French."""
    return str(format_decimal(round(float(points), 2), "0.##", locale(language())))


def format_clock_time(clock_time: datetime) -> str:
    """Return a time of day by the box's clock."""
    return f"{clock_time.astimezone():%H:%M}"


def format_day(tournament: Tournament) -> str:
    """Return the day on which the tournament was created."""
    return day_of(tournament.begun_at)
