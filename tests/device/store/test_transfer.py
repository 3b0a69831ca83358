"""All of a store carried into another: both ways, whole and verified, or as if nothing had been."""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.cli import main
from device.hands.repository import HandRepository
from device.matches.repository import open_hands
from device.store import Store, StoreError, queries
from device.store.data_folder import ServingLock
from device.store.events import Event, TilesConfirmed
from device.store.log import BulkInsert
from device.store.postgresql_log import CONNECTION_OPTIONS, PostgresqlLog
from device.store.store_url import open_store
from device.store.transfer import move_store
from tests.device.command import output_of, refusal_of
from tests.device.events import write_raw
from tests.device.fake_reader import FakeReader, picture
from tests.device.store.test_events import EVENTS
from tests.device.store.test_store_formats import EARLIER, begin, rows
from tests.postgresql import PostgresqlServer
from vision.photo import open_photo

NewUrl = Callable[[str], str]


@pytest.fixture
def new_url(postgresql: PostgresqlServer, tmp_path: Path) -> NewUrl:
    """Return a maker of URLs of empty stores, by the engine's name."""
    numbers = iter(range(1000))

    def make(engine: str) -> str:
        if engine == "postgresql":
            return postgresql.database()
        return f"sqlite:///{tmp_path}/box-{next(numbers)}/events.sqlite3"

    return make


def all_of(store: Store) -> tuple[list[tuple[object, ...]], dict[tuple[str, ...], bytes]]:
    """Return every row and every picture."""
    pictures = {place: store.pictures.read(place) for place in store.pictures.places()}
    return store.log.rows(queries.EVENT_ROWS.order_by("seq")), pictures


def fill_store(store: Store) -> HandRepository:
    """Play a little: a hand with its photograph, a tile set's picture, what no catalogue knows."""
    hands = open_hands(store)
    data = picture(FakeReader().reading)
    hands.begin(open_photo(data, "hand.jpg"), data, "bmja")
    store.keep_crop("first", b"a tile")
    for n in range(3):
        store.append(f"s{n}", TilesConfirmed())
    return hands


BOTH_WAYS = [("sqlite", "postgresql"), ("postgresql", "sqlite")]


@pytest.mark.parametrize(("source", "target"), BOTH_WAYS)
def test_all_is_there_again_and_goes_on(
    new_url: NewUrl, tmp_path: Path, source: str, target: str
) -> None:
    source_url, target_url = new_url(source), new_url(target)
    with closing(open_store(tmp_path / "own", source_url)) as store:
        fill_store(store)
        before = all_of(store)
    assert f"{len(before[0])} events and {len(before[1])} pictures" in output_of(
        "move", "--from", source_url, "--to", target_url
    )
    with closing(open_store(tmp_path / "own", target_url)) as moved_store:
        assert all_of(moved_store) == before
        assert moved_store.append("new", TilesConfirmed()) == before[0][-1][0] + 1  # type: ignore[operator]
    with closing(open_store(tmp_path / "own", source_url)) as store:
        assert all_of(store) == before, "where they came from nothing was changed"


@given(events=st.lists(st.tuples(st.sampled_from("abc"), EVENTS), max_size=12))
@settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_happened_comes_back_the_same(
    new_url: NewUrl, tmp_path: Path, events: list[tuple[str, Event]]
) -> None:
    with ExitStack() as stack:
        first, second, third = (
            stack.enter_context(closing(open_store(tmp_path / "own", new_url(engine))))
            for engine in ("sqlite", "postgresql", "sqlite")
        )
        for stream, event in events:
            first.append(stream, event)
        forward_url, return_url = move_store(first, second), move_store(second, third)
        assert forward_url == return_url
        assert all_of(third) == all_of(first)


def test_what_makes_no_sense_is_carried_as_it_is(new_url: NewUrl, tmp_path: Path) -> None:
    with (
        closing(open_store(tmp_path / "own", new_url("sqlite"))) as store,
        closing(open_store(tmp_path / "own", new_url("postgresql"))) as target,
    ):
        write_raw(store, "later", "kind-of-a-newer-version", {"new": "甲"})
        move_store(store, target)
        assert [str(each) for each in target.find_torn()] == [
            str(each) for each in store.find_torn()
        ]
        assert len(list(target.find_torn())) == 1, "an event of a newer version is refused in words"


