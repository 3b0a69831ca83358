"""The ranking of a tournament, and its rows for spreadsheets.

Players are ranked by points won, by table points, or by table points and then points won.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from device.club.points import Ranked, ranked, table_points
from device.club.tournament.tournament import Entrant, RankedBy, Tournament


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


def ranking(tournament: Tournament) -> tuple[PlayerStanding, ...]:
    """Return all players, the first place first, ranked by all results so far.

    A player who sits out wins and loses nothing, and gets the average of a table's points.
    """
    made: dict[int, list[RoundScore]] = {each.number: [] for each in tournament.entrants}
    for player, score in _scores(tournament):
        made[player].append(score)
    totals = {player: sum(each.total for each in scores) for player, scores in made.items()}
    points = {
        player: sum((each.points for each in scores), Fraction()) for player, scores in made.items()
    }
    order = ranked({p: _by(tournament.ranking, totals[p], points[p]) for p in made})
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


def _by(how: RankedBy, total: int, points: Fraction) -> tuple[Fraction, ...]:
    return {
        "total": (Fraction(total),),
        "places": (points,),
        "both": (points, Fraction(total)),
    }[how]


def _scores(tournament: Tournament) -> Iterator[tuple[int, RoundScore]]:
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
