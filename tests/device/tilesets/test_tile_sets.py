"""The table's own set: learnt from confirmed hands if the players allow it, and forgotten again."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec import structs

from device.hands.readings import reading_event
from device.hands.repository import HandRepository
from device.jobs import PhotoQueue
from device.store import Store
from device.store.events import BOX, CropsDeleted, PhotoRead, TileCorrected, TilesConfirmed
from device.tilesets import tile_sets
from device.tilesets.tile_sets import FIRST_SET_ID, TileSets
from device.web.contexts import PhotoDesk, find_context
from scorer.tiles import FACE_DOWN, JOKER
from tests.device.conftest import Wait
from tests.device.fake_camera import wait_until
from tests.device.fake_reader import FakeReader, picture
from tests.vision.laid_hand import SIDE_VIEW, read_rows
from vision.photo import open_photo
from vision.preprocess import CROP_HEIGHT_PX, CROP_WIDTH_PX, NO_TILE

ROWS = ("B2 B2 B2 | O9 O9 O9 O9", "C3 C4 C5 | DR DR DR | WE WE | F1")


def teach(sets: TileSets, hands: HandRepository, hand: str, *, confirm: bool = True) -> None:
    """Confirm a hand and let the box learn from it."""
    if confirm:
        hands.change(hand, TilesConfirmed())
    record = hands.get(hand)
    assert record.photo
    data = hands.picture(record.photo.original)
    sets.learn(record, open_photo(data, record.photo.name))


def read_another(hands: HandRepository, reader: FakeReader, number: int) -> str:
    """Read the same tiles in a photograph whose bytes and pixels are others."""
    data = picture(reader.reading, f"#{number:02x}573f")
    hand = hands.begin(open_photo(data, "hand.jpg"), data, "bmja")
    hands.change(hand, reading_event(reader.reading))
    return hand


@pytest.fixture
def allowed_sets(sets: TileSets) -> TileSets:
    sets.allow(is_allowed=True)
    return sets


def test_nothing_is_kept_before_the_players_say_yes(
    sets: TileSets, hands: HandRepository, read_hand: str, store: Store
) -> None:
    assert sets.may_learn() is None
    teach(sets, hands, read_hand)
    sets.allow(is_allowed=False)
    teach(sets, hands, read_hand, confirm=False)
    assert store.crops(FIRST_SET_ID) == frozenset()
    assert sets.codes(FIRST_SET_ID) == {}


def test_a_confirmed_hand_is_learnt_tile_by_tile(
    allowed_sets: TileSets, hands: HandRepository, read_hand: str, reader: FakeReader
) -> None:
    teach(allowed_sets, hands, read_hand)
    allowed_sets.teach(reader)
    shown_codes = sorted(code for code, _ in reader.registered_sets.values())
    assert set(shown_codes) == {tile.code for tile in reader.reading.tiles}
    assert FACE_DOWN in shown_codes
    assert {shape for _, shape in reader.registered_sets.values()} == {
        (CROP_HEIGHT_PX, CROP_WIDTH_PX, 3)
    }


@pytest.mark.parametrize(
    ("code", "learnt_codes", "reason"),
    [
        ("C6", "C6", "a correction is what is learnt"),
        (None, NO_TILE, "what is no tile is learnt as such"),
        (JOKER, JOKER, "the network has no name for it, the set has"),
    ],
)
def test_a_correction_is_learnt_and_taken_back_with_its_undoing(
    allowed_sets: TileSets,
    hands: HandRepository,
    read_hand: str,
    code: str | None,
    learnt_codes: str,
    reason: str,
) -> None:
    teach(allowed_sets, hands, read_hand)
    name = hands.get(read_hand).crops[7]
    before = allowed_sets.codes(FIRST_SET_ID)[name]
    hands.change(read_hand, TileCorrected(tile=7, code=code))
    assert allowed_sets.codes(FIRST_SET_ID)[name] == learnt_codes, reason
    hands.undo(read_hand, hands.get(read_hand).changes[-1].seq)
    assert allowed_sets.codes(FIRST_SET_ID)[name] == before


def test_a_confirmation_taken_back_unlearns_the_hand(
    allowed_sets: TileSets, hands: HandRepository, read_hand: str
) -> None:
    teach(allowed_sets, hands, read_hand)
    assert allowed_sets.codes(FIRST_SET_ID)
    hands.undo(read_hand, hands.get(read_hand).changes[-1].seq)
    assert allowed_sets.codes(FIRST_SET_ID) == {}
    assert not hands.get(read_hand).tiles_right


def test_deleting_deletes_the_pictures_and_the_log_says_so(
    allowed_sets: TileSets, hands: HandRepository, read_hand: str, store: Store, tmp_path: Path
) -> None:
    teach(allowed_sets, hands, read_hand)
    count = len(store.crops(FIRST_SET_ID))
    allowed_sets.forget(FIRST_SET_ID)
    assert list((tmp_path / "box" / "crops").rglob("*.png")) == []
    assert allowed_sets.codes(FIRST_SET_ID) == {}
    assert store.events(BOX)[-1].event == CropsDeleted(FIRST_SET_ID, count)
    assert hands.get(read_hand).tiles_right, "the hand itself stays as it was"


def test_only_the_newest_pictures_of_a_face_are_kept(
    allowed_sets: TileSets,
    hands: HandRepository,
    reader: FakeReader,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tile_sets, "MAX_PICTURES_PER_FACE", 2)
    other_hands = [read_another(hands, reader, number) for number in (0x10, 0x40, 0x70)]
    for hand in other_hands:
        teach(allowed_sets, hands, hand)
    codes = allowed_sets.codes(FIRST_SET_ID)
    assert max(list(codes.values()).count(code) for code in codes.values()) == 2
    assert store.crops(FIRST_SET_ID) == set(codes), "what is not learnt from lies on no disk"
    flower = [name for name, code in codes.items() if code == "F1"]
    newest_crops = [hands.get(hand).crops[15] for hand in other_hands[1:]]
    assert set(flower) == set(newest_crops)


def test_each_set_is_learnt_apart(
    allowed_sets: TileSets, hands: HandRepository, reader: FakeReader, read_hand: str
) -> None:
    teach(allowed_sets, hands, read_hand)
    allowed_sets.begin("  Grandmother's ")
    assert [each.name for each in allowed_sets.list_sets()] == ["", "Grandmother's"]
    allowed_sets.teach(reader)
    assert reader.registered_sets == {}
    teach(allowed_sets, hands, read_another(hands, reader, 0x60))
    allowed_sets.teach(reader)
    assert reader.registered_sets
    allowed_sets.forget(allowed_sets.chosen_set().id)
    allowed_sets.begin("grandmother's")  # the same one, whichever way it is written
    assert len(allowed_sets.list_sets()) == 2
    allowed_sets.choose(FIRST_SET_ID)
    allowed_sets.teach(reader)
    assert reader.registered_sets, "the first set is still known"


def test_the_next_hand_is_read_by_what_was_learnt(
    allowed_sets: TileSets,
    hands: HandRepository,
    jobs: PhotoQueue,
    reader: FakeReader,
    wait_settled: Wait,
) -> None:
    data = picture(reader.reading)
    first, second = (hands.begin(open_photo(data, "hand.jpg"), data, "bmja") for _ in range(2))
    jobs.submit("hand", first)
    wait_settled(first)
    assert reader.registered_sets == {}
    teach(allowed_sets, hands, first)
    jobs.submit("hand", second)
    wait_settled(second)
    assert {code for code, _ in reader.registered_sets.values()} >= {"B2", "F1"}


def test_the_page_asks_once_and_learns(client: FlaskClient, sets: TileSets, read_hand: str) -> None:
    page = client.get(f"/hand/{read_hand}/").text
    assert "These tiles are right" in page
    assert "May the box learn" not in page
    page = client.post(f"/hand/{read_hand}/right", follow_redirects=True).text
    assert "May the box learn" not in page, "what the score depends on comes first"
    circumstances = {"seat_wind": "E", "prevailing_wind": "E", "winner": "yes", "won_by": "wall"}
    page = client.post(
        f"/hand/{read_hand}/situation", data=circumstances, follow_redirects=True
    ).text
    assert "May the box learn" in page
    assert sets.codes(FIRST_SET_ID) == {}
    page = client.post(
        f"/hand/{read_hand}/learn", data={"learn": "yes"}, follow_redirects=True
    ).text
    assert "May the box learn" not in page
    assert "learns from them" in page
    wait_until(lambda: sets.codes(FIRST_SET_ID))
    assert "All tiles confirmed" in page, "which can be undone as everything else"


def test_who_confirms_waits_for_no_photograph(
    app: Flask, allowed_sets: TileSets, hands: HandRepository, read_hand: str
) -> None:
    """However long another phone's photograph takes: the tiles are cut out by the worker."""
    gate = find_context(PhotoDesk, app).gate
    with gate.in_line(), gate.turn():
        answer = app.test_client().post(f"/hand/{read_hand}/right")
        assert answer.status_code == 303
        wait_until(lambda: hands.get(read_hand).crops)


