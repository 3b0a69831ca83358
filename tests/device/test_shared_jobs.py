"""Workers of one database: each photograph is read once, whichever of them are killed."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import pytest

from device.hands.repository import HandRepository
from device.job_handlers import MAX_READING_ATTEMPTS, JobKind
from device.jobs import PhotoQueue
from device.matches.repository import MatchRepository, open_hands
from device.matches.table_photo import TablePhotos
from device.services import open_services
from device.store import DiskFullError, Store, StoreError, UnwritableError
from device.store.errors import UnreachableError
from device.store.events import PhotoFailed, ReadingBegun, ReadingFailed, ReadingMade, TableFailed
from device.store.store_url import open_store
from device.tilesets.tile_sets import FIRST_SET_ID
from tests.device.fake_camera import wait_until
from tests.device.fake_reader import FakeReader, picture
from tests.device.match_play import AGREED_TERMS
from tests.device.shared_decoder import DECODER
from tests.postgresql import PostgresqlServer
from vision.photo import Photo, open_photo
from vision.reading import LooseTiles, Reading


@contextmanager
def process(
    database: str, folder: Path, reader: FakeReader, *, works: bool = True
) -> Iterator[tuple[HandRepository, PhotoQueue]]:
    """Have what a process of its own has of a database."""
    with (
        closing(open_store(folder, database)) as store,
        closing(open_services(store, reader, DECODER, works=works)) as services,
    ):
        yield services.hands, services.jobs
        reader.go_on.set()


def begin_hand(hands: HandRepository) -> str:
    data = picture(FakeReader().reading)
    return hands.begin(open_photo(data, "hand.jpg"), data, "bmja")


def read_times(store: Store, hand: str) -> tuple[int, int]:
    """Return how often a hand was read, and how often that was given up."""
    events = [each.event for each in store.events(hand)]
    return (
        sum(isinstance(each, ReadingMade) for each in events),
        sum(isinstance(each, ReadingFailed) for each in events),
    )


def test_one_process_asks_and_another_reads(database: str, tmp_path: Path) -> None:
    reader = FakeReader()
    reader.go_on.clear()
    with (
        process(database, tmp_path / "page", FakeReader(), works=False) as (hands, page),
        process(database, tmp_path / "worker", reader) as (_, worker),
    ):
        hand = begin_hand(hands)
        assert (page.stage(hand), page.is_reading) == (None, False)
        page.submit("hand", hand)
        page.submit("hand", hand)  # asked for twice, it is read once
        wait_until(lambda: page.stage(hand) == "locate")
        assert (worker.stage(hand), page.is_reading) == ("locate", True)
        reader.go_on.set()
        wait_until(lambda: page.stage(hand) is None)
        assert hands.get(hand).is_read
        assert read_times(hands.store, hand) == (1, 0)


def test_many_workers_read_each_photograph_once(database: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        pairs = [
            stack.enter_context(process(database, tmp_path / str(n), FakeReader()))
            for n in range(3)
        ]
        hands = pairs[0][0]
        ids = [begin_hand(hands) for _ in range(12)]
        with ThreadPoolExecutor(6) as threads:
            list(threads.map(lambda n: pairs[n % 3][1].submit("hand", ids[n % 12]), range(36)))
        wait_until(lambda: not pairs[0][1].is_reading)
        assert [read_times(hands.store, each) for each in ids] == [(1, 0)] * 12
        assert len(hands.store.of_kinds(ReadingBegun)) == 12


def test_one_process_reads_while_another_is_at_a_photograph(database: str, tmp_path: Path) -> None:
    slow = FakeReader()
    slow.go_on.clear()
    with (
        process(database, tmp_path / "slow", slow) as (hands, first),
        process(database, tmp_path / "other", FakeReader(), works=False) as (_, page),
    ):
        busy_hand, free = begin_hand(hands), begin_hand(hands)
        page.submit("hand", busy_hand)
        wait_until(lambda: first.stage(busy_hand) == "locate")
        page.submit("hand", free)
        with process(database, tmp_path / "free", FakeReader()):
            wait_until(lambda: hands.get(free).is_read)
        assert not hands.get(busy_hand).is_read
        slow.go_on.set()
        wait_until(lambda: hands.get(busy_hand).is_read)


def test_what_was_kept_without_its_row_is_read_too(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever took the photograph was stopped before it could ask for the reading."""
    monkeypatch.setattr("device.shared_jobs.LOG_SEARCH_INTERVAL_S", 0.2)
    with process(database, tmp_path / "box", FakeReader()) as (hands, _):
        hand = begin_hand(hands)
        wait_until(lambda: read_times(hands.store, hand) == (1, 0))


