"""What a request is answered from memory is what the log says."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing

import pytest

from device.hands.record import HandRecord
from device.hands.replay import HANDS
from device.store import Store
from device.store.answer_cache import MAX_NEW_EVENTS, Scope
from device.store.appending import append_if_unchanged
from device.store.events import (
    BOX,
    HandBegun,
    SetAdded,
    SetChosen,
    SettingChanged,
    TilesConfirmed,
)
from device.store.log import KindsSeen
from device.store.projection import Projector
from tests.device.query_record import record_queries

STREAMS = ("a", "b", "c")
EVENTS = (TilesConfirmed(), TilesConfirmed(by="Ann"), SettingChanged("camera_turned", True))


@pytest.fixture
def other(store: Store) -> Iterator[Store]:
    """Return another process's store of the same log."""
    with closing(Store(store.folder)) as other:
        yield other


def read_all(store: Store) -> list[object]:
    """Return what each kind of query says of everything."""
    return [
        *(store.stream(stream, after) for stream in STREAMS for after in range(4)),
        *(store.latest_of_stream(stream) for stream in STREAMS),
        *(store.latest(type(event)) for event in EVENTS),
        *(store.of_kinds(type(event), after=2) for event in EVENTS),
        *(store.newest_of_kinds(type(event), limit=2) for event in EVENTS),
        store.of_kinds(TilesConfirmed, SettingChanged),
        store.extents(STREAMS),
    ]


@pytest.mark.parametrize("seed", range(5))
def test_what_any_process_adds_is_seen_by_the_next_request(
    store: Store, other: Store, seed: int
) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        writer = rng.choice((store, other))
        for _ in range(rng.choice((0, 0, 1, 3))):
            writer.append(rng.choice(STREAMS), rng.choice(EVENTS))
        with store.answers.request():
            assert read_all(store) == read_all(other)
            store.append(rng.choice(STREAMS), rng.choice(EVENTS))
            assert read_all(store) == read_all(other), "its own event, too"


def test_more_events_than_are_looked_through_are_seen(store: Store, other: Store) -> None:
    with store.answers.request():
        read_all(store)
    with other.log.bulk_insert() as log:
        written_at = "2026-11-29T12:00:00+00:00"
        log.add(
            (n, "a", "tiles-confirmed", "{}", written_at) for n in range(1, MAX_NEW_EVENTS + 20)
        )
    with store.answers.request():
        assert read_all(store) == read_all(other)


def test_a_request_asks_once_what_is_new_and_repeats_no_query(store: Store) -> None:
    store.append("a", TilesConfirmed())
    with store.answers.request():
        read_all(store)
    with store.answers.request(), record_queries() as queries:
        read_all(store)
    assert len(queries) == 1
    store.append("a", TilesConfirmed())
    with store.answers.request(), record_queries() as queries:
        store.latest_of_stream("b")
        store.latest(SettingChanged)
    assert len(queries) == 1, "an event of a concerns neither"


def test_outside_a_request_the_log_itself_is_asked(store: Store) -> None:
    for _ in range(2):
        with record_queries() as queries:
            store.latest_of_stream("a")
        assert len(queries) == 1


def test_an_answer_that_another_request_has_overtaken_is_not_remembered(
    store: Store, other: Store
) -> None:
    """A request that took long would else bring back what was true when it asked."""
    scope, stale = Scope(streams=frozenset("a")), ("stale",)

    def ask_slowly() -> tuple[str, ...]:
        other.append("a", TilesConfirmed())
        store.answers.begin_request()  # another phone's, meanwhile
        store.answers.get("else", scope, lambda: ())
        return stale

    with store.answers.request():
        assert store.answers.get("slow", scope, ask_slowly) == stale
    with store.answers.request():
        assert store.answers.get("slow", scope, lambda: ("fresh",)) == ("fresh",)


def test_a_decision_reads_at_least_what_it_says_it_has_read(store: Store, other: Store) -> None:
    """Else two processes could give one name twice."""

    def attempt(_: KindsSeen) -> bool:
        return store.latest(SetChosen) is not None

    with store.answers.request():
        assert store.latest(SetChosen) is None
        other.append(BOX, SetChosen("ours"))
        assert append_if_unchanged(store, [SetChosen], attempt)


def test_a_change_is_decided_again_where_another_process_came_first(
    store: Store, other: Store
) -> None:
    projector, other_projector = Projector(store, HANDS), Projector(other, HANDS)
    projector.add("h", HandBegun(rules="bmja", seat_wind="E", prevailing_wind="E"))
    with store.answers.request():
        before = projector.get("h")
        other_projector.change("h", SetAdded(("B2", "B2", "B2"), "exposed"))
        records: list[HandRecord] = []
        projector.change("h", SetAdded(("C2", "C2", "C2"), "exposed"), records.append)
        assert [len(record.changes) for record in records] == [len(before.changes), 1]
        assert projector.get("h") == Projector(other, HANDS).get("h")


def test_what_was_appended_is_not_read_again(store: Store) -> None:
    hands = Projector(store, HANDS)
    hands.add("h", HandBegun(rules="bmja", seat_wind="E", prevailing_wind="E"))
    with store.answers.request(), record_queries() as queries:
        hands.get("h")
        hands.change("h", SetAdded(("B2", "B2", "B2"), "exposed"))
        record = hands.get("h")
    assert len(queries) <= 3, "what is new, before and after, and the hand at most once"
    assert record == Projector(store, HANDS).get("h"), "number and time as in the log"
