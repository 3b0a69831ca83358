"""Another photograph of a hand: it adds to what is known, and never overrides the player."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec import structs

from device.hands.readings import reading_event
from device.hands.record import HandRecord
from device.hands.repository import ChangeRefusedError, HandRepository
from device.hands.scoring import hand_from
from device.store.events import PhotoRead, SetMoved, TileAdded, TileCorrected, TileMoved
from scorer.message import plain_text
from tests.device.conftest import Wait
from tests.device.events import event_of
from tests.device.fake_reader import FakeReader, picture
from tests.device.page import Page
from tests.vision.laid_hand import SIDE_VIEW, CodeChance, read_rows
from vision.errors import PhotoError
from vision.photo import open_photo
from vision.reading import BlockReading, Reading, SetReading

pytestmark = pytest.mark.slow

ROWS = ("B2 B2 B2 | O9 O9 O9 O9", "C3 C4 C5 | DR DR DR | WE WE | F1")
"""Numbered 0 to 6 in the top row and 7 to 15 in the bottom row."""

FLOWER = 15

PHOTO = picture(read_rows(ROWS))

Begin = Callable[[Reading], str]


@pytest.fixture
def begin(hands: HandRepository) -> Begin:
    """Begin a hand whose first photograph is read like this; return its id."""

    def begin_hand(reading: Reading) -> str:
        hand = hands.begin(open_photo(PHOTO, "hand.jpg"), PHOTO, "bmja")
        hands.change(hand, reading_event(reading))
        return hand

    return begin_hand


def add(hands: HandRepository, hand: str, reading: Reading) -> HandRecord:
    hands.add_photo(hand, open_photo(PHOTO, "again.jpg"), PHOTO)
    number = hands.get(hand).processed_photo_count
    hands.change(hand, PhotoRead(number=number, reading=reading))
    return hands.get(hand)


def second_reading(
    chances: Mapping[int, CodeChance] | None = None, without_tiles: Sequence[int] = ()
) -> Reading:
    return read_rows(ROWS, chances, SIDE_VIEW, without_tiles)


def doubts(record: HandRecord) -> list[int]:
    return [place for place, tile in enumerate(record.tiles) if tile.doubtful]


@pytest.mark.parametrize(
    ("first", "changes", "second", "codes", "doubtful", "reason"),
    [
        ({8: ("C5", 0.5)}, [], {}, "C4", [], "the second photo shows what the first hid"),
        ({}, [], {8: ("C5", 0.5)}, "C4", [], "and a bad second photo does no harm"),
        ({}, [], {8: ("C5", 0.95)}, "C4", [8], "two that surely differ are asked about"),
        ({}, [("C6", 8)], {}, "C6", [], "what the player named stays"),
        ({8: ("C4", 0.5)}, [("C4", 8)], {8: ("C5", 0.99)}, "C4", [], "and what he confirmed"),
        ({}, [(None, 8)], {}, None, [], "and what he struck out"),
    ],
)
def test_a_tile_in_two_photos(
    hands: HandRepository,
    begin: Begin,
    first: dict[int, CodeChance],
    changes: list[tuple[str | None, int]],
    second: dict[int, CodeChance],
    codes: str | None,
    doubtful: list[int],
    reason: str,
) -> None:
    hand = begin(read_rows(ROWS, first))
    for code, tile in changes:
        hands.change(hand, TileCorrected(tile=tile, code=code))
    record = add(hands, hand, second_reading(second))
    assert record.tiles[8].code == codes, reason
    assert doubts(record) == doubtful, reason
    assert len(record.tiles) == 16


def test_a_missed_tile_is_put_where_it_lies(hands: HandRepository, begin: Begin) -> None:
    hand = begin(read_rows(ROWS, hidden_places=(8,)))
    before = [tile.code for tile in hands.get(hand).tiles]
    record = add(hands, hand, second_reading())
    assert [tile.code for tile in record.tiles] == [*before, "C4"], "no tile gets another number"
    assert record.tiles[15].read is not None
    assert doubts(record) == [15], "one photo shows it, the other does not"
    assert (7, 15, 8) in [laid_set.tiles for laid_set in record.sets]
    assert [note.code for note in record.added_notes] == ["counts-differ"]


def test_a_flower_that_may_be_anothers_and_only_a_second_photo_shows_is_asked_about(
    hands: HandRepository, begin: Begin
) -> None:
    first, second = read_rows(ROWS, hidden_places=[FLOWER]), second_reading()
    left_edge = int(min(x for x, _ in read_rows(ROWS).tiles[FLOWER].quad))
    hand = begin(structs.replace(first, width=left_edge - 10))
    block = BlockReading("right", (SetReading((FLOWER,), "bonus", "loose"),), included=True)
    record = add(hands, hand, structs.replace(second, blocks=(block,)))
    assert [record.tiles[place].code for place in doubts(record)] == ["F1"]


def test_beside_sets_that_the_player_made_a_missed_tile_goes_to_its_neighbour(
    hands: HandRepository, begin: Begin
) -> None:
    hand = begin(read_rows(ROWS, hidden_places=(8,)))
    hands.change(hand, TileMoved(tile=7, set=0, row="exposed"))
    record = add(hands, hand, second_reading())
    assert (0, 1, 2, 7, 15) in [laid_set.tiles for laid_set in record.sets]


def test_a_tile_that_the_player_added_is_not_added_again(
    hands: HandRepository, begin: Begin
) -> None:
    hand = begin(read_rows(ROWS, hidden_places=(8,)))
    hands.change(hand, TileAdded(code="C4", set=None, row="concealed"))
    record = add(hands, hand, second_reading())
    assert len(record.tiles) == 16
    assert record.tiles[15].read is not None
    assert doubts(record) == []


def test_sets_that_the_player_moved_stay(hands: HandRepository, begin: Begin) -> None:
    hand = begin(read_rows(ROWS))
    hands.change(hand, SetMoved(set=0, row="concealed"))
    assert hand_from(add(hands, hand, second_reading())).exposed == (("O9",) * 4,)


def test_a_third_photo_adds_to_the_second(hands: HandRepository, begin: Begin) -> None:
    hand = begin(read_rows(ROWS, hidden_places=(8,)))
    add(hands, hand, second_reading())
    record = add(hands, hand, second_reading({8: ("C4", 0.97)}))
    assert len(record.tiles) == 16
    assert [number for number, _ in record.tiles[15].added_readings] == [0, 1]


def test_another_hand_changes_nothing_but_is_said(hands: HandRepository, begin: Begin) -> None:
    hand = begin(read_rows(ROWS))
    before = hands.get(hand)
    record = add(hands, hand, read_rows(("B1 B3 B4 B5 B6 B7 B8 B9 O1 O2 O3 O4 O5",)))
    assert (record.tiles, record.sets, record.changes) == (before.tiles, before.sets, ())
    assert [note.code for note in record.added_notes] == ["another-hand"]


def test_the_same_photo_again_changes_nothing(hands: HandRepository, begin: Begin) -> None:
    hand = begin(read_rows(ROWS, {8: ("C4", 0.5)}))
    record = add(hands, hand, read_rows(ROWS, {8: ("C4", 0.5)}))
    assert doubts(record) == [8]
    assert record.added_notes == ()


def test_it_can_be_taken_back_and_is_not_read_again(hands: HandRepository, begin: Begin) -> None:
    hand = begin(read_rows(ROWS, {8: ("C5", 0.5)}))
    before = hands.get(hand)
    record = add(hands, hand, second_reading())
    assert [change.kind for change in record.changes] == ["photo-read"]
    hands.undo(hand, record.changes[-1].seq)
    record = hands.get(hand)
    assert (record.tiles, record.sets) == (before.tiles, before.sets)
    assert record.awaited_photo is None


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("photo-read", {"number": 0, "reading": read_rows(ROWS).to_json()}),
        ("photo-failed", {"code": "fault", "message": "No."}),
    ],
)
def test_what_was_not_added_cannot_be_read(
    hands: HandRepository, begin: Begin, kind: str, data: dict[str, Any]
) -> None:
    with pytest.raises(ChangeRefusedError):
        hands.change(begin(read_rows(ROWS)), event_of(kind, data))


def test_no_photo_is_added_before_the_first_is_read(
    hands: HandRepository, unread_hand: str
) -> None:
    with pytest.raises(ChangeRefusedError):
        hands.add_photo(unread_hand, open_photo(PHOTO, "again.jpg"), PHOTO)


def upload() -> dict[str, object]:
    return {"photo": (io.BytesIO(PHOTO), "again.jpg")}


def test_from_the_page(
    client: FlaskClient, hands: HandRepository, begin: Begin, reader: FakeReader, waits: Wait
) -> None:
    hand = begin(read_rows(ROWS, {8: ("C5", 0.5)}))
    assert "Add another photo" in client.get(f"/hand/{hand}/").text
    reader.reading = second_reading()
    reader.go_on.clear()
    answer = client.post(f"/hand/{hand}/photo", data=upload())
    assert (answer.status_code, answer.location) == (303, f"/hand/{hand}/")
    waiting_page = client.get(f"/hand/{hand}/").text
    assert Page(waiting_page).all('[data-page="waiting"]')
    assert f"/hand/{hand}/photo-0.jpg" in waiting_page
    reader.go_on.set()
    assert waits(hand).tiles[8].code == "C4"
    page = client.get(f"/hand/{hand}/").text
    assert "Another photo of this hand was read" in page
    sheet = client.get(f"/hand/{hand}/tile/8").text
    assert "In photo 2: 4 characters" in sheet
    assert client.get(f"/hand/{hand}/photo-0.jpg").mimetype == "image/jpeg"
    assert client.get(f"/hand/{hand}/photo-1.jpg").status_code == 404


def test_a_photo_that_cannot_be_read_is_said_and_the_hand_stays(
    client: FlaskClient, begin: Begin, reader: FakeReader, waits: Wait
) -> None:
    hand = begin(read_rows(ROWS))
    reader.fault = PhotoError("broken-photo", plain_text("That photo is damaged."))
    client.post(f"/hand/{hand}/photo", data=upload())
    assert len(waits(hand).tiles) == 16
    assert "That photo is damaged." in client.get(f"/hand/{hand}/").text


@pytest.fixture
def waits(hands: HandRepository, wait_settled: Wait) -> Wait:
    """Wait until no added photograph is to be read any more."""

    def wait(hand: str) -> HandRecord:
        for _ in range(1000):
            if wait_settled(hand).awaited_photo is None:
                return hands.get(hand)
            time.sleep(0.01)
        raise AssertionError("the photograph was not read within ten seconds")

    return wait