def test_a_server_that_goes_and_comes_back_costs_no_reading(
    postgresql: PostgresqlServer, database: str, tmp_path: Path
) -> None:
    reader = FakeReader()
    reader.go_on.clear()
    with process(database, tmp_path / "box", reader) as (hands, jobs):
        hand = begin_hand(hands)
        jobs.submit("hand", hand)
        wait_until(lambda: jobs.stage(hand) == "locate")
        postgresql.stop(signal.SIGQUIT)
        reader.go_on.set()
        time.sleep(0.3)  # what was read cannot be written down
        postgresql.start()
        wait_until(lambda: hands.store.log.answers and read_times(hands.store, hand) == (1, 0))


def test_a_server_that_hangs_holds_no_worker_and_costs_no_reading(
    postgresql: PostgresqlServer, database: str, tmp_path: Path
) -> None:
    reader, is_free = FakeReader(), threading.Event()
    reader.go_on.clear()
    with process(database, tmp_path / "box", reader) as (hands, jobs):
        hand = begin_hand(hands)
        jobs.submit("hand", hand)
        wait_until(lambda: jobs.stage(hand) == "locate")
        postgresql.freeze()
        try:
            reader.go_on.set()
            jobs.use_reader("what needs no store", lambda _: is_free.set(), lambda _: None)
            assert is_free.wait(10), "what was read could not be written down, and it went on"
        finally:
            postgresql.thaw()
        wait_until(lambda: hands.store.log.answers and read_times(hands.store, hand) == (1, 0))


class CutOff(FakeReader):
    """Has no line to the database while it looks at its first photographs."""

    def __init__(self, error: StoreError, times: int) -> None:
        super().__init__()
        self.errors = [error] * times

    def _cut_off(self) -> None:
        if self.errors:
            raise self.errors.pop()

    def read(
        self, photo: Photo, rules: str = "bmja", progress: Callable[[str], None] | None = None
    ) -> Reading:
        self._cut_off()
        return super().read(photo, rules, progress)

    def read_set(self, photo: Photo, progress: Callable[[str], None] | None = None) -> LooseTiles:
        self._cut_off()
        return super().read_set(photo, progress)


