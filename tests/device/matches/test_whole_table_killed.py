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
from tests.device.fake_camera import until
from tests.device.fake_reader import FakeReader, lay
from tests.device.played import AGREED
from tests.device.shared_decoder import DECODER
from vision.reading import Reading, Side

SEEN: dict[Side, Reading] = dict.fromkeys(("bottom", "right", "top", "left"), lay())

PICTURE = dict.fromkeys(("original", "display", "thumbnail", "name"), "x")


class PluggedError(BaseException):
    """The process is no more."""


@pytest.fixture
def photos(store: Store) -> TablePhotos:
    return TablePhotos(open_hands(store))


@pytest.fixture
def photo(store: Store) -> str:
    """Return a photograph of the whole table that waits to be read."""
    match = MatchRepository(store).begin(AGREED)
    kept = {**PICTURE, "width": 9, "height": 9}
    said = {"match": match, "deal": 1, "source": "", "photo": kept}
    store.append("p", event_of("table-photographed", said))
    return "p"


def killed_after(store: Store, events: int, patched: pytest.MonkeyPatch) -> None:
    """Let the process end right after so many events were kept."""
    append, kept = store.append, [0]

    def until_killed(stream: str, event: Event, **decided: Any) -> int:  # noqa: ANN401
        seq = append(stream, event, **decided)
        kept[0] += 1
        if kept[0] == events:
            raise PluggedError
        return seq

    patched.setattr(store, "append", until_killed)


@pytest.mark.parametrize("events", range(1, 5))
def test_no_hand_of_it_is_begun_twice(
    store: Store,
    photos: TablePhotos,
    photo: str,
    monkeypatch: pytest.MonkeyPatch,
    events: int,
) -> None:
    """Killed after the first hand, the second, the third, and the last before all is said."""
    with monkeypatch.context() as patched, suppress(PluggedError):
        killed_after(store, events, patched)
        photos.record_reading(photo, SEEN, "bmja")
    assert not photos.get(photo).is_read
    photos.record_reading(photo, SEEN, "bmja")
    begun = store.with_event(PhotoTaken, limit=-1)
    assert sorted(begun) == sorted(photos.get(photo).hands.values()), "four, and no others"


def test_of_two_workers_who_read_it_one_is_told(
    store: Store, photos: TablePhotos, photo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first had no line to the database for a while, and the second took its work over."""
    append = store.append

    def late(stream: str, event: Event, **decided: Any) -> int:  # noqa: ANN401
        monkeypatch.undo()
        photos.record_reading(photo, SEEN, "bmja")
        return append(stream, event, **decided)

    monkeypatch.setattr(store, "append", late)
    with pytest.raises(ChangeRefusedError):
        photos.record_reading(photo, SEEN, "bmja")
    with pytest.raises(ChangeRefusedError):
        photos.record_reading(photo, SEEN, "bmja")
    assert [type(each.event) for each in store.events(photo)].count(TableRead) == 1
    assert len(store.with_event(PhotoTaken, limit=-1)) == len(SEEN)


def working(store: Store) -> AbstractContextManager[Services]:
    """Have a worker that has just started: it does what is left to do."""
    reader = FakeReader()
    reader.table = SEEN
    return closing(open_services(store, reader, DECODER))


def given(store: Store, match: str) -> list[HandsGiven]:
    events = (each.event for each in store.events(match))
    return [each for each in events if isinstance(each, HandsGiven)]


@pytest.mark.parametrize("where_from", ["a worker that was killed", "a page that was killed"])
def test_hands_that_were_read_are_given_in_though_the_box_ended_before_that(
    store: Store, photos: TablePhotos, photo: str, where_from: str
) -> None:
    said_first = where_from.startswith("a worker")
    if said_first:
        photos.say_bottom(photo, "Ann")
    photos.record_reading(photo, SEEN, "bmja")
    if not said_first:
        photos.say_bottom(photo, "Ann")
    match = photos.get(photo).match
    assert not given(store, match)
    with working(store):
        until(lambda: bool(given(store, match)))
    with working(store) as services:
        until(lambda: not services.jobs.is_reading)
    assert [set(each.hands.values()) for each in given(store, match)] == [
        set(photos.get(photo).hands.values())
    ]


def taken_back(matches: MatchRepository, match: str) -> None:
    matches.undo(match, matches.get(match).version)


def settled(matches: MatchRepository, match: str) -> None:
    matches.change(match, WinnerEntered("Ann", "wall"))
    matches.change(match, DealSettled("Ann", dict.fromkeys(AGREED.players, 20)))


@pytest.mark.parametrize(
    ("does", "gives", "times", "why"),
    [
        (taken_back, True, 1, "what a player took back stays so"),
        (settled, False, 0, "of a deal that is over"),
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
    why: str,
) -> None:
    photos.say_bottom(photo, "Ann")
    photos.record_reading(photo, SEEN, "bmja")
    if gives:
        photos.give_hands(photo, by="")
    match = photos.get(photo).match
    does(MatchRepository(store), match)
    assert not photos.owes_hands(photo), why
    with working(store) as services:
        until(lambda: not services.jobs.is_reading)
    assert len(given(store, match)) == times, why