def test_the_page_of_the_sets(client: FlaskClient, sets: TileSets, read_hand: str) -> None:
    assert "Nothing learnt yet" in client.get("/sets/").text
    client.post("/sets/learning", data={"learn": "yes"})
    client.post(f"/hand/{read_hand}/right")
    wait_until(lambda: "8 of 42 tiles known" in client.get("/sets/").text)
    client.post("/sets/delete", data={"set": FIRST_SET_ID})
    assert "Nothing learnt yet" in client.get("/sets/").text
    page = client.post("/sets/choose", data={"name": "<Travel>"}, follow_redirects=True).text
    assert "&lt;Travel&gt;" in page
    assert sets.chosen_set().name == "<Travel>"
    client.post("/sets/choose", data={"set": FIRST_SET_ID})
    assert sets.chosen_set().id == FIRST_SET_ID
    assert client.post("/sets/choose", data={"set": "none"}).status_code == 404
    assert client.post("/sets/delete", data={"set": "../photos"}).status_code == 404


def test_nothing_is_learnt_of_a_tile_that_nobody_looked_at(
    allowed_sets: TileSets, hands: HandRepository, reader: FakeReader
) -> None:
    """The last set's tiles are left out of the hand here; the player names one of them."""
    left_out = reader.reading.sets[-1].tiles
    reading = structs.replace(reader.reading, sets=reader.reading.sets[:-1])
    data = picture(reading)
    hand = hands.begin(open_photo(data, "hand.jpg"), data, "bmja")
    hands.change(hand, reading_event(reading))
    hands.change(hand, TileCorrected(tile=left_out[0], code="S4"))
    teach(allowed_sets, hands, hand)
    crops = hands.get(hand).crops
    assert left_out[0] in crops
    assert not crops.keys() & set(left_out[1:])
    assert len(crops) == len(reading.tiles) - len(left_out) + 1


def test_of_a_tile_that_only_another_photo_shows_no_picture_is_kept(
    allowed_sets: TileSets, hands: HandRepository
) -> None:
    first = read_rows(ROWS, hidden_places=(7,))
    data = picture(first)
    hand = hands.begin(open_photo(data, "hand.jpg"), data, "bmja")
    hands.change(hand, reading_event(first))
    hands.add_photo(hand, open_photo(data, "again.jpg"), data)
    number = hands.get(hand).processed_photo_count
    whole_reading = read_rows(ROWS, None, SIDE_VIEW)
    hands.change(hand, PhotoRead(number=number, reading=whole_reading))
    assert len(hands.get(hand).tiles) == len(first.tiles) + 1
    teach(allowed_sets, hands, hand)
    assert hands.get(hand).crops.keys() == set(range(len(first.tiles)))
