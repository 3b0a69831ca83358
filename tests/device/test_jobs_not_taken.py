"""A reading that the store does not take, because its card is full, say, waits until it does."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from device import jobs as jobs_module
from device.hands.repository import HandRepository
from device.job_handlers import MAX_READING_ATTEMPTS
from device.services import open_services
from device.store import DiskFullError, Store, StoreError, UnwritableError
from device.store.data_folder import ServingLock
from device.store.events import Event, ReadingBegun, ReadingFailed, ReadingMade
from scorer.message import plain_text
from tests.device.conftest import Wait
from tests.device.fake_camera import until
from tests.device.fake_reader import FakeReader
from tests.device.shared_decoder import DECODER
from vision.errors import PhotoError

SPOILT = PhotoError("too-dark", plain_text("It is too dark."))


class Card:
    """A store's card, with room for some kinds of events and none for others."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.refuses: tuple[type[Event], ...] = ()
        self.error: StoreError = DiskFullError()
        self.refused = 0
        self._append = store.append
        monkeypatch.setattr(store, "append", self.append)

    def append(self, stream: str, event: Event, **known: Any) -> int:  # noqa: ANN401
        """Keep an event, or refuse it."""
        if isinstance(event, self.refuses):
            self.refused += 1
            raise self.error
        return self._append(stream, event, **known)


@pytest.fixture
def card(hands: HandRepository, monkeypatch: pytest.MonkeyPatch) -> Card:
    monkeypatch.setattr(jobs_module, "STORE_RETRY_INTERVAL_S", 0.01)
    return Card(hands.store, monkeypatch)


@pytest.mark.parametrize("error", [DiskFullError(), UnwritableError("worn")])
@pytest.mark.parametrize(
    ("refuses", "fault", "comes_to", "why"),
    [
        ((ReadingBegun, ReadingMade), None, "", "nothing can be written down"),
        ((ReadingMade,), None, "", "that it begins can, and what it shows cannot"),
        ((ReadingFailed,), SPOILT, "too-dark", "why it could not be read cannot"),
    ],
)
def test_it_is_kept_once_there_is_room_without_a_restart(
    hands: HandRepository,
    card: Card,
    begun: str,
    settled: Wait,
    caplog: pytest.LogCaptureFixture,
    refuses: tuple[type[Event], ...],
    fault: PhotoError | None,
    comes_to: str,
    why: str,
    error: StoreError,
) -> None:
    card.refuses, card.error = refuses, error
    jobs = open_services(hands.store, FakeReader(fault=fault), DECODER).jobs
    until(lambda: card.refused > MAX_READING_ATTEMPTS + 1)
    assert not hands.get(begun).is_read
    assert (jobs.alive, jobs.is_reading, jobs.stage(begun) is not None) == (True, True, True)
    card.refuses = ()
    failure = settled(begun).failure
    assert (failure.code if failure else "") == comes_to, f"{why}, which is one attempt"
    assert not [each for each in caplog.records if each.exc_info], "it is no fault of the program"
    jobs.close()


def test_a_box_that_is_switched_off_meanwhile_reads_it_when_it_is_on_again(
    hands: HandRepository, card: Card, begun: str, settled: Wait
) -> None:
    card.refuses = (ReadingMade,)
    jobs = open_services(hands.store, FakeReader(), DECODER).jobs
    until(lambda: card.refused)
    jobs.close()
    assert not hands.get(begun).is_read
    card.refuses = ()
    jobs = open_services(hands.store, FakeReader(), DECODER).jobs
    assert settled(begun).is_read
    jobs.close()


def test_a_card_that_takes_nothing_any_more_does_not_keep_the_box_from_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "read-only")

    serving = ServingLock(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", refuse)
        patched.setattr(Path, "unlink", refuse)
        serving.tell("http://127.0.0.1:8080/")
        serving.close()
    ServingLock(tmp_path).close()
