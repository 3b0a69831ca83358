"""A photograph of the whole table is read once into the log, whoever is killed meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, closing, suppress
from typing import Any

import pytest

from device.hands.repository import ChangeRefusedError
from device.matches.repository import MatchRepository, open_hands
from device.matches.table_photo import TablePhotos
from device.services import Services, open_services
from device.store import Event, Store
from device.store.events import (
    DealSettled,
    HandsGiven,
    MatchEnded,
    PhotoTaken,
    TableRead,
    WinnerEntered,
)
from tests.device.events import event_of
from tests.device.fake_camera import wait_until
from tests.device.fake_reader import FakeReader, lay
from tests.device.match_play import AGREED_TERMS
from tests.device.shared_decoder import DECODER
from vision.reading import Reading, Side

READINGS: dict[Side, Reading] = dict.fromkeys(("bottom", "right", "top", "left"), lay())

PICTURE = dict.fromkeys(("original", "display", "thumbnail", "name"), "x")


class PluggedError(BaseException):
    """The process is no more."""


@pytest.fixture
def photos(store: Store) -> TablePhotos:
    return TablePhotos(open_hands(store))


@pytest.fixture
def photo(store: Store) -> str:
    """Return a photograph of the whole table that waits to be read."""
    match = MatchRepository(store).begin(AGREED_TERMS)
    stored_photo = {**PICTURE, "width": 9, "height": 9}
    event_fields = {"match": match, "deal": 1, "source": "", "photo": stored_photo}
    store.append("p", event_of("table-photographed", event_fields))
    return "p"


def killed_after(store: Store, events: int, patch: pytest.MonkeyPatch) -> None:
    """Let the process end right after so many events were kept."""
    append, event_count = store.append, [0]

    def append_until_killed(stream: str, event: Event, **options: Any) -> int:  # noqa: ANN401
        seq = append(stream, event, **options)
        event_count[0] += 1
        if event_count[0] == events:
            raise PluggedError
        return seq

    patch.setattr(store, "append", append_until_killed)


@pytest.mark.parametrize("events", range(1, 5))
def test_no_hand_of_it_is_begun_twice(
    store: Store,
    photos: TablePhotos,
    photo: str,
    monkeypatch: pytest.MonkeyPatch,
    events: int,
) -> None:
    """Killed after the first hand, the second, the third, and the last before all is said."""
    with monkeypatch.context() as patch, suppress(PluggedError):
        killed_after(store, events, patch)
        photos.record_reading(photo, READINGS, "bmja")
    assert not photos.get(photo).is_read
    photos.record_reading(photo, READINGS, "bmja")
    hand_ids = store.with_event(PhotoTaken, limit=-1)
    assert sorted(hand_ids) == sorted(photos.get(photo).hands.values()), "four, and no others"


def test_of_two_workers_who_read_it_one_is_told(
    store: Store, photos: TablePhotos, photo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first had no line to the database for a while, and the second took its work over."""
    append = store.append

    def append_late(stream: str, event: Event, **options: Any) -> int:  # noqa: ANN401
        monkeypatch.undo()
        photos.record_reading(photo, READINGS, "bmja")
        return append(stream, event, **options)

    monkeypatch.setattr(store, "append", append_late)
    with pytest.raises(ChangeRefusedError):
        photos.record_reading(photo, READINGS, "bmja")
    with pytest.raises(ChangeRefusedError):
        photos.record_reading(photo, READINGS, "bmja")
    assert [type(each.event) for each in store.events(photo)].count(TableRead) == 1
    assert len(store.with_event(PhotoTaken, limit=-1)) == len(READINGS)


def start_services(store: Store) -> AbstractContextManager[Services]:
    """Have a worker that has just started: it does what is left to do."""
    reader = FakeReader()
    reader.table = READINGS
    return closing(open_services(store, reader, DECODER))


def given_events(store: Store, match: str) -> list[HandsGiven]:
    events = (each.event for each in store.events(match))
    return [each for each in events if isinstance(each, HandsGiven)]


@pytest.mark.parametrize("origin", ["a worker that was killed", "a page that was killed"])
def test_hands_that_were_read_are_given_in_though_the_box_ended_before_that(
    store: Store, photos: TablePhotos, photo: str, origin: str
) -> None:
    said_first = origin.startswith("a worker")
    if said_first:
        photos.say_bottom(photo, "Ann")
    photos.record_reading(photo, READINGS, "bmja")
    if not said_first:
        photos.say_bottom(photo, "Ann")
    match = photos.get(photo).match
    assert not given_events(store, match)
    with start_services(store):
        wait_until(lambda: bool(given_events(store, match)))
    with start_services(store) as services:
        wait_until(lambda: not services.jobs.is_reading)
    assert [set(each.hands.values()) for each in given_events(store, match)] == [
        set(photos.get(photo).hands.values())
    ]


def undo_last(matches: MatchRepository, match: str) -> None:
    matches.undo(match, matches.get(match).version)


def settle_deal(matches: MatchRepository, match: str) -> None:
    matches.change(match, WinnerEntered("Ann", "wall"))
    matches.change(match, DealSettled("Ann", dict.fromkeys(AGREED_TERMS.players, 20)))


@pytest.mark.parametrize(
    ("does", "gives", "times", "reason"),
    [
        (undo_last, True, 1, "what a player took back stays so"),
        (settle_deal, False, 0, "of a deal that is over"),
        (lambda matches, match: matches.change(match, MatchEnded()), False, 0, "of a match, too"),
    ],
)
def test_hands_that_nobody_wants_any_more_are_given_to_nobody(
    store: Store,
    photos: TablePhotos,
    photo: str,
    does: Callable[[MatchRepository, str], object],
    gives: bool,
    times: int,
    reason: str,
) -> None:
    photos.say_bottom(photo, "Ann")
    photos.record_reading(photo, READINGS, "bmja")
    if gives:
        photos.give_hands(photo, player="")
    match = photos.get(photo).match
    does(MatchRepository(store), match)
    assert not photos.owes_hands(photo), reason
    with start_services(store) as services:
        wait_until(lambda: not services.jobs.is_reading)
    assert len(given_events(store, match)) == times, reason