OUTAGES = 2 * MAX_READING_ATTEMPTS


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (UnreachableError("gone"), "a server that is killed, again and again"),
        (UnwritableError("standby"), "a server that can be read only for a while"),
        (DiskFullError(), "a server whose disk is full for a while"),
    ],
)
@pytest.mark.parametrize("processes", [1, 2])
def test_no_outage_of_the_store_is_an_attempt_at_reading(
    database: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: StoreError,
    reason: str,
    processes: int,
) -> None:
    monkeypatch.setattr("device.shared_jobs.POLL_INTERVAL_S", 0.05)
    with ExitStack() as stack:
        hands, page = stack.enter_context(
            process(database, tmp_path / "page", FakeReader(), works=False)
        )
        hand = begin_hand(hands)
        page.submit("hand", hand)
        for number in range(processes):
            worker = CutOff(error, OUTAGES // processes)
            stack.enter_context(process(database, tmp_path / f"{number}", worker))
        wait_until(lambda: any(read_times(hands.store, hand)))
        assert read_times(hands.store, hand) == (1, 0), reason


def test_an_outage_is_none_for_any_kind_of_photograph(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.shared_jobs.POLL_INTERVAL_S", 0.05)
    reader = CutOff(UnreachableError("gone"), 0)
    data = picture(reader.reading)
    photo = open_photo(data, "hand.jpg")
    with (
        closing(open_store(tmp_path / "box", database)) as store,
        closing(open_services(store, reader, DECODER)) as services,
    ):
        matches, sets, tables = (
            MatchRepository(store), services.sets, TablePhotos(services.hands)
        )  # fmt: skip
        hand = begin_hand(services.hands)
        services.jobs.submit("hand", hand)
        wait_until(lambda: services.hands.get(hand).is_read)
        services.hands.add_photo(hand, photo, data)
        table_photo = tables.begin(matches.get(matches.begin(AGREED_TERMS)), "phone", photo, data)
        registration = sets.registrations.begin(FIRST_SET_ID, photo, data)
        awaited_jobs: dict[JobKind, tuple[str, Callable[[], bool]]] = {
            "added-photo": (hand, lambda: services.hands.get(hand).awaited_photo is None),
            "whole-table": (table_photo, lambda: tables.get(table_photo).is_read),
            "registration": (
                registration, lambda: sets.registrations.get(registration).awaited_photo is None
            ),
        }  # fmt: skip
        for kind, (job_id, is_over) in awaited_jobs.items():
            reader.errors = [UnreachableError("gone")] * OUTAGES
            services.jobs.submit(kind, job_id)
            wait_until(is_over)
            assert not reader.errors, kind
        (photo_of_set,) = sets.registrations.get(registration).photos
        assert photo_of_set.tiles, "it was read, not given up"
        assert not store.of_kinds(PhotoFailed, ReadingFailed, TableFailed)


def test_a_reading_that_crashes_its_process_is_still_given_up(
    database: str, tmp_path: Path
) -> None:
    with closing(open_store(tmp_path / "dead", database)) as store:
        hand = begin_hand(open_hands(store))
        for _ in range(MAX_READING_ATTEMPTS):  # a process that was killed leaves just this behind
            open_hands(store).change(hand, ReadingBegun())
    with process(database, tmp_path / "box", FakeReader()) as (hands, jobs):
        jobs.submit("hand", hand)
        wait_until(lambda: any(read_times(hands.store, hand)))
        assert read_times(hands.store, hand) == (0, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kills", "photos"), [(2, 6), pytest.param(60, 200, marks=pytest.mark.prove)]
)
def test_workers_that_are_killed_leave_no_photograph_unread(
    database: str, tmp_path: Path, kills: int, photos: int
) -> None:
    """Real processes, ended by SIGKILL at random moments and started again."""
    rng = random.Random(5)
    with closing(open_store(tmp_path / "page", database)) as store:
        services = open_services(store, FakeReader(), DECODER, works=False)
        hands, page = services.hands, services.jobs
        ids = [begin_hand(hands) for _ in range(photos)]
        workers = [_worker(database, tmp_path / f"w{n}") for n in range(2)]
        try:
            for each in ids:
                page.submit("hand", each)
            for n in range(kills):
                time.sleep(rng.uniform(0.02, 0.3))
                _kill(workers[n % 2])
                workers[n % 2] = _worker(database, tmp_path / f"w{n % 2}")
            wait_until(lambda: not page.is_reading)
        finally:
            for worker in workers:
                _kill(worker)
            page.close()
        read_counts = [read_times(store, each) for each in ids]
        # One that a kill met twice counts as a photograph that ends its reader, and is told so.
        assert all(sum(each) == 1 for each in read_counts), read_counts
        assert sum(failed for _, failed in read_counts) <= kills // 2


def _worker(database: str, folder: Path) -> subprocess.Popen[str]:
    worker = subprocess.Popen(
        [sys.executable, "-m", "tests.device.sharing_worker", database, str(folder)],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert worker.stdout
    assert worker.stdout.readline() == "ready\n"
    return worker


def _kill(worker: subprocess.Popen[str]) -> None:
    worker.kill()
    worker.communicate()


def test_phones_at_two_processes_see_the_same_within_a_moment(
    database: str, tmp_path: Path
) -> None:
    with (
        process(database, tmp_path / "a", FakeReader(), works=False) as (first_phone, _),
        process(database, tmp_path / "b", FakeReader(), works=False) as (second_phone, _),
    ):
        seen_seq = second_phone.store.newer(-1, 0)
        is_found = threading.Event()

        def look() -> None:
            if second_phone.store.newer(seen_seq, 2.0) > seen_seq:
                is_found.set()

        listener = threading.Thread(target=look)
        listener.start()
        hand = begin_hand(first_phone)
        listener.join()
        assert is_found.is_set(), "no phone is stale for more than 2 s"
        assert second_phone.get(hand).photo == first_phone.get(hand).photo


class Slow(FakeReader):
    """Takes as long for a photograph as a server takes to be killed."""

    def read(
        self, photo: Photo, rules: str = "bmja", progress: Callable[[str], None] | None = None
    ) -> Reading:
        time.sleep(0.2)
        return super().read(photo, rules, progress)


@pytest.mark.prove
def test_a_database_that_is_killed_again_and_again_costs_no_photograph(
    postgresql: PostgresqlServer, database: str, tmp_path: Path
) -> None:
    rng = random.Random(7)
    with ExitStack() as stack:
        hands, page = stack.enter_context(
            process(database, tmp_path / "page", FakeReader(), works=False)
        )
        ids = [begin_hand(hands) for _ in range(85)]
        for each in ids:
            page.submit("hand", each)
        for number in range(3):
            stack.enter_context(process(database, tmp_path / f"{number}", Slow()))
        for _ in range(8):
            time.sleep(rng.uniform(0.05, 1.5))
            postgresql.stop(signal.SIGQUIT)
            time.sleep(rng.uniform(0.0, 0.5))
            postgresql.start()
        for _ in range(6):  # some photographs take longer than one wait lasts
            with suppress(AssertionError):
                wait_until(lambda: hands.store.log.answers and not page.is_reading)
        assert [read_times(hands.store, each) for each in ids] == [(1, 0)] * len(ids)
