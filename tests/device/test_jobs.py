"""The worker: one photograph after another, whatever happens to any of them."""

from __future__ import annotations

import errno
import logging
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from device import jobs as jobs_module
from device.hands.repository import HandRepository
from device.job_handlers import MAX_READING_ATTEMPTS
from device.jobs import MAX_WAITING_PHOTOS, PhotoQueue
from device.services import open_services
from device.store import DiskFullError, Store, StoreError, UnwritableError
from device.store.data_folder import ServingLock
from device.store.events import Event, ReadingAsked, ReadingBegun, ReadingFailed, ReadingMade
from scorer.message import plain_text
from tests.device.conftest import Wait
from tests.device.fake_camera import wait_until
from tests.device.fake_reader import FakeReader, picture
from tests.device.shared_decoder import DECODER
from tests.vision.laid_hand import read_rows
from vision.errors import PhotoError
from vision.photo import open_photo
from vision.reading import Reading


def test_a_photo_is_read_and_the_stages_are_told(
    jobs: PhotoQueue, unread_hand: str, wait_settled: Wait, reader: FakeReader
) -> None:
    reader.go_on.clear()
    jobs.submit("hand", unread_hand)
    assert jobs.stage(unread_hand) in ("waiting", "locate")
    reader.go_on.set()
    assert wait_settled(unread_hand).reading is not None
    assert jobs.stage("another") is None


@pytest.mark.parametrize(
    ("fault", "code", "log_text", "reason"),
    [
        (
            PhotoError("too-dark", plain_text("It is too dark.")),
            "too-dark",
            False,
            "the player's to mend",
        ),
        (RuntimeError("boom"), "fault", True, "ours to mend, so it is logged"),
    ],
)
def test_a_fault_becomes_a_sentence_and_the_worker_goes_on(
    jobs: PhotoQueue,
    hands: HandRepository,
    unread_hand: str,
    wait_settled: Wait,
    reader: FakeReader,
    caplog: pytest.LogCaptureFixture,
    fault: Exception,
    code: str,
    log_text: bool,
    reason: str,
) -> None:
    reader.fault = fault
    with caplog.at_level(logging.ERROR):
        jobs.submit("hand", unread_hand)
        failure = wait_settled(unread_hand).failure
    assert failure is not None
    assert failure.code == code
    assert "boom" not in failure.text
    assert ("boom" in caplog.text) == log_text, reason
    reader.fault = None
    hands.change(unread_hand, ReadingAsked())
    jobs.submit("hand", unread_hand)
    wait_until(lambda: not jobs.stage(unread_hand))
    assert wait_settled(unread_hand).is_read