class PowerCutError(StoreError):
    """The power was cut."""


def _breaks(after: int) -> Callable[..., object]:
    """Return what fails once it was called so often."""
    calls = iter(range(after))

    def work(real: Callable[..., object], *arguments: object) -> object:
        if next(calls, None) is None:
            raise PowerCutError
        return real(*arguments)

    return work


@pytest.mark.parametrize(
    ("source", "target", "step", "after", "reason"),
    [
        (*BOTH_WAYS[0], "device.store.pictures.FolderPictures.read", 1, "while pictures are read"),
        (*BOTH_WAYS[0], "device.store.log.BulkInsert.add", 0, "before the rows"),
        (*BOTH_WAYS[0], "device.store.log.BulkInsert.rows", 0, "before they are read back"),
        (*BOTH_WAYS[1], "device.store.log.BulkInsert.rows", 0, "and so the other way"),
    ],
)
def test_a_half_carried_move_leaves_all_as_it_was_and_can_be_done_again(
    new_url: NewUrl,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    target: str,
    step: str,
    after: int,
    reason: str,
) -> None:
    source_url, target_url = new_url(source), new_url(target)
    with closing(open_store(tmp_path / "own", source_url)) as store:
        fill_store(store)
        before = all_of(store)
        with closing(open_store(tmp_path / "own", target_url)) as half:
            with monkeypatch.context() as patch:
                module, name, method = step.rsplit(".", 2)
                kind = getattr(__import__(module, fromlist=[name]), name)
                real, work = getattr(kind, method), _breaks(after)
                patch.setattr(kind, method, lambda *arguments: work(real, *arguments))
                with pytest.raises(PowerCutError):
                    move_store(store, half)
            assert all_of(store) == before, reason
            assert all_of(half)[0] == [], reason
            move_store(store, half)
            assert all_of(half) == before


def test_rows_that_come_as_others_are_not_kept(
    new_url: NewUrl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        closing(open_store(tmp_path / "own", new_url("sqlite"))) as store,
        closing(open_store(tmp_path / "own", new_url("postgresql"))) as target,
    ):
        fill_store(store)
        monkeypatch.setattr("device.store.log.BulkInsert.rows", _less_one)
        with pytest.raises(StoreError, match="have come, or others"):
            move_store(store, target)
        assert all_of(target)[0] == []


def _less_one(_: object) -> Iterator[tuple[object, ...]]:
    yield (1, "another", "kind", "{}", "now")


@pytest.mark.parametrize("version", EARLIER)
def test_a_log_of_each_earlier_format_goes_to_a_database(
    new_url: NewUrl, tmp_path: Path, version: int
) -> None:
    begin(tmp_path / "old", version)
    before = rows(tmp_path / "old" / "events.sqlite3")
    target_url = new_url("postgresql")
    assert (
        main(["move", "--from", f"sqlite:///{tmp_path}/old/events.sqlite3", "--to", target_url])
        == 0
    )
    with closing(open_store(tmp_path / "own", target_url)) as moved_store:
        assert all_of(moved_store)[0] == before


def _with_an_event(folder: Path) -> None:
    with closing(Store(folder)) as store:
        store.append("a", TilesConfirmed())


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (_with_an_event, "events already"),
        (ServingLock, "is open already"),
    ],
)
def test_a_store_that_is_in_use_is_refused_in_words(
    tmp_path: Path, make: Callable[[Path], object], says: str
) -> None:
    with closing(Store(tmp_path / "from")) as store:
        store.append("a", TilesConfirmed())
    (tmp_path / "to").mkdir()
    holder = make(tmp_path / "to")
    urls = [f"sqlite:///{tmp_path}/{name}/events.sqlite3" for name in ("from", "to")]
    assert says in refusal_of("move", "--from", urls[0], "--to", urls[1])
    if isinstance(holder, ServingLock):
        holder.close()


