"""Which match is on at a table: found without reading all that was ever played in the club."""

from __future__ import annotations

from collections import Counter
from contextlib import closing

import pytest
from msgspec import structs

from device.club.tables import ClubTables, running_matches
from device.damage import examine
from device.matches.repository import MatchRepository, NewestMatches
from device.store import Envelope, Store
from device.store.events import Event, MatchBegun, MatchEnded
from device.store.store_url import open_store
from tests.device.events import write_raw
from tests.device.match_play import AGREED_TERMS

TABLES = [f"t{n}" for n in range(60)]


@pytest.fixture
def count_requests(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how often the store is asked for all of a kind, for what is new, for a stream anew."""
    request_counts = Counter[str]()
    of_kinds, stream = Store.of_kinds, Store.stream

    def count_of_kinds(
        store: Store, *kinds: type[Event], after: int = 0
    ) -> tuple[Envelope[Event], ...]:
        request_counts["newest" if after else "all"] += 1
        return of_kinds(store, *kinds, after=after)

    def events_of(store: Store, stream_id: str, after: int = 0) -> tuple[object, ...]:
        request_counts["new events" if after else "all events"] += 1
        return stream(store, stream_id, after)

    for name, counting in (("of_kinds", count_of_kinds), ("stream", events_of)):
        monkeypatch.setattr(Store, name, counting)
    return request_counts


def begin(matches: MatchRepository, table: str) -> str:
    return matches.at_table(table).begin(AGREED_TERMS)


def test_sixty_tables_and_a_long_past_cost_no_request_more(
    matches: MatchRepository, count_requests: Counter[str]
) -> None:
    """A table's match is found by the newest of all, and by what is new in that one.

    Sixty that are on at a time are all remembered. Eight were: the others were replayed anew.
    """
    for _ in range(3):
        for table in TABLES:
            begin(matches, table)
    matches_by_table = {table: matches.at_table(table).current() for table in TABLES}
    count_requests.clear()
    assert {table: matches.at_table(table).current() for table in TABLES} == matches_by_table
    assert count_requests == {"newest": 60, "new events": 60}
    begin(matches, TABLES[7])
    count_requests.clear()
    assert [t for t in TABLES if matches.at_table(t).current() != matches_by_table[t]] == [
        TABLES[7]
    ]
    assert count_requests["all"] == 0, "what was begun since is read alone"


def test_what_is_remembered_can_be_derived_again(matches: MatchRepository, store: Store) -> None:
    """Another process, or this one after a start, finds the same."""
    for number in range(48):
        begin(matches, TABLES[number % 5])
    fresh = NewestMatches(store)
    newest_matches = store.caches.get(NewestMatches)
    assert sorted(fresh.newest_ids()) == sorted(newest_matches.newest_ids()) == sorted(TABLES[:5])
    assert [fresh.newest_at_table(t) for t in TABLES] == [
        newest_matches.newest_at_table(t) for t in TABLES
    ]


@pytest.mark.parametrize("start_count", [1, 80])
def test_what_another_process_began_is_seen(
    store: Store, matches: MatchRepository, start_count: int
) -> None:
    """However many it began meanwhile."""
    begin(matches, "t0")
    with closing(Store(store.folder)) as other:
        other_matches = MatchRepository(other)
        match_ids = [begin(other_matches, f"t{n % 3}") for n in range(start_count)]
    assert matches.is_newest(match_ids[-1])
    assert all(matches.table_of(match) == f"t{n % 3}" for n, match in enumerate(match_ids))


def test_a_torn_beginning_hides_no_tables_match(matches: MatchRepository, store: Store) -> None:
    undamaged_match = begin(matches, "t1")
    write_raw(store, "torn", MatchBegun.kind, {"players": 4})
    current_match = matches.at_table("t1").current()
    assert current_match
    assert current_match.id == undamaged_match
    assert [each.stream for each in matches.at_table("t2").newest_errors()] == ["torn"]
    assert [each.stream for each in examine(store).torn_events] == ["torn"]


def test_of_two_processes_that_go_on_after_a_match_one_begins_the_next(
    either_store: Store, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has looked before the other wrote; the log takes one, and both are led to it."""
    first_matches = MatchRepository(either_store, "t1")
    ended_match = begin(first_matches, "t1")
    first_matches.change(ended_match, MatchEnded())
    before = either_store.caches.get(NewestMatches).newest_at_table("t1")
    with closing(open_store(either_store.folder, store_url)) as other:
        first = MatchRepository(other, "t1").begin(AGREED_TERMS, after=ended_match)
    monkeypatch.setattr(NewestMatches, "newest_at_table", lambda *_: before)
    second = first_matches.begin(structs.replace(AGREED_TERMS, limit=None), after=ended_match)
    assert first == second
    assert len(either_store.of_kinds(MatchBegun)) == 2


def test_no_match_is_left_out_of_the_list(matches: MatchRepository) -> None:
    match_ids = [begin(matches, table) for table in ("", "t1", "t2")]
    listed_matches = matches.list_page().matches
    assert [(each.id, each.table) for each in listed_matches] == [
        (match_ids[2], "t2"), (match_ids[1], "t1"), (match_ids[0], ""),
    ]  # fmt: skip


def start_event(*players: str) -> MatchBegun:
    return MatchBegun(players=players, ruleset="bmja", limit=1000, house=())


def test_every_table_shows_its_match_and_one_that_is_over_is_not_there(
    store: Store, matches: MatchRepository
) -> None:
    matches, tables = matches, ClubTables(store)
    assert running_matches(matches, tables) == ()
    matches.begin(start_event("Ann", "Bob", "Cy", "Di"))
    (only_match,) = running_matches(matches, tables)
    assert (only_match.table, only_match.match.game.players[0]) == ("", "Ann")
    window, door = tables.lay("By the window"), tables.lay("By the door")
    at_door = matches.at_table(door).begin(start_event("Eve", "Fay", "Gus", "Hal"))
    matches.at_table(window).begin(start_event("Ida", "Jo", "Kit", "Lou"))
    shown_players = [
        (each.table, each.match.game.players[0]) for each in running_matches(matches, tables)
    ]
    assert shown_players == [("", "Ann"), ("By the window", "Ida"), ("By the door", "Eve")]
    matches.at_table(door).change(at_door, MatchEnded())
    assert len(running_matches(matches, tables)) == 2
