"""A phone's spoilt photograph: the page asks at once, and nothing is lost whatever happens then."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec import structs

from device.cameras.service import CameraService, CameraTiming
from device.decoding.decoder import Decoder
from device.hands.repository import HandRepository
from device.jobs import PhotoQueue
from device.matches.repository import MatchRepository
from device.samples import load_samples
from device.services import Services, open_services
from device.store import Store
from device.store.events import (
    PhotoAdded,
    PhotoDoubted,
    PhotoRetaken,
    PhotoTaken,
    TableDoubted,
    TablePhotographed,
    TableRetaken,
    WinnerEntered,
)
from device.web import Box, create_app
from scorer.message import message
from tests.device.fake_camera import FakeCamera, single_camera, wait_until
from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.match_play import AGREED_TERMS
from tests.device.page import Page
from tests.device.shared_decoder import DECODER
from vision.photo import MAX_READING_PIXELS, Photo
from vision.reading import Reading, make_problem

DARK = make_problem("too-dark", message("seen.too-dark"))
SENTENCE = "This photo is too dark to read well. Please put more light on the tiles."
_Naming = PhotoTaken | PhotoAdded | PhotoRetaken | TablePhotographed | TableRetaken

NAMING: tuple[type[_Naming], ...] = (
    PhotoTaken,
    PhotoAdded,
    PhotoRetaken,
    TablePhotographed,
    TableRetaken,
)
"""The events that name a photograph."""

QUESTION, RETAKE, ACCEPT = "Take this photo again?", "Take it again", "Read it anyway"

PHOTO, OTHER = picture(lay()), picture(lay(), "#404040")
GOOD = lay()
SPOILT_PHOTO = structs.replace(GOOD, problems=(DARK,))


@dataclass(frozen=True)
class House:
    """A box with a match on the table, whose reader finds every photograph too dark."""

    client: FlaskClient
    store: Store
    jobs: PhotoQueue
    hands: HandRepository
    reader: FakeReader
    hand: str

    def send(self, address: str, data: bytes = PHOTO) -> str:
        """Send a phone's photograph; return where it leads, once the box has looked at it."""
        photo = {"photo": (io.BytesIO(data), "hand.jpg")}
        return self.settled(self.client.post(address, data=photo))

    def tap(self, address: str) -> str:
        """Tap a button; return where that leads, once the box has done what it asks for."""
        return self.settled(self.client.post(address))

    def settled(self, answer: object) -> str:
        location = str(getattr(answer, "headers", {})["Location"])
        stream = next(part for part in location.split("?")[0].split("/")[::-1] if part)
        wait_until(lambda: self.jobs.stage(stream) is None)
        return location

    def page(self, address: str) -> str:
        return self.client.get(address, follow_redirects=True).text

    def doubts(self) -> int:
        """Return how many photographs were asked about."""
        return len(self.store.of_kinds(PhotoDoubted, TableDoubted))


@pytest.fixture
def house(
    client: FlaskClient,
    store: Store,
    jobs: PhotoQueue,
    hands: HandRepository,
    matches: MatchRepository,
    reader: FakeReader,
    read_hand: str,
) -> House:
    matches.change(matches.begin(AGREED_TERMS), WinnerEntered("Cy", "wall"))
    client.post("/table/join", data={"number": "0"})
    reader.reading = SPOILT_PHOTO
    return House(client, store, jobs, hands, reader, read_hand)


Way = Callable[[House], str]

WAYS: dict[str, Way] = {
    "a hand of its own": lambda _: "/hands",
    "another photo of a hand": lambda house: f"/hand/{house.hand}/photo",
    "a player's hand": lambda _: "/table/hand/0",
    "the whole table": lambda _: "/table/whole/",
    "a question": lambda _: "/learn/ask/",
}

ways = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


def action(page: str, words: str) -> str:
    """Return where the form leads whose button says this."""
    return Page(page).single(f'form:has(:lexbor-contains("{words}"))')["action"]


@ways
def test_it_is_asked_about_until_somebody_says_to_read_it(house: House, way: Way) -> None:
    address = house.send(way(house))
    page = house.page(address)
    assert QUESTION in page
    assert SENTENCE in page
    assert "torch" not in page, "without a secure address there is no live picture"
    assert page.index(RETAKE) < page.index(ACCEPT), "taking it again comes first"
    image_url = Page(page).single("figure.photo > img[src]")["src"]
    assert house.client.get(image_url).status_code == 200
    assert house.doubts() == 1
    house.send(action(page, RETAKE), OTHER)
    page = house.page(address)
    assert QUESTION in page, "taken again and spoilt again"
    assert house.doubts() == 2
    assert house.tap(action(page, ACCEPT)) == address
    read = house.page(address)
    assert QUESTION not in read
    assert "data-busy" not in read
    assert house.doubts() == 2, "who has answered is not asked again"
    count = house.store.newer(-1, 0)
    photo = {"photo": (io.BytesIO(OTHER), "hand.jpg")}
    assert house.client.post(action(page, RETAKE), data=photo).status_code == 409
    assert house.client.post(action(page, ACCEPT)).status_code == 409, "who answers second is told"
    assert house.store.newer(-1, 0) == count