@pytest.mark.parametrize("end", ["from", "to"])
def test_a_database_whose_pages_run_is_refused_until_they_end(
    new_url: NewUrl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """A page is seen from its start, also where its listening thread has had no time yet."""
    hear = PostgresqlLog._hear
    monkeypatch.setattr(
        PostgresqlLog, "_hear", lambda log, *rest: log._closing.wait() and hear(log, *rest)
    )
    urls = {"from": new_url("postgresql"), "to": new_url("postgresql")}
    with closing(open_store(tmp_path / "own", urls["from"])) as store:
        fill_store(store)
    move = ["move", "--from", urls["from"], "--to", urls["to"]]
    with closing(open_store(tmp_path / "page", urls[end])):
        error_text = refusal_of(*move)
        assert f"{socket.gethostname()[:32]} {os.getpid()}). Please stop all pages" in error_text
    with closing(open_store(tmp_path / "own", urls["to"])) as store:
        assert all_of(store) == ([], {}), "nothing was moved"
    assert main(move) == 0


def test_a_page_that_starts_while_all_is_carried_over_is_noticed(
    new_url: NewUrl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source_url, target_url = new_url("postgresql"), new_url("sqlite")
    with ExitStack() as stack:
        source, target = (
            stack.enter_context(closing(open_store(tmp_path / "own", url)))
            for url in (source_url, target_url)
        )
        fill_store(source)
        add = BulkInsert.add

        def add_while_a_page_starts(fill: BulkInsert, rows: Iterable[tuple[object, ...]]) -> None:
            page = stack.enter_context(closing(open_store(tmp_path / "page", source_url)))
            assert page.events_after(0, 1)
            add(fill, rows)

        monkeypatch.setattr(BulkInsert, "add", add_while_a_page_starts)
        with pytest.raises(StoreError, match="Please stop all pages"):
            move_store(source, target)
        assert target.events_after(0, 10) == ()


def test_a_source_that_is_not_there_is_refused_and_not_made(tmp_path: Path) -> None:
    urls = [f"sqlite:///{tmp_path}/{name}/events.sqlite3" for name in ("from", "to")]
    assert "No box keeps its data" in refusal_of("move", "--from", urls[0], "--to", urls[1])
    assert not (tmp_path / "from").exists()


def test_the_source_takes_nothing_while_it_is_read(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event that was added in between would be missing in what was carried over."""
    monkeypatch.setitem(CONNECTION_OPTIONS, "options", "-c lock_timeout=200ms")
    with (
        closing(open_store(tmp_path / "a", database)) as source,
        closing(open_store(tmp_path / "b", database)) as other,
        source.log.hold_writers(),
        pytest.raises(StoreError),
    ):
        other.append("late", TilesConfirmed())


def test_pictures_may_lie_in_a_folder_that_all_share(database: str, tmp_path: Path) -> None:
    photo_folder = tmp_path / "shared"
    with closing(open_store(tmp_path / "a", database, photo_folder)) as first_store:
        name = first_store.keep_photo(b"pixels", ".jpg")
    assert (photo_folder / "photos" / name).read_bytes() == b"pixels"
    with closing(open_store(tmp_path / "b", database, photo_folder)) as other:
        assert other.photo(name) == b"pixels"
    with pytest.raises(StoreError, match="leave out --photos"):
        open_store(tmp_path / "c", "", photo_folder)


def test_sqlite_has_its_numbers_after_a_move(tmp_path: Path) -> None:
    """AUTOINCREMENT goes on from what came, so that no number is given twice."""
    with closing(Store(tmp_path / "a")) as first_store, closing(Store(tmp_path / "b")) as other:
        for _ in range(3):
            first_store.append("a", TilesConfirmed())
        move_store(first_store, other)
    with closing(sqlite3.connect(tmp_path / "b" / "events.sqlite3")) as db:
        assert db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'events'").fetchone() == (
            3,
        )
