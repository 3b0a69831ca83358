"""The Setup page's storage meter, and making room from there."""

from __future__ import annotations

import shutil

import pytest
from flask.testing import FlaskClient

from device.hands import retention
from device.hands.repository import HandRepository
from device.hands.retention import MAX_DISK_SHARE, DiskUsage
from device.store import Store
from device.store.events import PhotosRemoved
from device.views import box_health
from device.views.box_health import format_size, storage_meter
from tests.device.fake_reader import FakeReader
from tests.device.hands.test_retention import hands_with_photos, play
from tests.device.page import get_page

GB = 10**9


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (0, "0\N{NO-BREAK SPACE}kB"),
        (1499, "1\N{NO-BREAK SPACE}kB"),
        (1_200_000, "1.2\N{NO-BREAK SPACE}MB"),
        (12_345_678, "12\N{NO-BREAK SPACE}MB"),
        (3.21e9, "3.2\N{NO-BREAK SPACE}GB"),
        (5e15, "5000\N{NO-BREAK SPACE}TB"),
    ],
)
def test_sizes_are_said_as_people_say_them(size: float, expected: str) -> None:
    """A number and its unit stay on one line."""
    assert format_size(size) == expected


@pytest.mark.parametrize(
    ("free", "photos", "count", "says", "reason"),
    [
        (50, 8 * GB, 1000, "about 4,300 more hands, about 130 evenings", "35 GB left of 8 MB each"),
        (15.4, 8 * GB, 1000, "about 50 more hands, an evening's", "0.4 GB left"),
        (15.1, 8 * GB, 1000, "one more evening at most", "0.1 GB are 12 hands"),
        (15, 8 * GB, 1000, "There is no more room for photos", "no byte below the limit"),
        (3, 0, 0, "There is no more room for photos", "by other things"),
        (50, 0, 0, "plenty of room", "there is nothing to judge by"),
    ],
)
def test_for_how_long_the_disk_lasts(
    store: Store, hands: HandRepository, reader: FakeReader, monkeypatch: pytest.MonkeyPatch,
    free: float, photos: int, count: int, says: str, reason: str,
) -> None:  # fmt: skip
    usage = DiskUsage(100 * GB, int(free * GB), photos, 10_000, 10_000)
    monkeypatch.setattr(box_health, "measure_usage", lambda _: usage)
    monkeypatch.setattr(Store, "hands", lambda *_, limit: tuple(map(str, range(count))))
    assert MAX_DISK_SHARE == 0.85
    assert says in storage_meter(hands).lasts, reason


def test_hands_whose_photos_are_gone_say_nothing_of_a_hands_size(
    store: Store, hands: HandRepository, reader: FakeReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in (0, 1):
        play(store, reader, number)
    hands.change("hand0", PhotosRemoved(names=()))
    usage = DiskUsage(100 * GB, 50 * GB, 100_000_000, 0, 0)
    monkeypatch.setattr(box_health, "measure_usage", lambda _: usage)
    assert "about 350 more hands" in storage_meter(hands).lasts


def test_the_bar_is_the_whole_disk(
    client: FlaskClient, store: Store, reader: FakeReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(store, reader, 0)
    bar = get_page(client, "/settings/box/").all("rect[class][x][width]")
    assert [each["class"] for each in bar] == ["photos", "tiles", "log", "others", "free"]
    ends = [float(each["x"]) + float(each["width"]) for each in bar]
    assert ends[-1] == pytest.approx(100, abs=0.05)
    assert [float(each["x"]) for each in bar][1:] == pytest.approx(ends[:-1], abs=0.02)
    assert shutil.disk_usage(store.folder).total > 0
    monkeypatch.setattr(store.pictures, "folder", None)  # as where a database has the photos
    page = get_page(client, "/settings/box/")
    assert not page.all("rect[class]"), "this disk tells nothing of theirs"
    assert "Scores and photos are in a database." in page.text


def test_room_is_made_when_it_is_asked_for(
    client: FlaskClient, store: Store, hands: HandRepository, reader: FakeReader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(retention, "MIN_KEPT_HANDS", 1)
    for number in range(4):
        play(store, reader, number, is_confirmed=number != 1)
    answer = client.post("/setup/room")
    assert answer.status_code == 303
    assert hands_with_photos(store, hands) == [1, 3], (
        "not those that nobody confirmed, nor the newest"
    )
    assert "The photos of 2 hands were removed." in client.get(answer.headers["Location"]).text
    assert "were removed" not in client.get("/settings/box/?freed=many").text