@ways
def test_taken_again_it_is_that_one_which_is_read(house: House, way: Way) -> None:
    first_address = house.send(way(house))
    house.reader.reading = GOOD
    address = action(house.page(first_address), RETAKE)
    assert house.send(address, OTHER) == first_address, "the page stays where it is"
    page = house.page(first_address)
    assert QUESTION not in page
    assert "data-busy" not in page
    photos = [each.event.photo.original for each in house.store.of_kinds(*NAMING)]
    assert {house.store.photo(name) for name in photos} >= {PHOTO, OTHER}, "both are kept"


@ways
def test_a_fit_one_costs_no_tap(house: House, way: Way) -> None:
    house.reader.reading = GOOD
    assert QUESTION not in house.page(house.send(way(house)))
    assert house.doubts() == 0


@ways
def test_it_still_stands_there_when_the_box_starts_again(
    house: House, way: Way, store: Store
) -> None:
    address = house.send(way(house))
    before = house.page(address)
    house.jobs.close()
    services = open_services(store, house.reader, DECODER)
    jobs = services.jobs
    try:
        client = create_app(Box(services)).test_client()
        page = client.get(address).text
        wait_until(lambda: not jobs.is_reading)
        assert (QUESTION in page, SENTENCE in page) == (True, True)
        client.post(action(before, ACCEPT))
        wait_until(lambda: not jobs.is_reading)
        assert QUESTION not in client.get(address, follow_redirects=True).text
    finally:
        jobs.close()


def test_the_others_see_at_the_table_that_it_waits(house: House) -> None:
    address = house.send("/table/hand/0")
    other = house.client.application.test_client()
    other.post("/table/join", data={"number": "1"})
    assert "take again?" in other.get("/table/").text
    page = other.get(address).text
    assert (QUESTION in page, "Ann" in page) == (True, True)
    other.post(action(page, ACCEPT))
    wait_until(lambda: not house.jobs.is_reading)
    assert "take again?" not in other.get("/table/").text


def test_the_question_costs_neither_a_decoding_nor_a_reading(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    open_photo, read = Decoder.open, FakeReader.read

    def counted_open(
        self: Decoder, data: bytes, name: str, most: int = MAX_READING_PIXELS
    ) -> Photo:
        calls.append("open")
        return open_photo(self, data, name, most)

    def counted_read(self: FakeReader, *args: Any, **options: Any) -> Reading:  # noqa: ANN401
        calls.append("read")
        return read(self, *args, **options)

    monkeypatch.setattr(Decoder, "open", counted_open)
    monkeypatch.setattr(FakeReader, "read", counted_read)
    for reading in (GOOD, SPOILT_PHOTO):
        house.reader.reading = reading
        calls.clear()
        house.send("/hands")
        assert calls == ["open", "read"], "once, to be kept and to be read"


def test_it_has_no_score_and_holds_the_deal_up(house: House) -> None:
    address = house.send("/table/hand/0")
    hand = address.split("/")[-2]
    before = house.store.newer(-1, 0)
    assert house.client.post("/table/hand/0/right", data={"hand": hand}).status_code != 303
    assert house.store.newer(-1, 0) == before


def test_among_the_newest_hands_it_says_so(house: House) -> None:
    house.send("/hands")
    assert "Take it again?" in house.page("/single/")


def test_a_tile_set_is_registered_as_before(house: House) -> None:
    house.send("/sets/register/")
    assert house.doubts() == 0


def test_a_sample_is_no_phones(
    services: Services, jobs: PhotoQueue, reader: FakeReader, store: Store
) -> None:
    reader.reading = SPOILT_PHOTO
    samples = load_samples()
    client = create_app(Box(services, samples)).test_client()
    client.post("/hands", data={"sample": samples[0].name})
    wait_until(lambda: not jobs.is_reading)
    assert not store.of_kinds(PhotoDoubted)


@pytest.mark.parametrize("address", ["/camera/photo", "/table/hand/0/snap", "/table/whole/snap"])
def test_the_boxs_own_camera_is_aimed_beforehand(
    house: House, services: Services, address: str
) -> None:
    service = CameraService(FakeCamera, pace=CameraTiming(preview=0.01, probe=0.02, tick=0.02))
    try:
        client = create_app(Box(services, cameras=single_camera(service))).test_client()
        wait_until(lambda: service.status.state == "ready")
        assert client.post(address).status_code == 303
        wait_until(lambda: not house.jobs.is_reading)
        assert house.doubts() == 0
    finally:
        service.close()
