"""The ranking and all seats as rows for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from device.club.points import table_points
from device.club.tournament.ranking import ranking
from device.club.tournament.tournament import Tournament, names_in
from scorer.tiles import WINDS


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


def standing_rows(tournament: Tournament) -> Iterator[RankingRow]:
    """Yield one row for each player, the first place first."""
    for each in ranking(tournament):
        yield RankingRow(
            tournament=tournament.id,
            place=each.place,
            shared=each.shared,
            player=each.entrant.name,
            table_points=_number(each.points),
            total=each.total,
            rounds=len(each.rounds),
            playing=each.entrant.here,
            were="; ".join(f"{name} to {last}" for name, last in each.entrant.were),
        )


def seat_rows(tournament: Tournament) -> Iterator[SeatRow]:
    """Yield one row for each seat of each round, the first round first."""
    for each in tournament.drawn:
        for number, table in enumerate(each.seats.tables, 1):
            result = each.result(number - 1)
            places = zip(table, result.points, strict=True) if result else ()
            points = table_points(dict(places), tournament.places)
            for at, (player, name) in enumerate(
                zip(table, names_in(tournament, each.number, table), strict=True)
            ):
                yield SeatRow(
                    tournament=tournament.id,
                    round=each.number,
                    table=number,
                    wind=tuple(WINDS)[at],
                    player=name or "",
                    points=result.points[at] if result else None,
                    table_points=_number(points[player]) if result else None,
                    match=result.match if result else "",
                    by=result.by if result else "",
                    corrections=sum(given.late for given in each.given[number - 1]),
                    why=result.why if result else "",
                )
        for name in names_in(tournament, each.number, each.seats.out):
            out = SeatRow(tournament.id, each.number, 0, "", name or "", None, None, "", "", 0, "")
            yield out


def _number(points: Fraction) -> float:
    return round(float(points), 3)
