"""The ranking of a tournament, and its rows for spreadsheets.

Players are ranked by points won, by table points, or by table points and then points won.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from device.club.season import Ranked, ranked, table_points
from device.club.tournament.tournament import Entrant, RankingBasis, Tournament, names_in_round
from scorer.tiles import WINDS


@dataclass(frozen=True, slots=True)
class RoundScore:
    """What one round brought one player."""

    round: int
    """Counted from 1."""
    table: int
    """Counted from 1; 0 for a player who sat out."""
    total: int
    points: Fraction
    """Table points for the place at the table."""


@dataclass(frozen=True, slots=True)
class PlayerStanding:
    """One player in the ranking."""

    place: int
    """Counted from 1. Equal players share a place, and the places after them are skipped."""
    shared: bool
    entrant: Entrant
    total: int
    points: Fraction
    rounds: tuple[RoundScore, ...]


def rank_entrants(tournament: Tournament) -> tuple[PlayerStanding, ...]:
    """Return all players, the first place first, ranked by all results so far.

    A player who sits out wins and loses nothing, and gets the average of a table's points. Whoever
    is in no round yet comes after all who are.
    """
    made: dict[int, list[RoundScore]] = {each.number: [] for each in tournament.entrants}
    for player, score in _round_scores(tournament):
        made[player].append(score)
    totals = {player: sum(each.total for each in scores) for player, scores in made.items()}
    points = {
        player: sum((each.points for each in scores), Fraction()) for player, scores in made.items()
    }
    order = ranked(
        {
            player: (bool(scores), *_sort_key(tournament.ranking, totals[player], points[player]))
            for player, scores in made.items()
        }
    )
    return tuple(_standing(each, tournament, made, totals, points) for each in order)


def _standing(
    found: Ranked[int],
    tournament: Tournament,
    made: dict[int, list[RoundScore]],
    totals: dict[int, int],
    points: dict[int, Fraction],
) -> PlayerStanding:
    who = found.who
    return PlayerStanding(
        found.place,
        found.shared,
        tournament.entrants[who],
        totals[who],
        points[who],
        tuple(made[who]),
    )


def _sort_key(how: RankingBasis, total: int, points: Fraction) -> tuple[Fraction, ...]:
    return {
        "total": (Fraction(total),),
        "places": (points,),
        "both": (points, Fraction(total)),
    }[how]


def _round_scores(tournament: Tournament) -> Iterator[tuple[int, RoundScore]]:
    """Yield what each round brought each player; stand-ins are not ranked."""
    average = Fraction(sum(tournament.places), len(tournament.places))
    for each in tournament.drawn:
        if each.closed:
            yield from ((p, RoundScore(each.number, 0, 0, average)) for p in each.seats.out)
        for number, table in enumerate(each.seats.tables):
            result = each.result(number)
            if result is None:
                continue
            totals = dict(zip(table, result.points, strict=True))
            points = table_points(totals, tournament.places)
            for player, total in totals.items():
                if player >= 0:
                    yield player, RoundScore(each.number, number + 1, total, points[player])


@dataclass(frozen=True, slots=True)
class RankingRow:
    """One player in the ranking. New columns go at the end."""

    tournament: str
    place: int
    shared: bool
    player: str
    table_points: float
    """Table points for places; a place shared by three gives thirds."""
    total: int
    rounds: int
    """Number of rounds with a result for this player, including rounds sat out."""
    playing: bool
    """Whether the player takes part in the coming rounds, or did until the end."""
    were: str
    """Earlier players in this place, with their last round: `Bob to 2`."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat of one table in one round. New columns go at the end."""

    tournament: str
    round: int
    table: int
    wind: str
    """E, S, W or N; empty for a player who sits out."""
    player: str
    """Empty for a stand-in."""
    points: int | None
    """None without a result."""
    table_points: float | None
    match: str
    """Id of the match that the result was taken from."""
    by: str
    """Who entered the result that counts."""
    corrections: int
    """How often the result was changed after the round was closed."""
    why: str
    """The reason of the last correction."""


def ranking_rows(tournament: Tournament) -> Iterator[RankingRow]:
    """Yield one row for each player, the first place first."""
    for each in rank_entrants(tournament):
        yield RankingRow(
            tournament=tournament.id,
            place=each.place,
            shared=each.shared,
            player=each.entrant.name,
            table_points=_rounded(each.points),
            total=each.total,
            rounds=len(each.rounds),
            playing=each.entrant.here,
            were="; ".join(f"{name} to {last}" for name, last in each.entrant.predecessors),
        )


def seat_rows(tournament: Tournament) -> Iterator[SeatRow]:
    """Yield one row for each seat of each round, the first round first."""
    for each in tournament.drawn:
        for number, table in enumerate(each.seats.tables, 1):
            result = each.result(number - 1)
            places = zip(table, result.points, strict=True) if result else ()
            points = table_points(dict(places), tournament.places)
            for at, (player, name) in enumerate(
                zip(table, names_in_round(tournament, each.number, table), strict=True)
            ):
                yield SeatRow(
                    tournament=tournament.id,
                    round=each.number,
                    table=number,
                    wind=tuple(WINDS)[at],
                    player=name or "",
                    points=result.points[at] if result else None,
                    table_points=_rounded(points[player]) if result else None,
                    match=result.match if result else "",
                    by=result.by if result else "",
                    corrections=sum(given.late for given in each.given[number - 1]),
                    why=result.why if result else "",
                )
        for name in names_in_round(tournament, each.number, each.seats.out):
            out = SeatRow(tournament.id, each.number, 0, "", name or "", None, None, "", "", 0, "")
            yield out


def _rounded(points: Fraction) -> float:
    return round(float(points), 3)
