"""Photographs that make room: whose, in what order, and what stays."""

from __future__ import annotations

import shutil
from collections import namedtuple
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.hands import retention
from device.hands.readings import reading_event
from device.hands.record import HandRecord
from device.hands.repository import HandRepository
from device.hands.retention import (
    make_room,
    measure_usage,
    rule_older_than,
    rule_over_size,
    rule_when_full,
)
from device.services import open_services
from device.store import Store
from device.store.events import (
    HandEvent,
    HandPhoto,
    PhotosRemoved,
    PhotoTaken,
    ReadingAsked,
    ReadingFailed,
    SetPhotographed,
    TilesConfirmed,
)
from tests.device.command import output_of, refusal_of
from tests.device.fake_reader import FakeReader
from tests.device.page import Page
from tests.device.shared_decoder import DECODER

DAY = timedelta(days=1)

READING_FAILED = ReadingFailed(code="fault", stored_message="No.")

Usage = namedtuple("Usage", "total free")


@pytest.fixture(autouse=True)
def _none_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "MIN_KEPT_HANDS", 0)


def play(
    store: Store, reader: FakeReader, number: int, *, is_confirmed: bool = True, photo: bytes = b""
) -> str:
    """Keep a hand with pictures of 1100 bytes, of which 1000 may go."""
    hand = f"hand{number}"
    store.append(
        hand,
        PhotoTaken(
            photo=HandPhoto(
                original=store.keep_photo(photo or bytes([number]) * 700),
                display=store.keep_photo((photo or bytes([number]))[:1] * 300, ".jpg"),
                thumbnail=store.keep_photo(bytes([number]) * 100, ".jpg"),
                width=1600,
                height=1200,
                name="hand.jpg",
            ),
            rules="bmja",
            seat_wind="E",
            prevailing_wind="E",
        ),
    )
    store.append(hand, reading_event(reader.reading))
    if is_confirmed:
        store.append(hand, TilesConfirmed())
    return hand


def has_photo(store: Store, record: HandRecord) -> bool:
    """Whether both large pictures are there; the small one always is."""
    names = {path.name for path in (store.folder / "photos").iterdir()}
    assert record.photo
    assert record.photo.thumbnail in names
    assert (record.photo.original in names) == (record.photo.display in names)
    return record.photo.original in names


def hands_with_photos(store: Store, hands: HandRepository) -> list[int]:
    """Return the numbers of the hands that have their photographs."""
    records = (hands.get(hand) for hand in store.hands(-1)[::-1])
    return [int(record.id[4:]) for record in records if has_photo(store, record)]


def test_the_oldest_go_until_there_is_room(
    store: Store, hands: HandRepository, reader: FakeReader
) -> None:
    for number in range(5):
        play(store, reader, number)
    freed_space = make_room(hands, rule_over_size(store, 5500 - 1500))
    assert (freed_space.hands, freed_space.bytes) == (2, 2000)
    assert hands_with_photos(store, hands) == [2, 3, 4]
    assert make_room(hands, rule_over_size(store, 4000)).hands == 0, "there is room now"


def test_only_confirmed_hands_give_way_while_there_is_room(
    store: Store, hands: HandRepository, reader: FakeReader
) -> None:
    play(store, reader, 0, is_confirmed=False)
    play(store, reader, 1)
    undone_hand = play(store, reader, 2)
    hands.undo(undone_hand, hands.get(undone_hand).changes[-1].seq)
    make_room(hands, rule_over_size(store, 0))
    assert hands_with_photos(store, hands) == [0, 2]


@pytest.mark.parametrize(
    ("excess_bytes", "left", "reason"),
    [
        (0, [0, 1, 2, 3], "there is room"),
        (1500, [0, 2], "the confirmed go first, though they are newer"),
        (2500, [2], "then the oldest of those that nobody confirmed"),
        (9999, [], "all of them, rather than that the box takes no photograph any more"),
    ],
)
def test_on_a_full_disk_unconfirmed_hands_give_way_too(
    store: Store, hands: HandRepository, reader: FakeReader, monkeypatch: pytest.MonkeyPatch,
    excess_bytes: int, left: list[int], reason: str,
) -> None:  # fmt: skip
    for number in range(4):
        play(store, reader, number, is_confirmed=number % 2 == 1)
    before = [(record.reading, record.tiles) for record in hands.recent()]
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(100_000, 15_000 - excess_bytes))
    make_room(hands, rule_when_full(store))
    assert hands_with_photos(store, hands) == left, reason
    assert [(record.reading, record.tiles) for record in hands.recent()] == before


@pytest.mark.parametrize(
    ("events", "goes", "reason"),
    [
        ([], False, "the worker has not come to it"),
        ([READING_FAILED], True, "nobody can read it"),
        ([READING_FAILED, ReadingAsked()], False, "it is read again"),
    ],
)
def test_a_photograph_still_to_be_read_stays(
    store: Store, hands: HandRepository, monkeypatch: pytest.MonkeyPatch, unread_hand: str,
    events: list[HandEvent], goes: bool, reason: str,
) -> None:  # fmt: skip
    for event in events:
        hands.change(unread_hand, event)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(100_000, 0))
    make_room(hands, rule_when_full(store))
    assert has_photo(store, hands.get(unread_hand)) != goes, reason


