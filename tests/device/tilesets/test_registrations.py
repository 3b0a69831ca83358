"""Registering a set: nothing is learnt before the players say so, and replay tells the rest."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from flask.testing import FlaskClient
from msgspec import structs

from device.hands.record import UnknownHandError
from device.hands.repository import ChangeRefusedError, HandRepository
from device.jobs import PhotoQueue
from device.store import Envelope, Store, StoreError
from device.store.events import SetSaved, TileCorrected
from device.store.projection import replay_all
from device.tilesets import tile_sets
from device.tilesets.registrations import REGISTRATIONS, Registration
from device.tilesets.tile_sets import FIRST_SET_ID, TileSets
from scorer.message import plain_text
from scorer.tiles import FACE_DOWN, JOKER
from tests.device.conftest import Wait
from tests.device.events import event_of
from tests.device.fake_camera import wait_until
from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.page import Page
from tests.device.tilesets.test_tile_sets import read_another, teach
from vision.errors import PhotoError
from vision.photo import open_photo
from vision.preprocess import NO_TILE
from vision.reading import make_problem
from vision.set_registration import name_by_order

pytestmark = pytest.mark.slow

SUIT = " ".join(f"B{rank}" for rank in range(1, 10))


@pytest.fixture
def reader() -> FakeReader:
    """Return a reader that sees nine bamboos in one row and three doubtful tiles in another."""
    return FakeReader(lay([("exposed", SUIT), ("concealed", "F1 F2 O5")], doubtful=(9, 10, 11)))


@pytest.fixture
def laid_set(sets: TileSets, reader: FakeReader) -> str:
    """Return a registration whose photograph was read."""
    data = picture(reader.reading)
    registration = sets.registrations.begin(FIRST_SET_ID, open_photo(data, "set.jpg"), data)
    named_tiles = name_by_order(reader.read_set(open_photo(data, "set.jpg")).tiles)
    sets.registrations.record_reading(registration, 0, named_tiles)
    return registration


def keep(sets: TileSets, hands: HandRepository, registration: str) -> Registration:
    record = sets.registrations.get(registration)
    photos = [open_photo(hands.picture(each.photo.original), "") for each in record.photos]
    sets.register(record, photos)
    return sets.registrations.get(registration)


def test_nothing_is_kept_before_the_players_say_so(
    sets: TileSets, store: Store, laid_set: str
) -> None:
    assert sets.registrations.get(laid_set).to_keep()
    assert store.crops(FIRST_SET_ID) == frozenset()
    assert sets.codes(FIRST_SET_ID) == {}


def test_what_is_kept_is_learnt_without_asking_again(
    sets: TileSets, hands: HandRepository, laid_set: str, reader: FakeReader
) -> None:
    assert sets.may_learn() is None, "registering is the consent, for these pictures alone"
    record = keep(sets, hands, laid_set)
    sets.teach(reader)
    shown_codes = [code for code, _ in reader.registered_sets.values()]
    assert set(shown_codes) >= {f"B{rank}" for rank in range(1, 10)}
    assert len(shown_codes) == len(record.crops)
    assert sets.may_learn() is None


def test_what_is_asked_is_not_kept_until_it_is_answered(
    sets: TileSets, hands: HandRepository, laid_set: str
) -> None:
    record = sets.registrations.get(laid_set)
    tiles = dict(record.tiles())
    place = next(place for place, tile in tiles.items() if tile.read.code == "O5")
    before = set(record.to_keep())
    sets.registrations.name(laid_set, place, None)
    assert place not in sets.registrations.get(laid_set).to_keep(), "struck out"
    sets.registrations.name(laid_set, place, JOKER)
    after = keep(sets, hands, laid_set)
    assert set(after.crops) == before | {place}
    assert JOKER in sets.codes(FIRST_SET_ID).values()


@pytest.mark.parametrize(
    ("code", "learnt_codes", "reason"),
    [("B7", "B7", "put right"), (None, NO_TILE, "struck out"), (JOKER, JOKER, "a joker")],
)
def test_a_name_put_right_later_is_learnt_and_taken_back_with_its_undoing(
    sets: TileSets,
    hands: HandRepository,
    laid_set: str,
    code: str | None,
    learnt_codes: str,
    reason: str,
) -> None:
    name = keep(sets, hands, laid_set).crops[0, 0]
    before = sets.codes(FIRST_SET_ID)[name]
    sets.registrations.name(laid_set, (0, 0), code)
    assert sets.codes(FIRST_SET_ID)[name] == learnt_codes, reason
    (change,) = sets.registrations.get(laid_set).changes
    sets.registrations.undo(laid_set, change)
    assert sets.codes(FIRST_SET_ID)[name] == before
    with pytest.raises(ChangeRefusedError):
        sets.registrations.undo(laid_set, change)


def test_hands_never_push_out_what_was_registered(
    sets: TileSets,
    hands: HandRepository,
    laid_set: str,
    reader: FakeReader,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tile_sets, "MAX_PICTURES_PER_FACE", 2)
    registered_crops = set(keep(sets, hands, laid_set).crops.values())
    sets.allow(is_allowed=True)
    for number in range(4):
        teach(sets, hands, read_another(hands, reader, 0x20 * (number + 1)))
    codes = sets.codes(FIRST_SET_ID)
    assert registered_crops <= codes.keys()
    assert len(codes) > len(registered_crops), "and hands fill what room is left"
    assert max(list(codes.values()).count(code) for code in codes.values()) == 2
    assert store.crops(FIRST_SET_ID) == codes.keys()


def test_deleting_deletes_what_was_registered(
    sets: TileSets, hands: HandRepository, laid_set: str, store: Store
) -> None:
    keep(sets, hands, laid_set)
    sets.forget(FIRST_SET_ID)
    assert store.crops(FIRST_SET_ID) == frozenset()
    assert sets.codes(FIRST_SET_ID) == {}


@pytest.mark.parametrize(
    ("kind", "data", "reason"),
    [
        ("set-tile-named", {"photo": 0, "tile": 99, "code": "B1"}, "there is no such tile"),
        ("set-tile-named", {"photo": -1, "tile": 0, "code": "B1"}, "nor such a photograph"),
        ("set-tile-named", {"photo": 0, "tile": 0, "code": "Z9"}, "there is no such face"),
        ("set-kept", {"crops": {"here": "a.png"}}, "that is no place"),
        ("tiles-confirmed", {}, "it happens to hands"),
    ],
)
def test_a_change_that_makes_no_sense_is_refused(
    sets: TileSets, laid_set: str, kind: str, data: dict[str, object], reason: str
) -> None:
    version = sets.registrations.get(laid_set).version
    with pytest.raises(ChangeRefusedError):
        sets.registrations.change(laid_set, event_of(kind, data))
    assert sets.registrations.get(laid_set).version == version, reason


def test_events_that_make_no_registration_are_told() -> None:
    torn_event = Envelope(1, "set-1", SetSaved({}), datetime.now(UTC))
    with pytest.raises(StoreError):
        replay_all(REGISTRATIONS, [torn_event])
    with pytest.raises(UnknownHandError):
        replay_all(REGISTRATIONS, [])


def upload(reader: FakeReader) -> dict[str, object]:
    return {"photo": (io.BytesIO(picture(reader.reading)), "set.jpg")}


def await_page(client: FlaskClient, jobs: PhotoQueue, url: str) -> str:
    """Return the page of a registration once its photograph was read."""
    wait_until(lambda: jobs.stage(url.split("/")[-2]) is None)
    return client.get(url).text


def test_a_set_is_registered_on_the_page(
    client: FlaskClient, jobs: PhotoQueue, sets: TileSets, reader: FakeReader
) -> None:
    assert "flowers 1 to 4" in client.get("/sets/register/").text
    url = client.post("/sets/register/", data=upload(reader)).headers["Location"]
    page = await_page(client, jobs, url)
    assert "Are these names right?" in page
    assert "tiles are not in the photo: 1 character," in page
    assert sets.codes(FIRST_SET_ID) == {}
    sheet = Page(page).attributes("href", '[href$="/tile/0-0"]')[0]
    assert "Which tile is this?" in client.get(sheet).text
    page = client.post(sheet, data={"code": "none"}, follow_redirects=True).text
    assert "Not tiles" in page
    page = client.post(f"{url}keep", follow_redirects=True).text
    assert "knows these tiles now" in page
    assert sets.codes(FIRST_SET_ID)
    assert "Check the registered tiles" in client.get("/sets/").text


def test_what_was_saved_is_marked_no_more(
    client: FlaskClient, sets: TileSets, reader: FakeReader
) -> None:
    data = picture(reader.reading)
    registration = sets.registrations.begin(FIRST_SET_ID, open_photo(data, "set.jpg"), data)
    named_set = name_by_order(reader.read_set(open_photo(data, "set.jpg")).tiles)
    doubtful_tiles = tuple(structs.replace(each, standing="look") for each in named_set.tiles)
    sets.registrations.record_reading(registration, 0, replace(named_set, tiles=doubtful_tiles))
    url = f"/sets/register/{registration}/"
    assert "marked with ?" in client.get(url).text
    page = client.post(f"{url}keep", follow_redirects=True).text
    assert "marked with ?" not in page


def test_three_photographs_and_no_more(
    client: FlaskClient, jobs: PhotoQueue, sets: TileSets, reader: FakeReader
) -> None:
    url = client.post("/sets/register/", data=upload(reader)).headers["Location"]
    assert "One more photo" in await_page(client, jobs, url)
    for _ in range(2):
        client.post(f"{url}photo", data=upload(reader))
        page = await_page(client, jobs, url)
    assert "One more photo" not in page
    assert "Photo 3:" in page
    assert client.post(f"{url}photo", data=upload(reader)).status_code == 400
    assert client.get(f"{url}photo-2.jpg").mimetype == "image/jpeg"
    assert client.get(f"{url}photo-3.jpg").status_code == 404
    client.post(f"{url}keep")
    assert list(sets.codes(FIRST_SET_ID).values()).count("B1") >= 1


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (
            PhotoError("broken-photo", plain_text("That photo is damaged.")),
            "That photo is damaged.",
        ),
        (ValueError("a fault in the box"), "Something went wrong while the box read this photo."),
    ],
)
def test_a_photograph_that_cannot_be_read_is_told(
    client: FlaskClient, jobs: PhotoQueue, reader: FakeReader, fault: Exception, words: str
) -> None:
    reader.fault = fault
    url = client.post("/sets/register/", data=upload(reader)).headers["Location"]
    page = await_page(client, jobs, url)
    assert words in page
    assert "Keep" not in page, "there is nothing to keep"


def test_a_box_switched_off_while_it_read_offers_to_read_again(
    client: FlaskClient, jobs: PhotoQueue, sets: TileSets, reader: FakeReader
) -> None:
    data = picture(reader.reading)
    registration = sets.registrations.begin(FIRST_SET_ID, open_photo(data, "set.jpg"), data)
    url = f"/sets/register/{registration}/"
    assert "was switched off before" in client.get(url).text
    client.post(f"{url}again")
    assert "Are these names right?" in await_page(client, jobs, url)
    assert "was switched off before" not in client.get(url).text


def test_unknown_registrations_and_tiles_are_no_pages(client: FlaskClient, laid_set: str) -> None:
    assert client.get("/sets/register/set-none/").status_code == 404
    assert client.get(f"/sets/register/{laid_set}/tile/0-99").status_code == 404
    assert client.get(f"/sets/register/{laid_set}/tile/7-0").status_code == 404
    name = {"code": "B1"}
    assert client.post(f"/sets/register/{laid_set}/tile/0-99", data=name).status_code == 409


@pytest.fixture
def two_sets(sets: TileSets, hands: HandRepository, laid_set: str, reader: FakeReader) -> str:
    """Let the box know two sets, the first of them on the table; return the id of the other."""
    keep(sets, hands, laid_set)
    sets.begin("Ann's")
    other = sets.chosen_set().id
    data = picture(reader.reading, "#603010")
    registration = sets.registrations.begin(other, open_photo(data, "set.jpg"), data)
    named_tiles = name_by_order(reader.read_set(open_photo(data, "set.jpg")).tiles)
    sets.registrations.record_reading(registration, 0, named_tiles)
    keep(sets, hands, registration)
    sets.choose(FIRST_SET_ID)
    return other


def read(hands: HandRepository, jobs: PhotoQueue, reader: FakeReader, wait_settled: Wait) -> str:
    data = picture(reader.reading)
    hand = hands.begin(open_photo(data, "hand.jpg"), data, "bmja")
    jobs.submit("hand", hand)
    wait_settled(hand)
    return hand


def test_another_set_is_asked_about_and_never_taken_by_itself(
    client: FlaskClient,
    sets: TileSets,
    hands: HandRepository,
    jobs: PhotoQueue,
    reader: FakeReader,
    wait_settled: Wait,
    two_sets: str,
) -> None:
    reader.says_whose = two_sets
    hand = read(hands, jobs, reader, wait_settled)
    assert "These look like the tiles of “Ann&#39;s”" in client.get(f"/hand/{hand}/").text
    assert sets.chosen_set().id == FIRST_SET_ID
    client.post(f"/hand/{hand}/set")
    wait_settled(hand)
    assert sets.chosen_set().id == two_sets
    assert client.post(f"/hand/{hand}/set").status_code == 409, "nothing is asked any more"
    record = hands.get(hand)
    assert record.is_read, "and its tiles stay"
    assert record.looks_like == ""
    assert "These look like" not in client.get(f"/hand/{hand}/").text


def test_what_players_put_right_is_never_read_anew(
    client: FlaskClient,
    hands: HandRepository,
    jobs: PhotoQueue,
    reader: FakeReader,
    wait_settled: Wait,
    two_sets: str,
) -> None:
    reader.says_whose = two_sets
    hand = read(hands, jobs, reader, wait_settled)
    hands.change(hand, TileCorrected(tile=0, code="B5"))
    assert "These look like" not in client.get(f"/hand/{hand}/").text
    assert client.post(f"/hand/{hand}/set").status_code == 409
    assert hands.get(hand).tiles[0].code == "B5"


def test_a_box_that_knows_one_set_asks_nothing(
    client: FlaskClient,
    hands: HandRepository,
    jobs: PhotoQueue,
    reader: FakeReader,
    wait_settled: Wait,
) -> None:
    reader.says_whose = "another"
    hand = read(hands, jobs, reader, wait_settled)
    assert hands.get(hand).looks_like == ""


def test_a_problem_is_kept_with_its_photograph(sets: TileSets, laid_set: str) -> None:
    sets.registrations.record_failure(
        laid_set, 0, make_problem("no-tiles", plain_text("There are none."))
    )
    record = sets.registrations.get(laid_set)
    assert [each.text for each in record.photos[0].problems] == ["There are none."]
    assert record.awaited_photo is None
    assert FACE_DOWN not in {tile.code for _, tile in record.tiles()}