def test_a_hand_goes_on_being_busy_with_the_photo_that_was_sent_while_one_was_read(
    jobs: PhotoQueue,
    hands: HandRepository,
    read_hand: str,
    reader: FakeReader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its page would stop watching otherwise, and never show what the second one brought."""
    reading_begun, may_end = threading.Semaphore(0), threading.Semaphore(0)

    def read(*_: object, **__: object) -> Reading:
        reading_begun.release()
        assert may_end.acquire(timeout=20)
        return reader.reading

    monkeypatch.setattr(reader, "read", read)
    data = picture(reader.reading)
    for name in ("second.jpg", "third.jpg"):
        hands.add_photo(read_hand, open_photo(data, name), data)
        jobs.submit("added-photo", read_hand)
    assert reading_begun.acquire(timeout=20)
    may_end.release()
    assert reading_begun.acquire(timeout=20), "the first of them is done, the next is being read"
    assert jobs.stage(read_hand) is not None
    may_end.release()
    wait_until(lambda: not jobs.stage(read_hand))
    assert hands.get(read_hand).awaited_photo is None


def test_the_queue_has_a_limit(jobs: PhotoQueue, unread_hand: str, reader: FakeReader) -> None:
    reader.go_on.clear()
    assert jobs.has_room
    for hand in range(MAX_WAITING_PHOTOS):
        jobs.submit("hand", f"{unread_hand}{hand}")
    assert not jobs.has_room


def test_the_page_shows_what_was_read_while_it_was_asked_for(
    client: FlaskClient,
    jobs: PhotoQueue,
    hands: HandRepository,
    read_hand: str,
    reader: FakeReader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A page that is neither busy nor up to date would stay so: nothing asks for it again."""
    reader.reading = read_rows(("B9 B9 B9 | C1 C2 C3", "O4 O5 O6 | WN WN WN | DW DW"))
    data = picture(reader.reading)
    hands.add_photo(read_hand, open_photo(data, "second.jpg"), data)
    stage = jobs.stage

    def finish_reading(hand: str) -> None:
        jobs.submit("added-photo", hand)
        wait_until(lambda: not stage(hand))

    monkeypatch.setattr(jobs, "stage", finish_reading)
    assert "another hand" in client.get(f"/hand/{read_hand}/").text


def test_tiles_of_a_preview_are_counted_only_when_nothing_else_is_to_be_done(
    jobs: PhotoQueue, unread_hand: str, reader: FakeReader, wait_settled: Wait
) -> None:
    preview = np.zeros((48, 64, 3), np.uint8)
    tile_counts: list[int] = []
    reader.go_on.clear()
    jobs.submit("hand", unread_hand)
    jobs.count_tiles(preview, tile_counts.append)
    reader.go_on.set()
    assert wait_settled(unread_hand).is_read
    wait_until(lambda: not jobs.stage(unread_hand))
    assert tile_counts == [], "a player was waiting"
    jobs.count_tiles(preview, tile_counts.append)
    wait_until(lambda: not jobs.stage("preview"))
    assert tile_counts == [16]


def test_a_reading_says_which_networks_made_it(
    hands: HandRepository, unread_hand: str, wait_settled: Wait, reader: FakeReader
) -> None:
    jobs = open_services(hands.store, reader, DECODER, models={"locator": "4a92135d"}).jobs
    assert wait_settled(unread_hand).models == {"locator": "4a92135d"}
    jobs.close()


def test_freed_memory_goes_back_though_the_worker_always_has_something_to_do(
    hands: HandRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[float] = []
    monkeypatch.setattr(jobs_module, "trim_excess", lambda: looks.append(0))
    jobs = open_services(hands.store, FakeReader(), DECODER).jobs
    for number in range(3):
        jobs.use_reader(f"a trial {number}", lambda _: None, lambda _: None)
    wait_until(lambda: len(looks) == 3)
    jobs.close()


def test_freed_memory_goes_back_once_the_worker_has_had_nothing_to_do(
    hands: HandRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    trims: list[float] = []
    read = threading.Event()
    monkeypatch.setattr(jobs_module, "IDLE_BEFORE_TRIM_S", 0.05)
    monkeypatch.setattr(jobs_module, "trim", lambda: trims.append(0))
    jobs = open_services(hands.store, FakeReader(), DECODER).jobs
    wait_until(lambda: trims)
    threading.Event().wait(0.2)
    assert len(trims) == 1, "once, not over and over"
    jobs.use_reader("a trial", lambda _: read.set(), lambda _: None)
    assert read.wait(10), "a job that comes later is done as ever"
    wait_until(lambda: len(trims) == 2)
    jobs.close()


SPOILT_ERROR = PhotoError("too-dark", plain_text("It is too dark."))


class Card:
    """A store's card, with room for some kinds of events and none for others."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.refuses: tuple[type[Event], ...] = ()
        self.error: StoreError = DiskFullError()
        self.refusal_count = 0
        self._append = store.append
        monkeypatch.setattr(store, "append", self.append)

    def append(self, stream: str, event: Event, **options: Any) -> int:  # noqa: ANN401
        """Keep an event, or refuse it."""
        if isinstance(event, self.refuses):
            self.refusal_count += 1
            raise self.error
        return self._append(stream, event, **options)


@pytest.fixture
def card(hands: HandRepository, monkeypatch: pytest.MonkeyPatch) -> Card:
    monkeypatch.setattr(jobs_module, "STORE_RETRY_INTERVAL_S", 0.01)
    return Card(hands.store, monkeypatch)


@pytest.mark.parametrize(
    ("refuses", "error", "fault", "comes_to", "reason"),
    [
        ((ReadingBegun, ReadingMade), UnwritableError("worn"), None, "", "nothing can be written"),
        ((ReadingMade,), DiskFullError(), None, "", "that it begins can, what it shows cannot"),
        ((ReadingFailed,), DiskFullError(), SPOILT_ERROR, "too-dark", "why it was not read cannot"),
    ],
)
def test_it_is_kept_once_there_is_room_without_a_restart(
    hands: HandRepository,
    card: Card,
    unread_hand: str,
    wait_settled: Wait,
    caplog: pytest.LogCaptureFixture,
    refuses: tuple[type[Event], ...],
    fault: PhotoError | None,
    comes_to: str,
    reason: str,
    error: StoreError,
) -> None:
    card.refuses, card.error = refuses, error
    jobs = open_services(hands.store, FakeReader(fault=fault), DECODER).jobs
    wait_until(lambda: card.refusal_count > MAX_READING_ATTEMPTS + 1)
    assert not hands.get(unread_hand).is_read
    assert (jobs.alive, jobs.is_reading, jobs.stage(unread_hand) is not None) == (True, True, True)
    card.refuses = ()
    failure = wait_settled(unread_hand).failure
    assert (failure.code if failure else "") == comes_to, f"{reason}, which is one attempt"
    assert not [each for each in caplog.records if each.exc_info], "it is no fault of the program"
    jobs.close()


def test_a_box_that_is_switched_off_meanwhile_reads_it_when_it_is_on_again(
    hands: HandRepository, card: Card, unread_hand: str, wait_settled: Wait
) -> None:
    card.refuses = (ReadingMade,)
    jobs = open_services(hands.store, FakeReader(), DECODER).jobs
    wait_until(lambda: card.refusal_count)
    jobs.close()
    assert not hands.get(unread_hand).is_read
    card.refuses = ()
    jobs = open_services(hands.store, FakeReader(), DECODER).jobs
    assert wait_settled(unread_hand).is_read
    jobs.close()


def test_a_card_that_takes_nothing_any_more_does_not_keep_the_box_from_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "read-only")

    serving = ServingLock(tmp_path)
    with monkeypatch.context() as patches:
        patches.setattr(Path, "write_text", refuse)
        patches.setattr(Path, "unlink", refuse)
        serving.tell("http://127.0.0.1:8080/")
        serving.close()
    ServingLock(tmp_path).close()
