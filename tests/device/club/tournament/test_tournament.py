"""A tournament from its drawing to its end: what may follow on what, and what two phones do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient

from device.club.tables import ClubTable
from device.club.tournament.match_results import final_gains, find_matches, propose_tables
from device.club.tournament.replay import (
    TOURNAMENTS,
    TournamentRefusedError,
    UnknownTournamentError,
)
from device.club.tournament.repository import TournamentRepository
from device.club.tournament.schedule import count_meetings, find_seating_faults
from device.club.tournament.tournament import RoundClock
from device.host.machine import Uptime
from device.i18n.words import say
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import (
    DrawWithdrawn,
    EntrantRenamed,
    MatchBegun,
    MatchEnded,
    PlayerJoined,
    PlayerReplaced,
    PlayerReturned,
    PlayerWithdrawn,
    ResultGiven,
    RoundClockSet,
    RoundClosed,
    RoundDrawn,
    RoundsChanged,
    TournamentEnded,
    TournamentEvent,
)
from device.store.projection import replay_all
from tests.device.club.tournament.tournament_play import NAMES, POINTS, add_tournament, play_round
from tests.device.identities import identity
from tests.device.match_play import settle
from tests.device.page import Page, get_page


@pytest.fixture
def tournaments(store: Store) -> TournamentRepository:
    return TournamentRepository(store)


ODD: list[tuple[dict[str, Any], str]] = [
    ({"players": NAMES[:3]}, "players"),
    ({"players": tuple(f"P{n}" for n in range(241))}, "players"),
    ({"players": (*NAMES[:4], "ann")}, "twice"),
    ({"players": (*NAMES[:4], "")}, "nameless"),
    ({"rounds": 0}, "rounds"),
    ({"rounds": 11}, "rounds"),
    ({"minutes": 0}, "minutes"),
    ({"minutes": 1441}, "minutes"),
    ({"places": (4, 2, 1)}, "places"),
    ({"places": (0, 1, 2, 4)}, "places"),
]


@pytest.mark.parametrize(("options", "key"), ODD)
def test_what_no_tournament_can_be_is_refused(
    tournaments: TournamentRepository, options: dict[str, Any], key: str
) -> None:
    with pytest.raises(TournamentRefusedError, match=rf"^club\.refused\.{key}$"):
        add_tournament(tournaments, **options)
    assert tournaments.list_tournaments() == ()


def test_of_two_phones_that_draw_the_same_round_at_once_one_does(
    tournaments: TournamentRepository, store: Store
) -> None:
    tournament_id = add_tournament(tournaments)
    phones = [TournamentRepository(store) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda phone: phone.draw(tournament_id, 1), phones))
    assert [each.event.number for each in store.of_kinds(RoundDrawn)] == [1]
    with pytest.raises(TournamentRefusedError, match="not-next"):
        tournaments.draw(tournament_id, 2)


REFUSED_EVENTS: list[tuple[TournamentEvent, str, str]] = [
    (ResultGiven(2, 1, (10, 0, 0, 0)), "sum", "what four win and lose comes to nothing"),
    (RoundClosed(2), "missing", "no table has a result"),
    (RoundClosed(3), "not-played", "it is not drawn"),
    (ResultGiven(2, 1, POINTS, seen=1), "given-since", "the phone saw one that is not there"),
    (TournamentEnded(), "still-played", "a round is being played"),
    (PlayerJoined("ANN"), "twice", "she plays already"),
    (PlayerReplaced(0, "Bob"), "twice", "he plays himself"),
    (RoundClockSet(2, 90_000), "minutes", "longer than a day"),
    (RoundsChanged(1, 90), "rounds-drawn", "the second is drawn"),
    (RoundsChanged(11, 90), "rounds", "more than a tournament has"),
    (RoundsChanged(3, 0), "minutes", "no time at all"),
    (RoundsChanged(3, 1441), "minutes", "longer than a day"),
]


@pytest.mark.parametrize(("event", "key", "reason"), REFUSED_EVENTS)
def test_what_cannot_be_is_refused(
    tournaments: TournamentRepository, event: TournamentEvent, key: str, reason: str
) -> None:
    tournament_id = add_tournament(tournaments)
    play_round(tournaments, tournament_id)
    tournaments.draw(tournament_id, 2)
    before = tournaments.get(tournament_id)
    with pytest.raises(TournamentRefusedError, match=rf"^club\.refused\.{key}$"):
        tournaments.change(tournament_id, event)
    assert tournaments.get(tournament_id) == before, reason


def test_a_draw_is_withdrawn_while_it_has_no_result(tournaments: TournamentRepository) -> None:
    tournament_id = add_tournament(tournaments)
    tournaments.draw(tournament_id, 1)
    seats = tournaments.get(tournament_id).drawn[0].seats
    tournaments.change(tournament_id, DrawWithdrawn(1))
    tournaments.draw(tournament_id, 1)
    assert tournaments.get(tournament_id).drawn[0].seats == seats, "nobody has come or gone"
    tournaments.change(tournament_id, DrawWithdrawn(1))
    tournaments.change(tournament_id, PlayerWithdrawn(3))
    tournaments.draw(tournament_id, 1)
    assert 3 not in {
        p for table in tournaments.get(tournament_id).drawn[0].seats.tables for p in table
    }
    tournaments.change(tournament_id, ResultGiven(1, 1, POINTS))
    with pytest.raises(TournamentRefusedError, match="has-results"):
        tournaments.change(tournament_id, DrawWithdrawn(1))


def test_a_draw_that_is_withdrawn_after_somebody_has_gone_is_seated_anew(
    tournaments: TournamentRepository,
) -> None:
    tournament_id = add_tournament(tournaments)
    tournaments.draw(tournament_id, 1)
    tournaments.change(tournament_id, PlayerWithdrawn(3))
    tournaments.change(tournament_id, DrawWithdrawn(1))
    tournament = tournaments.get(tournament_id)
    assert tournament.is_seated
    assert all(3 not in table for each in tournament.plan for table in each.tables)


def seated_players(tournaments: TournamentRepository, tournament_id: str) -> set[int]:
    return {
        p for each in tournaments.get(tournament_id).plan for table in each.tables for p in table
    }


def test_a_stand_in_takes_the_place_of_who_goes_and_gives_it_to_who_comes(
    tournaments: TournamentRepository,
) -> None:
    tournament_id = add_tournament(tournaments, players=NAMES, rounds=5)
    play_round(tournaments, tournament_id, [POINTS] * 4)
    plan = tournaments.get(tournament_id).plan
    tournaments.change(tournament_id, PlayerWithdrawn(5))
    tournament = tournaments.get(tournament_id)
    assert seated_players(tournaments, tournament_id) == {*range(16), -1} - {5}
    assert [
        [[5 if p == -1 else p for p in table] for table in each.tables] for each in tournament.plan
    ] == [[list(table) for table in each.tables] for each in plan], "nobody else moves"
    tournaments.change(tournament_id, PlayerJoined("Quin"))
    assert seated_players(tournaments, tournament_id) == set(range(17)) - {5}
    now = tournaments.get(tournament_id)
    assert count_meetings((*now.seats, *now.plan)).most == 1
    assert now.entrants[16].since == 2


def test_where_nobody_stands_in_all_are_seated_anew(tournaments: TournamentRepository) -> None:
    tournament_id = add_tournament(tournaments, players=NAMES, rounds=3, stand_ins=False)
    play_round(tournaments, tournament_id, [POINTS] * 4)
    tournaments.change(tournament_id, PlayerWithdrawn(5))
    tournament = tournaments.get(tournament_id)
    assert all(len(each.out) == 3 for each in tournament.plan)
    assert seated_players(tournaments, tournament_id) == set(range(16)) - {5}
    tournaments.change(tournament_id, PlayerReturned(5))
    assert all(not each.out for each in tournaments.get(tournament_id).plan)


def test_a_substitute_keeps_the_seats_and_the_points(tournaments: TournamentRepository) -> None:
    tournament_id = add_tournament(tournaments)
    play_round(tournaments, tournament_id)
    before = tournaments.get(tournament_id)
    tournaments.change(tournament_id, PlayerReplaced(2, "Zoe"))
    tournament = tournaments.get(tournament_id)
    assert tournament.plan == before.plan
    assert [tournament.entrants[2].name_in(number) for number in (1, 2)] == ["Cy", "Zoe"]
    tournaments.change(tournament_id, EntrantRenamed(2, "Zoë"))
    assert tournaments.get(tournament_id).entrants[2].name_in(1) == "Cy"


@pytest.mark.parametrize("stand_ins", [True, False])
def test_who_goes_during_the_last_round_needs_no_other_seats(
    tournaments: TournamentRepository, stand_ins: bool
) -> None:
    tournament_id = add_tournament(tournaments, rounds=1, stand_ins=stand_ins)
    tournaments.draw(tournament_id, 1)
    tournaments.change(tournament_id, PlayerWithdrawn(3))
    tournament = tournaments.get(tournament_id)
    assert (tournament.plan, tournament.current is not None) == ((), True)
    tournaments.change(tournament_id, DrawWithdrawn(1))
    tournaments.draw(tournament_id, 1)
    assert all(3 not in table for table in tournaments.get(tournament_id).drawn[0].seats.tables)


def test_the_last_four_cannot_be_fewer(tournaments: TournamentRepository) -> None:
    tournament_id = add_tournament(tournaments, players=NAMES[:4])
    with pytest.raises(TournamentRefusedError, match="players"):
        tournaments.change(tournament_id, PlayerWithdrawn(0))


def test_the_clock_says_what_is_left_wherever_it_is_asked(
    tournaments: TournamentRepository,
) -> None:
    tournament_id = add_tournament(tournaments)
    tournaments.draw(tournament_id, 1)
    assert tournaments.get(tournament_id).drawn[0].clock is None
    tournaments.change(tournament_id, RoundClockSet(1, 5400))
    clock = tournaments.get(tournament_id).drawn[0].clock
    assert clock
    assert clock.time_left(clock.at + timedelta(minutes=20)) == 70 * 60
    assert clock.time_left(clock.at + timedelta(minutes=91)) == -60
    tournaments.change(tournament_id, RoundClockSet(1, 600, running=False))
    standing = tournaments.get(tournament_id).drawn[0].clock
    assert standing
    assert standing.time_left(standing.at + timedelta(hours=1)) == 600


JUMPS = [
    (timedelta(hours=3), 600.0, "a", 4800, "the clock was set on by hours: ten minutes passed"),
    (timedelta(hours=-3), 600.0, "a", 4800, "the clock was set back by hours"),
    (timedelta(minutes=10), 50.0, "b", 4800, "started anew: the clocks' times say"),
    (timedelta(hours=-3), 50.0, "b", 5400, "started anew with a clock that is behind"),
    (timedelta(minutes=10), 0.0, "", 4800, "a computer that does not count since its start"),
]


@pytest.mark.parametrize(("later", "run_seconds", "boot", "left", "reason"), JUMPS)
def test_a_clock_that_jumps_ends_no_round(
    later: timedelta, run_seconds: float, boot: str, left: int, reason: str
) -> None:
    start_time = datetime(2026, 11, 23, 19, 30, tzinfo=UTC)
    clock = RoundClock(5400, running=True, at=start_time, since=Uptime("a", 40.0))
    seconds = 40.0 + run_seconds if boot == "a" else run_seconds
    assert clock.time_left(start_time + later, Uptime(boot, seconds)) == left, reason


def test_the_result_of_the_match_at_the_table_is_taken_by_its_players_names(
    tournaments: TournamentRepository, store: Store, matches: MatchRepository
) -> None:
    start_event = MatchBegun(
        players=("Ann", "Bob", "Cy", "Di"), ruleset="bmja", limit=1000, house=()
    )
    match = matches.begin(start_event)
    names = ("Di", "ann", None, "Cy")
    settle(matches, match, "Cy")
    (found,) = find_matches(store, matches, names)
    with pytest.raises(TournamentRefusedError, match="match-on"):
        final_gains(found, names)
    matches.change(match, MatchEnded())
    (found,) = find_matches(store, matches, names)
    gains = {name: total - found.game.first_tallies for name, total in found.course.totals.items()}
    expected_gains = tuple(gains[name] for name in ("Di", "Ann", "Bob", "Cy"))
    assert final_gains(found, names) == expected_gains
    assert sum(expected_gains) == 0
    assert not list(find_matches(store, matches, ("Ann", "Bob", "Cy", "Eve")))


def test_there_is_none_of_another_id(tournaments: TournamentRepository, store: Store) -> None:
    with pytest.raises(UnknownTournamentError):
        tournaments.get("nowhere")
    with pytest.raises(UnknownTournamentError):
        tournaments.state_so_far("nowhere")
    assert tournaments.find_newest() is None


@pytest.mark.parametrize(
    ("names", "number", "expected_numbers", "reason"),
    [
        (["Table 1", "Table 2"], 2, ["Table 1", "Table 2"], "by their numbers"),
        (["Table 2", "Table 1"], 2, ["Table 1", "Table 2"], "in whatever order they were laid"),
        (["Window", "Door"], 2, ["Window", "Door"], "without numbers as they were laid"),
        (["Door", "3"], 3, ["Door", "", "3"], "one without a number fills what is free"),
        (["Table 7", "Table 8"], 2, ["Table 7", "Table 8"], "numbers that there are no tables for"),
        (["Table 1"], 3, ["Table 1", "", ""], "too few"),
        (["A 1", "B 1"], 2, ["A 1", "B 1"], "of two with one number the first laid"),
        (["Table 1", "Table 2", "Table 3"], 2, ["Table 1", "Table 2"], "more than are needed"),
        ([], 1, [""], "none"),
    ],
)
def test_proposed(names: list[str], number: int, expected_numbers: list[str], reason: str) -> None:
    club_tables = [ClubTable(f"id of {name}", name) for name in names]
    ids = tuple(f"id of {name}" if name else "" for name in expected_numbers)
    assert propose_tables(club_tables, number) == ids, reason


@pytest.mark.parametrize(
    ("round_count", "rounds", "reason"),
    [
        (0, 1, "fewer, before any was drawn"),
        (0, 5, "more, before any was drawn"),
        (1, 2, "fewer, one was played"),
        (2, 5, "more, two were played"),
        (2, 2, "those that were played are all"),
        (3, 4, "one more, although all were played"),
    ],
)
def test_another_number_of_rounds(
    tournaments: TournamentRepository, store: Store, round_count: int, rounds: int, reason: str
) -> None:
    tournament_id = add_tournament(tournaments)
    for _ in range(round_count):
        play_round(tournaments, tournament_id)
    before = tournaments.get(tournament_id)
    tournaments.change(tournament_id, RoundsChanged(rounds, 60, by="Gus"))
    tournament = tournaments.get(tournament_id)
    assert (tournament.rounds, tournament.minutes, tournament.drawn) == (
        rounds,
        60,
        before.drawn,
    ), reason
    assert len(tournament.plan) == rounds - round_count, reason
    assert tournament.over == (rounds == round_count), reason
    assert not list(find_seating_faults(tournament.plan, tournament.present, stand_ins=True)), (
        reason
    )
    if rounds <= before.rounds:
        assert tournament.plan == before.plan[: rounds - round_count], "who was to sit where stays"
    for _ in range(rounds - round_count):
        play_round(tournaments, tournament_id)
    assert tournaments.get(tournament_id).over
    assert replay_all(TOURNAMENTS, store.stream(f"tournament:{tournament_id}")) == tournaments.get(
        tournament_id
    )


def test_it_is_changed_by_the_page_and_said_with_who(
    client: FlaskClient, tournaments: TournamentRepository, store: Store
) -> None:
    tournament_id = add_tournament(tournaments)
    tournaments.draw(tournament_id, 1)
    tournament_url = f"/club/tournaments/{tournament_id}/"
    client.set_cookie("player", identity(store, "x", 0, "Gus"))
    for _ in range(2):  # sent twice
        answer = client.post(f"{tournament_url}length", data={"rounds": "4", "minutes": "45"})
        assert answer.status_code == 303
    assert len(tournaments.get(tournament_id).changes) == 1
    page = get_page(client, tournament_url).text
    assert say("club.tournament.start-clock", minutes=45) in page
    assert say("club.tournament.drawn", round=1, rounds=4) in page
    assert "4 rounds of 45 minutes" in page
    assert "(Gus)" in page
    response = client.post(f"{tournament_url}length", data={"rounds": "0", "minutes": "50"})
    assert response.status_code == 409
    refusal = Page(response.text)
    assert say("club.refused.rounds", most=10) in refusal.text
    assert (refusal.value("rounds"), refusal.value("minutes")) == ("0", "50"), "typed stays"
