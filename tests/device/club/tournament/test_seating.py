"""Who sits where: everybody once a round, nobody meeting twice where that can be, winds in turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.club.tournament.repository import TournamentRepository
from device.club.tournament.schedule import MAX_ROUNDS, count_meetings, design, find_seating_faults
from device.club.tournament.seating import seat_rounds
from device.store import Store
from device.store.events import PlayerJoined, PlayerWithdrawn, RoundSeats
from tests.device.club.tournament.checker import count_seats, times_met
from tests.device.club.tournament.tournament_play import NAMES, POINTS, add_tournament, play_round


def seats(
    players: int, rounds: int, *, stand_ins: bool = True, seed: str = "x"
) -> tuple[RoundSeats, ...]:
    return seat_rounds(range(players), rounds, stand_ins=stand_ins, seed=seed)


PERFECT = [
    (4, 1, "one table"),
    (8, 1, "two tables: of any four, two come together again"),
    (12, 1, "three tables: of any four, two come together again"),
    (16, 5, "all meet all: the affine plane of order 4"),
    (20, 5, "columns round five tables"),
    (24, 7, "one first round on circles of 7"),
    (28, 9, "all meet all: on circles of 9"),
    (32, 9, "on circles of 9"),
    (36, 10, "on circles of 10"),
    (40, 10, "on circles of 10"),
    (44, 10, "columns round eleven tables"),
    (48, 10, "on circles of 10"),
    (60, 10, "on circles of 10"),
    (100, 10, "columns round 25 tables"),
    (104, 10, "on circles of 10"),
    (240, 10, "columns round 60 tables, of which ten rounds take no half or third"),
]


@pytest.mark.parametrize(("players", "rounds", "method"), PERFECT)
def test_nobody_meets_twice_where_that_can_be(players: int, rounds: int, method: str) -> None:
    assert max(times_met(seats(players, rounds)).values()) == 1, method


@pytest.mark.parametrize("players", range(4, 244, 4))
def test_no_design_brings_two_together_twice(players: int) -> None:
    rounds = [RoundSeats(tuple((a, b, c, d) for a, b, c, d in each)) for each in design(players)]
    assert 1 <= len(rounds) <= MAX_ROUNDS
    assert list(find_seating_faults(rounds, range(players), stand_ins=False)) == []
    assert set(times_met(rounds).values()) == {1}
    if players > 32:
        assert len(rounds) == MAX_ROUNDS, "as many as are played"


MEETING_BOUNDS = [
    (8, 2, 4), (8, 7, 56), (12, 4, 18), (16, 6, 24), (20, 7, 20), (24, 8, 18), (32, 10, 18),
]  # fmt: skip
"""Players, rounds, and meetings of two who have met before: no more than when it was written."""


@pytest.mark.parametrize(("players", "rounds", "max_badness"), MEETING_BOUNDS)
def test_few_meet_again_where_some_must(players: int, rounds: int, max_badness: int) -> None:
    meetings = times_met(seats(players, rounds)).values()
    assert sum(meetings) - len(meetings) <= max_badness


SIT_OUT_ROUNDS = [
    (5, 5, {3}, "one table: each sits out once"),
    (6, 3, {1, 2}, "one table: three pairs sit out in turn"),
    (6, 6, {2, 3}, "a ring of six: neighbours sit out together"),
    (7, 7, {2}, "the lines of the Fano plane sit out"),
    (9, 8, {2, 3}, "two tables"),
    (9, 9, {3}, "a near-resolvable design"),
    (10, 10, {2, 3}, "two tables: two sit out together"),
    (11, 10, {2, 3}, "two tables: three sit out together"),
    (13, 10, {2, 3}, "three tables"),
    (14, 7, {1, 2}, "three tables: two sit out together"),
    (18, 4, {0, 1}, "four tables: nobody meets twice"),
    (23, 7, {0, 1}, "24 players without one: nobody meets twice"),
    (27, 9, {0, 1}, "28 players without one: all sit out once, and nobody meets twice"),
    (39, 10, {0, 1}, "40 players without one: nobody meets twice"),
]
"""Players, rounds, how often each two meet, and who sits out."""


@pytest.mark.parametrize(("players", "rounds", "expected_counts", "reason"), SIT_OUT_ROUNDS)
def test_who_sits_out_is_chosen_so_that_all_meet_equally_often(
    players: int, rounds: int, expected_counts: set[int], reason: str
) -> None:
    for seed in "ab":
        rounds_seats = seats(players, rounds, stand_ins=False, seed=seed)
        meetings = times_met(rounds_seats)
        times = {meetings.get(pair, 0) for pair in combinations(range(players), 2)}
        assert times == expected_counts, reason
        rest_counts = [count_seats(rounds_seats, player)[4] for player in range(players)]
        assert max(rest_counts) - min(rest_counts) <= 1
        assert count_meetings(rounds_seats).badness == count_meetings(rounds_seats).min_badness, (
            "and that is known"
        )


@pytest.mark.parametrize("rounds", range(1, 8))
def test_those_sit_out_first_who_did_so_least(rounds: int) -> None:
    """As far as the most even seating of seven allows, of whom any two triples share a player."""
    rounds_seats = seats(7, 7, stand_ins=False)[:rounds]
    rest_counts = [count_seats(rounds_seats, player)[4] for player in range(7)]
    assert max(rest_counts) - min(rest_counts) <= 2
    rounds_seats = seats(6, 6, stand_ins=False)[:rounds]
    rest_counts = [count_seats(rounds_seats, player)[4] for player in range(6)]
    assert max(rest_counts) - min(rest_counts) <= 1


def test_no_rounds_are_seated_when_a_player_leaves_after_the_last_draw(store: Store) -> None:
    log = TournamentRepository(store)
    tournament_id = add_tournament(log, players=NAMES[:9], rounds=1, stand_ins=False)
    log.draw(tournament_id, 1)
    log.change(tournament_id, PlayerWithdrawn(3))
    assert log.seat(tournament_id).plan == ()


NINE = st.permutations(range(9)).map(
    lambda p: RoundSeats(((p[0], p[1], p[2], p[3]), (p[4], p[5], p[6], p[7])), (p[8],))
)


@given(st.lists(NINE, min_size=1, max_size=9, unique_by=lambda round_seats: round_seats.out))
def test_meetings_are_counted_and_none_are_fewer_than_the_bound_says(
    rounds: list[RoundSeats],
) -> None:
    counts, meetings = count_meetings(rounds), times_met(rounds).values()
    assert (counts.pairs, counts.most) == (sum(times > 1 for times in meetings), max(meetings))
    assert (
        counts.badness == sum((times**3 - times) // 6 for times in meetings) >= counts.min_badness
    )


def every_round(players: tuple[int, ...], rest_size: int) -> Iterator[RoundSeats]:
    """Yield all rounds in which these play, and so many of them sit out."""
    for resting in combinations(players, rest_size):
        active_players = tuple(player for player in players if player not in resting)
        yield from (RoundSeats(tables, resting) for tables in every_table(active_players))


def every_table(players: tuple[int, ...]) -> Iterator[tuple[tuple[int, int, int, int], ...]]:
    if not players:
        yield ()
    for a, b, c in combinations(players[1:], 3):
        other_players = tuple(player for player in players[1:] if player not in (a, b, c))
        yield from (((players[0], a, b, c), *later) for later in every_table(other_players))


@pytest.mark.parametrize(
    ("players", "rounds"),
    [(5, 4), (6, 3), (6, 4), (7, 3), (8, 3), (9, 2), (10, 2), (11, 2), (12, 2)],
)
def test_the_search_finds_the_best_of_all_seatings_and_the_bound_is_below(
    players: int, rounds: int
) -> None:
    all_rounds = list(every_round(tuple(range(players)), players % 4))
    seatings = ((all_rounds[0], *later) for later in product(all_rounds, repeat=rounds - 1))
    fair = [each for each in seatings if is_fair(each, players)]
    best = min(count_meetings(each).badness for each in fair)
    meeting_counts = count_meetings(seats(players, rounds, stand_ins=False))
    assert meeting_counts.badness == best >= meeting_counts.min_badness


def is_fair(rounds: Sequence[RoundSeats], players: int) -> bool:
    """Whether nobody sits out two rounds more than another."""
    rest_counts = Counter(player for each in rounds for player in each.out)
    return max(rest_counts.values(), default=0) - min(rest_counts[p] for p in range(players)) <= 1


tournaments = st.tuples(
    st.integers(4, 40), st.integers(1, 5), st.booleans(), st.text("abc", max_size=3)
)


@given(tournaments)
def test_everybody_sits_once_a_round_and_the_winds_are_even(
    size: tuple[int, int, bool, str],
) -> None:
    players, rounds, stand_ins, seed = size
    rounds_seats = seats(players, rounds, stand_ins=stand_ins, seed=seed)
    assert len(rounds_seats) == rounds
    for round_seats in rounds_seats:
        seated_players = [player for table in round_seats.tables for player in table]
        assert sorted(p for p in (*seated_players, *round_seats.out) if p >= 0) == list(
            range(players)
        )
        assert (len(round_seats.out) == players % 4) if not stand_ins else not round_seats.out
        assert len(set(seated_players)) == len(seated_players)
    rest_counts = [count_seats(rounds_seats, player)[4] for player in range(players)]
    assert max(rest_counts) - min(rest_counts) <= 1, "those sit out who did so least"
    for player in range(players):
        winds = count_seats(rounds_seats, player)[:4]
        assert max(winds) - min(winds) <= 1, "no wind twice more than another"


def fills(round_seats: RoundSeats) -> list[int]:
    """Return how many stand-ins sit at each table."""
    return [sum(player < 0 for player in table) for table in round_seats.tables]


@pytest.mark.parametrize("players", [9, 10, 17, 26])
def test_stand_ins_are_spread_over_the_tables(players: int) -> None:
    rounds = [each for seed in "ab" for each in seats(players, 5, seed=seed)]
    assert {max(fills(each)) for each in rounds} == {1}
    assert {max(fills(each)) for each in seats(5, 5)} == {2}, "three of them at two tables"


def test_stand_ins_are_spread_after_players_left(store: Store) -> None:
    log = TournamentRepository(store)
    tournament_id = add_tournament(log, players=NAMES, rounds=5)
    for player in log.get(tournament_id).plan[0].tables[0][:2]:
        log.change(tournament_id, PlayerWithdrawn(player))
    tournament = log.get(tournament_id)
    assert {max(fills(each)) for each in tournament.plan} == {1}


LEAVER, ZOE = PlayerWithdrawn(3), PlayerJoined("Zoe")


@pytest.mark.parametrize(
    ("players", "rounds", "changes", "rest_size"),
    [
        (16, 5, (LEAVER, ZOE), 0),
        (28, 9, (LEAVER, ZOE), 0),
        (40, 10, (LEAVER, ZOE), 0),
        (16, 5, (ZOE,), 1),
        (18, 5, (ZOE,), 3),
    ],
    ids=["16", "28", "40", "one joins 16", "one joins 18"],
)
def test_a_design_outlives_who_leaves_and_comes(
    store: Store,
    players: int,
    rounds: int,
    changes: tuple[PlayerWithdrawn | PlayerJoined, ...],
    rest_size: int,
) -> None:
    log = TournamentRepository(store)
    names = [f"P{number}" for number in range(players)]
    tournament_id = add_tournament(log, players=names, rounds=rounds, stand_ins=False)
    for change in changes:
        play_round(log, tournament_id, [POINTS] * len(log.get(tournament_id).plan[0].tables))
        log.change(tournament_id, change)
        tournament = log.seat(tournament_id)
        every_round = (*tournament.seats, *tournament.plan)
        assert set(times_met(every_round).values()) == {1}, "nobody meets twice"
        rests = Counter(player for each in every_round for player in each.out)
        assert max(rests.values()) == 1, "and nobody sits out twice, not even Zoe"
    assert {len(each.out) for each in tournament.plan} == {rest_size}


@given(tournaments, st.integers(1, 4), st.integers(0, 6))
@settings(max_examples=10)
def test_who_comes_or_goes_is_seated_anew_with_what_was_met_counted(
    size: tuple[int, int, bool, str], leaver_count: int, newcomer_count: int
) -> None:
    players, rounds, stand_ins, seed = size
    before = seats(players, rounds, stand_ins=stand_ins, seed=seed)
    absent_players = set(Random(seed).sample(range(players), min(leaver_count, players - 4)))
    present_players = [
        player for player in range(players + newcomer_count) if player not in absent_players
    ]
    after = seat_rounds(present_players, 2, stand_ins=stand_ins, seed=seed, before=before)
    assert list(find_seating_faults(after, present_players, stand_ins=stand_ins)) == []
    if players >= 40 and rounds <= 3:
        meetings = times_met([*before, *after])
        assert all(times == 1 for pair, times in meetings.items() if min(pair) >= 0)


def test_the_same_lots_seat_the_same_and_others_do_not() -> None:
    assert seats(17, 4, seed="a") == seats(17, 4, seed="a")
    assert seats(17, 4, seed="a") != seats(17, 4, seed="b")


WRONG = [
    (RoundSeats(((0, 1, 2, 3),)), "somebody is left out"),
    (RoundSeats(((0, 1, 2, 3), (4, 5, 6, 6))), "somebody sits twice"),
    (RoundSeats(((0, 1, 2, 3), (4, 5, 6, 8))), "somebody plays who is not there"),
    (RoundSeats(((0, 1, 2, 3), (4, 5, 6, -1)), out=(7,)), "a stand-in, and somebody sits out"),
]


@pytest.mark.parametrize(("wrong", "reason"), WRONG)
def test_wrong_seats_are_told(wrong: RoundSeats, reason: str) -> None:
    assert list(find_seating_faults([wrong], range(8), stand_ins=False)), reason
