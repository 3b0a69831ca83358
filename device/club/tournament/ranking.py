"""The ranking of a tournament, and its rows for spreadsheets.

Players are ranked by points won, by table points, or by table points and then points won.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from device.club.season import Ranked, rank_results, table_points
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
    is_playing: bool
    """Whether the result of the player's table in the open round is still missing."""

    @property
    def has_place(self) -> bool:
        """Whether there is a place worth showing: the player has a result."""
        return bool(self.rounds)


def rank_entrants(tournament: Tournament) -> tuple[PlayerStanding, ...]:
    """Return all players, the first place first, ranked by all results so far.

    A player who sits out wins and loses nothing, and gets the average of a table's points. Whoever
    is in no round yet comes after all who are.
    """
    scores_by_entrant: dict[int, list[RoundScore]] = {
        each.number: [] for each in tournament.entrants
    }
    for player, score in _round_scores(tournament):
        scores_by_entrant[player].append(score)
    totals = {
        player: sum(each.total for each in scores) for player, scores in scores_by_entrant.items()
    }
    points = {
        player: sum((each.points for each in scores), Fraction())
        for player, scores in scores_by_entrant.items()
    }
    order = rank_results(
        {
            player: (bool(scores), *_sort_key(tournament.ranking, totals[player], points[player]))
            for player, scores in scores_by_entrant.items()
        }
    )
    return tuple(_standing(each, tournament, scores_by_entrant, totals, points) for each in order)


def _standing(
    ranked_entrant: Ranked[int],
    tournament: Tournament,
    scores_by_entrant: dict[int, list[RoundScore]],
    totals: dict[int, int],
    points: dict[int, Fraction],
) -> PlayerStanding:
    number = ranked_entrant.who
    return PlayerStanding(
        ranked_entrant.place,
        ranked_entrant.shared,
        tournament.entrants[number],
        totals[number],
        points[number],
        tuple(scores_by_entrant[number]),
        number in tournament.seated_without_result,
    )


def _sort_key(basis: RankingBasis, total: int, points: Fraction) -> tuple[Fraction, ...]:
    return {
        "total": (Fraction(total),),
        "places": (points,),
        "both": (points, Fraction(total)),
    }[basis]


def _round_scores(tournament: Tournament) -> Iterator[tuple[int, RoundScore]]:
    """Yield what each round brought each player; stand-ins are not ranked."""
    average = Fraction(sum(tournament.places), len(tournament.places))
    for drawn_round in tournament.drawn:
        if drawn_round.closed:
            yield from (
                (p, RoundScore(drawn_round.number, 0, 0, average)) for p in drawn_round.seats.out
            )
        for number, table in enumerate(drawn_round.seats.tables):
            result = drawn_round.result(number)
            if result is None:
                continue
            totals = dict(zip(table, result.points, strict=True))
            points = table_points(totals, tournament.places)
            for player, total in totals.items():
                if player >= 0:
                    yield player, RoundScore(drawn_round.number, number + 1, total, points[player])


@dataclass(frozen=True, slots=True)
class RankingRow:
    """One player in the ranking. New columns go at the end."""

    tournament: str
    place: int | None
    """None without a result; so are table points and total."""
    shared: bool
    player: str
    table_points: float | None
    """Table points for places; a place shared by three gives thirds."""
    total: int | None
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
    for entrant in rank_entrants(tournament):
        has_place = entrant.has_place
        yield RankingRow(
            tournament=tournament.id,
            place=entrant.place if has_place else None,
            shared=entrant.shared and has_place,
            player=entrant.entrant.name,
            table_points=_round_points(entrant.points) if has_place else None,
            total=entrant.total if has_place else None,
            rounds=len(entrant.rounds),
            playing=entrant.entrant.here,
            were="; ".join(f"{name} to {last}" for name, last in entrant.entrant.predecessors),
        )


def seat_rows(tournament: Tournament) -> Iterator[SeatRow]:
    """Yield one row for each seat of each round, the first round first."""
    for drawn_round in tournament.drawn:
        for number, table in enumerate(drawn_round.seats.tables, 1):
            result = drawn_round.result(number - 1)
            places = zip(table, result.points, strict=True) if result else ()
            points = table_points(dict(places), tournament.places)
            for seat_number, (player, name) in enumerate(
                zip(table, names_in_round(tournament, drawn_round.number, table), strict=True)
            ):
                yield SeatRow(
                    tournament=tournament.id,
                    round=drawn_round.number,
                    table=number,
                    wind=tuple(WINDS)[seat_number],
                    player=name or "",
                    points=result.points[seat_number] if result else None,
                    table_points=_round_points(points[player]) if result else None,
                    match=result.match if result else "",
                    by=result.by if result else "",
                    corrections=sum(given.late for given in drawn_round.given[number - 1]),
                    why=result.why if result else "",
                )
        for name in names_in_round(tournament, drawn_round.number, drawn_round.seats.out):
            row = SeatRow(
                tournament.id, drawn_round.number, 0, "", name or "", None, None, "", "", 0, ""
            )
            yield row


def _round_points(points: Fraction) -> float:
    return round(float(points), 3)
