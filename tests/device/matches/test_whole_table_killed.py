"""A photograph of the whole table is read once into the log, whoever is killed meanwhile."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from device.hands.repository import ChangeRefusedError
from device.matches.hands import hands_of
from device.matches.repository import MatchRepository
from device.matches.whole_table import TablePhotos
from device.store import Event, Store
from device.store.events import PhotoTaken, TableRead
from tests.device.events import event_of
from tests.device.fake_reader import lay
from tests.device.played import AGREED
from vision.reading import Reading, Side

SEEN: dict[Side, Reading] = dict.fromkeys(("bottom", "right", "top", "left"), lay())

PICTURE = dict.fromkeys(("original", "display", "thumbnail", "name"), "x")


class PluggedError(BaseException):
    """The process is no more."""


@pytest.fixture
def photos(either: Store) -> TablePhotos:
    return TablePhotos(hands_of(either))


@pytest.fixture
def photo(either: Store) -> str:
    """Return a photograph of the whole table that waits to be read."""
    match = MatchRepository(hands_of(either)).begin(AGREED)
    kept = {**PICTURE, "width": 9, "height": 9}
    said = {"match": match, "deal": 1, "source": "", "photo": kept}
    either.append("p", event_of("table-photographed", said))
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
    either: Store,
    photos: TablePhotos,
    photo: str,
    monkeypatch: pytest.MonkeyPatch,
    events: int,
) -> None:
    """Killed after the first hand, the second, the third, and the last before all is said."""
    with monkeypatch.context() as patched, suppress(PluggedError):
        killed_after(either, events, patched)
        photos.was_read(photo, SEEN, "bmja")
    assert not photos.get(photo).is_read
    photos.was_read(photo, SEEN, "bmja")
    begun = either.with_event(PhotoTaken, limit=-1)
    assert sorted(begun) == sorted(photos.get(photo).hands.values()), "four, and no others"


def test_of_two_workers_who_read_it_one_is_told(
    either: Store, photos: TablePhotos, photo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first had no line to the database for a while, and the second took its work over."""
    append = either.append

    def late(stream: str, event: Event, **decided: Any) -> int:  # noqa: ANN401
        monkeypatch.undo()
        photos.was_read(photo, SEEN, "bmja")
        return append(stream, event, **decided)

    monkeypatch.setattr(either, "append", late)
    with pytest.raises(ChangeRefusedError):
        photos.was_read(photo, SEEN, "bmja")
    with pytest.raises(ChangeRefusedError):
        photos.was_read(photo, SEEN, "bmja")
    assert [type(each.event) for each in either.events(photo)].count(TableRead) == 1
    assert len(either.with_event(PhotoTaken, limit=-1)) == len(SEEN)
