"""What holds of the log and of the pictures in both stores: SQLite's and PostgreSQL's."""

from __future__ import annotations

import math
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from device.store import Store, StoreError
from device.store.errors import ConcurrentChangeError
from device.store.events import (
    ChangeUndone,
    EventError,
    HandBegun,
    ReadingMade,
    SetBegun,
    SetChosen,
    TilesConfirmed,
)
from device.store.store_url import open_store
from vision.reading import Timings

SOME_EVENT = SetChosen("first")


def test_events_come_back_in_order_and_by_stream(either_store: Store) -> None:
    numbers = [either_store.append(hand, ChangeUndone(n)) for n, hand in enumerate("abaab")]
    assert numbers == sorted(numbers)
    assert [(each.seq, each.event) for each in either_store.events("a")] == [
        (numbers[n], ChangeUndone(n)) for n in (0, 2, 3)
    ]
    assert either_store.events("nobody") == ()
    assert [each.seq for each in either_store.stream("a", after=numbers[0])] == [
        numbers[2],
        numbers[3],
    ]


def test_hands_are_listed_newest_first_by_their_beginning(either_store: Store) -> None:
    hand_start = HandBegun(rules="bmja", seat_wind="E", prevailing_wind="E")
    for stream, event in (
        ("old", hand_start),
        ("new", hand_start),
        ("old", TilesConfirmed()),
        ("box", SOME_EVENT),
    ):
        either_store.append(stream, event)
    assert either_store.hands(10) == either_store.hands(-1) == ("new", "old")
    assert either_store.hands(1) == ("new",)


def test_everything_survives_a_restart(store_url: str, tmp_path: Path) -> None:
    with closing(open_store(tmp_path / "box", store_url)) as first:
        name = first.keep_photo(b"pixels", ".jpg")
        first.append("a", SetBegun("甲乙", "Ø 🀄 \U0001f004"))
        first.keep_crop("first", b"a tile")
    with closing(open_store(tmp_path / "box", store_url)) as reopened_store:
        assert reopened_store.events("a")[0].event == SetBegun("甲乙", "Ø 🀄 \U0001f004")
        assert reopened_store.photo(name) == b"pixels"
        assert [reopened_store.crop("first", c) for c in reopened_store.crops("first")] == [
            b"a tile"
        ]


@pytest.mark.parametrize(
    ("after", "is_kept", "reason"),
    [
        (None, True, "nothing was decided on"),
        (0, False, "it has begun"),
        (1, False, "somebody else has done something since"),
        (2, True, "what it was decided on is the newest"),
        (9, False, "that is none of this stream's"),
    ],
)
def test_an_event_names_what_it_was_decided_on(
    either_store: Store, after: int | None, is_kept: bool, reason: str
) -> None:
    numbers = [either_store.append("a", SetChosen(str(n))) for n in range(2)]
    other = either_store.append("b", SOME_EVENT)
    seen_number = {None: None, 0: 0, 1: numbers[0], 2: numbers[1], 9: other}[after]
    if is_kept:
        assert either_store.append("a", SOME_EVENT, after=seen_number) > other, reason
    else:
        with pytest.raises(ConcurrentChangeError):
            either_store.append("a", SOME_EVENT, after=seen_number)
    assert len(either_store.events("a")) == 2 + is_kept


def test_of_many_that_were_decided_on_the_same_one_is_kept(either_store: Store) -> None:
    def attempt(n: int) -> bool:
        try:
            either_store.append("a", SetChosen(str(n)), after=0)
        except ConcurrentChangeError:
            return False
        return True

    with ThreadPoolExecutor(12) as threads:
        assert sum(threads.map(attempt, range(48))) == 1
    assert len(either_store.events("a")) == 1


def test_who_has_seen_a_number_has_seen_all_below_it(either_store: Store) -> None:
    """While many write, nobody reads an event before one of a lower number."""
    stop = threading.Event()
    snapshots: list[tuple[int, ...]] = []

    def look() -> None:
        while not stop.is_set():
            snapshots.append(tuple(each.seq for each in either_store.of_kinds(SetChosen)))

    watcher = threading.Thread(target=look)
    watcher.start()
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda n: either_store.append(f"s{n % 5}", SetChosen(str(n))), range(120)))
    stop.set()
    watcher.join()
    final = tuple(each.seq for each in either_store.of_kinds(SetChosen))
    assert len(final) == 120
    assert all(found == final[: len(found)] for found in snapshots)


def test_what_json_cannot_hold_is_not_kept(either_store: Store) -> None:
    times = Timings(1.0, 2.0, 3.0, 4.0, math.nan)
    reading = ReadingMade("a.jpg", 4, 3, (), (), "", (), times)
    with pytest.raises(EventError, match="ms"):
        either_store.append("a", reading)
    assert either_store.events("a") == ()


def test_lists_tallies_and_extents(either_store: Store) -> None:
    first = either_store.append("a", TilesConfirmed())
    last = either_store.append("a", ChangeUndone(first))
    either_store.append("b", SOME_EVENT)
    assert either_store.tally() == {"tiles-confirmed": 1, "change-undone": 1, "set-chosen": 1}
    extent = either_store.extents(["a", "nobody"])
    assert extent.keys() == {"a"}
    assert extent["a"][:2] == (last, 2)
    assert extent["a"].at == either_store.raw_rows("a")[-1][-1]
    assert [
        each.seq for each in either_store.newest_of_kinds(ChangeUndone, TilesConfirmed, limit=5)
    ] == [
        last,
        first,
    ]
    last_event = either_store.latest_of_stream("a")
    assert last_event is not None
    assert last_event.event == ChangeUndone(first)
    assert either_store.with_event(TilesConfirmed, SetChosen, limit=0) == ()
    assert list(either_store.find_torn()) == []
    either_store.try_write()


def test_pictures_are_kept_once_and_go(either_store: Store) -> None:
    assert either_store.keep_photo(b"same") == (name := either_store.keep_photo(b"same"))
    jpeg = either_store.keep_photo(b"x" * 100_000, ".jpg")
    assert (either_store.photo_size(jpeg), either_store.photo_size("0" * 64 + ".jpg")) == (
        100_000,
        0,
    )
    assert either_store.delete_photo(jpeg) == 100_000
    assert either_store.delete_photo(jpeg) == 0
    assert either_store.photo(name) == b"same"
    with pytest.raises(StoreError, match="not in the data folder"):
        either_store.photo(jpeg)


@pytest.mark.parametrize("name", ["../events.sqlite3", "' OR 1=1 --"])
def test_no_name_leads_elsewhere(either_store: Store, name: str) -> None:
    either_store.keep_photo(b"pixels")
    either_store.keep_crop("first", b"pixels")
    for ask in (either_store.photo, lambda each: either_store.crop(each, each)):
        with pytest.raises(StoreError, match="not in the data folder"):
            ask(name)
    assert (
        either_store.photo_size(name),
        either_store.delete_photo(name),
        either_store.crops(name),
    ) == (
        0,
        0,
        frozenset(),
    )


def test_who_waits_hears_of_news_at_once(either_store: Store) -> None:
    version = either_store.newer(-1, 0)
    threading.Timer(0.1, either_store.append, ("a", SOME_EVENT)).start()
    start = time.monotonic()
    assert either_store.newer(version, 20) > version
    assert time.monotonic() - start < 10, "or it waited for nothing"
