"""A club's evening by HTTP, played by phones and checked to the last total; in small."""

from __future__ import annotations

import pytest

from tests.prove.club_evening import main, play_evening
from tests.prove.club_faults import FAULTS, FAULTS_OF_KILLS
from tests.prove.club_room import Bounds, OutOfBoundsError, Plan, parse_local_address


@pytest.mark.slow
def test_two_tables_play_an_evening_and_every_total_is_the_scorers() -> None:
    room = play_evening(Plan(tables=2, deals=1, rounds=1))
    assert room.faults == []
    assert room.counts["matches whose every total was compared"] == 6
    assert room.counts["totals seen right while it went on"] == room.counts["deals"] >= 6
    assert room.counts["clashes"] > 0
    assert room.counts["places of the ranking compared"] == 7, "and a stand-in"
    assert room.counts["players of the season compared"] > 7


@pytest.mark.prove
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_is_put_in_is_found(fault: str) -> None:
    assert play_evening(Plan(tables=2, deals=6, fault=fault)).faults


@pytest.mark.prove
@pytest.mark.timeout(900)  # as below: a box that is down half of the time is slow to play on
@pytest.mark.parametrize("fault", [*FAULTS_OF_KILLS, "wrong-seats"])
def test_a_fault_of_a_tournament_is_found_while_processes_are_killed(fault: str) -> None:
    plan = Plan(tables=2, deals=1, rounds=2, kill=True, fault=fault)
    assert any("match" in each or "ranking" in each for each in play_evening(plan).faults)


@pytest.mark.prove
@pytest.mark.timeout(900)  # it takes 160 s alone, and twice that beside another
def test_processes_that_are_killed_lose_nothing_on_either_store() -> None:
    assert play_evening(Plan(tables=2, deals=4, kill=True)).faults == []
    shared_store = Plan(tables=2, deals=4, store="postgresql", serves=4, workers=2, kill=True)
    assert play_evening(shared_store).faults == []


@pytest.mark.parametrize("address", ["192.168.1.20", "0.0.0.0", "::"])  # noqa: S104
def test_nobody_elses_machine_is_put_under_load(address: str) -> None:
    with pytest.raises(ValueError, match="not this machine"):
        parse_local_address(address)
    with pytest.raises(SystemExit):
        main(["--host", address])


@pytest.mark.parametrize(
    ("bounds", "match_count"),
    [
        (Bounds(requests=20), 20),  # phones may ask so often
        (Bounds(seconds=0), 0),  # the time is over at once
        (Bounds(memory=1), 199),  # looked at now and then
    ],
)
def test_an_evening_ends_where_its_bounds_are(bounds: Bounds, match_count: int) -> None:
    bounds.begin()
    for _ in range(match_count):
        bounds.take()
    with pytest.raises(OutOfBoundsError):
        bounds.take()
