"""Who is first, by each way to rank; ties are said."""

from __future__ import annotations

from fractions import Fraction

import pytest

from device.club.tournament.ranking import rank_entrants, ranking_rows, seat_rows
from device.club.tournament.repository import TournamentRepository
from device.club.tournament.tournament import RankingBasis, Tournament
from device.store import Store
from device.store.events import PlayerJoined, PlayerReplaced, ResultGiven, RoundClosed
from tests.device.club.tournament.tournament_play import NAMES, add_tournament, play_round

BIG, SMALL = (300, 0, -100, -200), (9, 8, -7, -10)


@pytest.fixture
def tournaments(store: Store) -> TournamentRepository:
    return TournamentRepository(store)


def by_seat(tournament: Tournament, table: int) -> tuple[int, ...]:
    return tournament.drawn[0].seats.tables[table]


WAYS: list[tuple[RankingBasis, list[tuple[int, bool, tuple[int, int]]], str]] = [
    (
        "total",
        [(1, False, (0, 0)), (2, False, (1, 0)), (3, False, (1, 1)), (4, False, (0, 1)),
         (5, False, (1, 2)), (6, False, (1, 3)), (7, False, (0, 2)), (8, False, (0, 3))],
        "by what was won alone",
    ),
    (
        "places",
        [(1, True, (0, 0)), (1, True, (1, 0)), (3, True, (0, 1)), (3, True, (1, 1)),
         (5, True, (0, 2)), (5, True, (1, 2)), (7, True, (0, 3)), (7, True, (1, 3))],
        "each place at a table is shared with that of the other table",
    ),
    (
        "both",
        [(1, False, (0, 0)), (2, False, (1, 0)), (3, False, (1, 1)), (4, False, (0, 1)),
         (5, False, (1, 2)), (6, False, (0, 2)), (7, False, (1, 3)), (8, False, (0, 3))],
        "by places, and where those are equal by what was won",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("basis", "expected_places", "reason"), WAYS)
def test_the_organiser_chooses_what_counts(
    tournaments: TournamentRepository,
    basis: RankingBasis,
    expected_places: list[tuple[int, bool, tuple[int, int]]],
    reason: str,
) -> None:
    tournament_id = add_tournament(tournaments, ranking=basis)
    play_round(tournaments, tournament_id, [BIG, SMALL])
    tournament = tournaments.get(tournament_id)
    places = {each.entrant.number: (each.place, each.shared) for each in rank_entrants(tournament)}
    for place, shared, (table, seat) in expected_places:
        assert places[by_seat(tournament, table)[seat]] == (place, shared), reason


def test_who_sits_out_gets_the_average_and_a_stand_in_is_in_no_ranking(
    tournaments: TournamentRepository,
) -> None:
    sit_out_tournament = add_tournament(
        tournaments, players=NAMES[:9], ranking="places", stand_ins=False
    )
    play_round(tournaments, sit_out_tournament)
    (rests,) = tournaments.get(sit_out_tournament).drawn[0].seats.out
    places = {
        each.entrant.number: each for each in rank_entrants(tournaments.get(sit_out_tournament))
    }
    assert (places[rests].points, places[rests].total) == (Fraction(7, 4), 0)
    stand_in_tournament = add_tournament(tournaments, players=NAMES[:7])
    play_round(tournaments, stand_in_tournament)
    assert sorted(
        each.entrant.number for each in rank_entrants(tournaments.get(stand_in_tournament))
    ) == [*range(7)]


def test_who_has_played_no_round_comes_last(tournaments: TournamentRepository) -> None:
    tournament_id = add_tournament(tournaments)
    play_round(tournaments, tournament_id, [BIG, BIG])
    tournaments.change(tournament_id, PlayerJoined("Quin"))
    standing = rank_entrants(tournaments.get(tournament_id))
    assert min(each.total for each in standing) < 0
    assert (standing[-1].entrant.name, standing[-1].place) == ("Quin", 9)


def test_the_result_that_was_given_last_counts(tournaments: TournamentRepository) -> None:
    tournament_id = add_tournament(tournaments)
    play_round(tournaments, tournament_id, [BIG, BIG])
    first = by_seat(tournaments.get(tournament_id), 0)[0]
    tournaments.change(
        tournament_id, ResultGiven(1, 1, (-300, 0, 100, 200), seen=1, why="Upside down")
    )
    totals = {
        each.entrant.number: each.total for each in rank_entrants(tournaments.get(tournament_id))
    }
    assert totals[first] == -300


def test_a_table_of_it_for_other_programs(tournaments: TournamentRepository) -> None:
    tournament_id = add_tournament(tournaments, players=NAMES[:7])
    play_round(tournaments, tournament_id, [BIG, SMALL])
    tournaments.change(
        tournament_id, ResultGiven(1, 1, (-300, 0, 100, 200), seen=1, why="Upside down")
    )
    tournaments.change(tournament_id, PlayerReplaced(0, "Zoe"))
    tournaments.draw(tournament_id, 2)
    tournament = tournaments.get(tournament_id)
    standing, seats = list(ranking_rows(tournament)), list(seat_rows(tournament))
    places = [row.place or 0 for row in standing]
    assert places == sorted(places)
    assert {row.were for row in standing if row.player == "Zoe"} == {"Ann to 1"}
    assert len(seats) == 16
    assert sum(row.player == "" for row in seats) == 2, "one stand-in a round"
    assert {row.corrections for row in seats if (row.round, row.table) == (1, 1)} == {1}
    assert all(row.points is None for row in seats if row.round == 2)
    assert {row.player for row in seats if row.round == 1} > {"Ann"}
    assert {row.player for row in seats if row.round == 2} > {"Zoe"}


def test_who_has_no_result_has_no_place_and_no_total(tournaments: TournamentRepository) -> None:
    tournament_id = add_tournament(tournaments)
    tournaments.draw(tournament_id, 1)
    tournaments.change(tournament_id, ResultGiven(1, 1, BIG))
    figures = [
        (row.place, row.shared, row.table_points, row.total)
        for row in ranking_rows(tournaments.get(tournament_id))
    ]
    assert figures[4:] == [(None, False, None, None)] * 4
    assert None not in [value for row in figures[:4] for value in row]


def test_a_round_is_closed_once(tournaments: TournamentRepository) -> None:
    tournament_id = add_tournament(tournaments)
    play_round(tournaments, tournament_id)
    with pytest.raises(ValueError, match="not-played"):
        tournaments.change(tournament_id, RoundClosed(1))