def test_what_made_room_is_not_read_again(
    client: FlaskClient, store: Store, hands: HandRepository, unread_hand: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    hands.change(unread_hand, READING_FAILED)
    again_url = f"/hand/{unread_hand}/again"
    assert again_url in Page(client.get(f"/hand/{unread_hand}/").text).attributes("action")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(100_000, 0))
    make_room(hands, rule_when_full(store))
    assert again_url not in Page(client.get(f"/hand/{unread_hand}/").text).attributes("action")
    assert client.post(f"/hand/{unread_hand}/again").status_code == 409


def test_the_newest_hands_keep_their_photographs(
    store: Store, hands: HandRepository, reader: FakeReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "MIN_KEPT_HANDS", 2)
    for number in range(3):
        play(store, reader, number)
    make_room(hands, rule_over_size(store, 0))
    assert hands_with_photos(store, hands) == [1, 2]


def test_a_photograph_that_another_hand_has_too_stays(
    store: Store, hands: HandRepository, reader: FakeReader
) -> None:
    photo = b"x" * 700
    play(store, reader, 0, photo=photo)
    play(store, reader, 1, photo=photo, is_confirmed=False)
    assert make_room(hands, rule_over_size(store, 0)).bytes == 0
    assert hands_with_photos(store, hands) == [0, 1]
    store.append("hand1", TilesConfirmed())
    assert make_room(hands, rule_over_size(store, 0)).bytes == 1000, "now nobody wants it"
    assert hands_with_photos(store, hands) == []


def test_a_registered_set_keeps_its_photographs(
    store: Store, hands: HandRepository, reader: FakeReader
) -> None:
    play(store, reader, 0)
    event = store.events("hand0")[0].event
    assert isinstance(event, PhotoTaken)
    store.append("set-1", SetPhotographed(set="first", photo=event.photo))
    make_room(hands, rule_over_size(store, 0))
    assert hands_with_photos(store, hands) == [0]


def test_what_a_pulled_plug_left_behind_goes_the_next_time(
    store: Store, hands: HandRepository, reader: FakeReader
) -> None:
    for number in (0, 1):
        play(store, reader, number)
    first = hands.get("hand0").photo
    assert first
    hands.change("hand0", PhotosRemoved(names=(first.original, first.display)))
    assert make_room(hands, rule_over_size(store, 0)).bytes == 2000
    assert hands_with_photos(store, hands) == []


@pytest.mark.parametrize(
    ("ages", "left", "reason"),
    [
        ([9, 8, 2, 1], [2, 3], "the oldest are old enough"),
        ([1, 20_000, 9, 1], [0, 1, 2, 3], "a clock that stood at 1970 makes no hand old"),
        ([-20_000, 9], [0, 1], "nor does one that ran ahead, for what came after it"),
    ],
)
def test_by_age_the_order_decides_before_the_clock(
    store: Store, hands: HandRepository, reader: FakeReader, monkeypatch: pytest.MonkeyPatch,
    ages: list[int], left: list[int], reason: str,
) -> None:  # fmt: skip
    current_time = datetime(2026, 11, 21, tzinfo=UTC)
    for number in range(len(ages)):
        play(store, reader, number)
    real = HandRepository.by_itself

    def get_aged(self: HandRepository, hand: str) -> HandRecord:
        return replace(real(self, hand), taken_at=current_time - ages[int(hand[4:])] * DAY)

    monkeypatch.setattr(HandRepository, "by_itself", get_aged)
    make_room(hands, rule_older_than(current_time, 7))
    assert hands_with_photos(store, hands) == left, reason


def test_a_box_that_starts_makes_room(
    store: Store, hands: HandRepository, reader: FakeReader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    play(store, reader, 0)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(100_000, 0))
    open_services(store, reader, DECODER).close()
    assert hands_with_photos(store, hands) == []


def test_a_hand_without_its_photo_still_shows_tiles_and_score(
    client: FlaskClient, store: Store, hands: HandRepository, reader: FakeReader
) -> None:
    hand = play(store, reader, 7)
    before = client.get(f"/hand/{hand}/").text
    make_room(hands, rule_over_size(store, 0))
    page = client.get(f"/hand/{hand}/")
    assert page.status_code in (200, 422)
    assert "removed to make room" in page.text
    assert "removed to make room" not in before
    assert len(Page(page.text).all("use")) == len(Page(before).all("use")), "every tile as before"
    assert client.get(f"/hand/{hand}/photo.jpg").data == bytes([7]) * 100, "the small copy"
    assert client.post(f"/hand/{hand}/learn", data={"learn": "yes"}).status_code == 303


def test_figures(store: Store, reader: FakeReader, tmp_path: Path) -> None:
    play(store, reader, 0)
    store.keep_crop("first", b"x" * 50)
    usage = measure_usage(tmp_path / "box")
    assert (usage.photos, usage.crops) == (1100, 50)
    assert usage.log > 0
    assert usage.disk > usage.free > 0


def test_the_command_removes_only_what_is_asked_for(
    store: Store, hands: HandRepository, reader: FakeReader
) -> None:
    for number in range(2):
        play(store, reader, number)
    data = ["--data", str(store.folder)]
    assert "photos" in output_of("storage", *data)
    assert "removed: 0" in output_of("storage", "--older", "1", *data)
    assert "removed: 1" in output_of("storage", "--most", "0.0015", *data)
    assert hands_with_photos(store, hands) == [1]
    assert "No box keeps" in refusal_of("storage", "--data", str(store.folder / "nowhere"))
