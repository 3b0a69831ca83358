"""One way in for a photograph: by whichever page it comes, it is kept and refused alike."""

from __future__ import annotations

import io
import itertools
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from device.cameras.service import CameraService, CameraTiming
from device.jobs import PhotoQueue
from device.matches.repository import MatchRepository
from device.services import Services
from device.settings import SettingsLog
from device.store import Store
from device.store.events import (
    BottomPlayerChosen,
    HandPhoto,
    PhotoAdded,
    PhotoTaken,
    SetPhotoAdded,
    SetPhotographed,
    TablePhotographed,
    WinnerEntered,
)
from device.tilesets.tile_sets import TileSets
from device.web import Box, create_app
from tests.device.fake_camera import FakeCamera, single_camera, wait_until
from tests.device.fake_reader import FakeReader
from tests.device.match_play import AGREED_TERMS
from tests.device.page import Page, get_page
from tests.device.web.test_page_uploads import bomb
from vision.photo import MAX_READING_PIXELS, Photo
from vision.preprocess import RGB
from vision.reading import LooseTiles, Reading

pytestmark = pytest.mark.slow

PACE = CameraTiming(preview=0.01, probe=0.02, pauses=(0.01,), tick=0.02)

PHOTO_EVENTS = (PhotoTaken, PhotoAdded, TablePhotographed, SetPhotographed, SetPhotoAdded)
"""The events that name a photograph."""


class MeasuringReader(FakeReader):
    """Remembers how large the photographs were that it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[tuple[int, int]] = []
        self.is_done = threading.Semaphore(0)

    def read(
        self, photo: Photo, rules: str = "bmja", progress: Callable[[str], None] | None = None
    ) -> Reading:
        self._note_size(photo)
        return super().read(photo, rules, progress)

    def read_set(self, photo: Photo, progress: Callable[[str], None] | None = None) -> LooseTiles:
        self._note_size(photo)
        return super().read_set(photo, progress)

    def _note_size(self, photo: Photo) -> None:
        self.sizes.append((photo.width, photo.height))
        self.is_done.release()


@dataclass(frozen=True)
class House:
    """A box with a match on the table, a hand that was read and a registration begun."""

    client: FlaskClient
    store: Store
    jobs: PhotoQueue
    reader: MeasuringReader
    hand: str
    registration: str

    def newest_photo(self) -> HandPhoto:
        """Return what is kept of the newest photograph."""
        event = self.store.of_kinds(*PHOTO_EVENTS)[-1].event
        assert isinstance(event, PHOTO_EVENTS)
        return event.photo

    def newest_stream(self) -> str:
        """Return the id of what the newest photograph is of."""
        return self.store.of_kinds(*PHOTO_EVENTS)[-1].stream

    def all_that_is_kept(self) -> tuple[int, set[str]]:
        """Return how many events there are, and the names of the pictures."""
        pictures = {path.name for path in (self.store.folder / "photos").iterdir()}
        return self.store.newer(-1, 0), pictures


Way = Callable[[House], str]
"""The address to which a photograph is sent."""

WAYS: dict[str, Way] = {
    "a hand of its own": lambda _: "/hands",
    "another photo of a hand": lambda house: f"/hand/{house.hand}/photo",
    "a player's hand": lambda _: "/table/hand/0",
    "the whole table": lambda _: "/table/whole/",
    "a question": lambda _: "/learn/ask/",
    "a registration": lambda _: "/sets/register/",
    "another photo of a registration": lambda house: f"/sets/register/{house.registration}/photo",
}

SHOTS = {
    "a hand of its own": "/camera/photo",
    "a player's hand": "/table/hand/0/snap",
    "the whole table": "/table/whole/snap",
    "a question": "/learn/ask/snap",
}
"""The same with the box's own camera, where it may be used."""

BY_ITSELF = ("/camera/photo-if-due", "/table/hand/0/snap-if-due", "/learn/ask/snap-if-due")

ways = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


@pytest.fixture
def reader() -> FakeReader:
    return MeasuringReader()


@pytest.fixture
def house(
    app: Flask,
    store: Store,
    jobs: PhotoQueue,
    reader: MeasuringReader,
    matches: MatchRepository,
    sets: TileSets,
    read_hand: str,
) -> House:
    client = app.test_client()
    match = matches.begin(AGREED_TERMS)
    matches.change(match, WinnerEntered("Cy", "wall"))
    client.post("/table/join", data={"number": "0"})
    store.append("x", BottomPlayerChosen("Ann", match, "Ann"))
    url = client.post("/sets/register/", data=upload(jpeg(320, 240))).headers["Location"]
    registration = url.split("/")[-2]
    wait_until(lambda: jobs.stage(registration) is None)
    assert reader.is_done.acquire(timeout=20)
    reader.sizes.clear()
    return House(client, store, jobs, reader, read_hand, registration)


def jpeg(width: int, height: int, orientation: int = 1, kind: str = "JPEG") -> bytes:
    """Return a photograph whose left half is red as its file has it, before any turning."""
    image = Image.new("RGB", (width, height), "#205030")
    image.paste("#d02020", (0, 0, width // 2, height))
    exif = Image.Exif()
    exif[0x0112] = orientation
    output = io.BytesIO()
    image.save(output, kind, exif=exif.tobytes())
    return output.getvalue()


def upload(data: bytes, name: str = "hand.jpg") -> dict[str, object]:
    return {"photo": (io.BytesIO(data), name)}


def page_text(page: str) -> str:
    """Return the sentence of a refusal."""
    return Page(page).single("p.sentence[role=alert]").text


@ways
def test_every_way_refuses_and_takes_a_photo_alike(
    house: House, way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, address = house.all_that_is_kept(), way(house)
    text = house.client.post(address, data=upload(b"Dear box, this is text."))
    assert (text.status_code, "cannot open that file" in page_text(text.text)) == (415, True)
    long = house.client.post(
        address,
        input_stream=io.BytesIO(b"--x"),
        environ_overrides={"CONTENT_LENGTH": str(26 * 2**20)},
        content_type="multipart/form-data; boundary=x",
    )
    assert (long.status_code, "25 megabytes" in page_text(long.text)) == (413, True)
    with monkeypatch.context() as full:
        usage = shutil.disk_usage("/")
        full.setattr(shutil, "disk_usage", lambda _: usage._replace(free=0))
        response = house.client.post(address, data=upload(jpeg(400, 300)))
    assert (response.status_code, "The box is full" in page_text(response.text)) == (507, True)
    assert house.all_that_is_kept() == before
    assert house.client.post(address, data=upload(jpeg(400, 300, 6))).status_code == 303
    photo = house.newest_photo()
    assert (photo.width, photo.height) == (300, 400), "a phone held upright"
    assert house.reader.is_done.acquire(timeout=20)
    assert house.reader.sizes == [(300, 400)]


def test_a_large_photo_is_kept_and_read_within_the_memory_limit(house: House) -> None:
    large = jpeg(5000, 4000)
    assert house.client.post("/hands", data=upload(large)).status_code == 303
    photo = house.newest_photo()
    assert (photo.width, photo.height) == (2500, 2000)
    assert house.store.photo(photo.original) == large, "the evidence stays as it came"
    assert house.reader.is_done.acquire(timeout=20)
    assert house.reader.sizes == [(2500, 2000)]
    assert MAX_READING_PIXELS >= 2500 * 2000


@pytest.mark.parametrize(
    ("orientation", "kind", "size", "red", "reason"),
    [
        (1, "JPEG", (400, 300), "left", "as it comes"),
        (6, "JPEG", (300, 400), "top", "a phone held upright"),
        (3, "JPEG", (400, 300), "right", "a phone upside down"),
        (2, "JPEG", (400, 300), "right", "a mirror image is turned back"),
        (6, "HEIF", (300, 400), "top", "an iPhone's format, which turns by itself"),
    ],
)
def test_every_photo_is_kept_upright(
    house: House,
    orientation: int,
    kind: str,
    size: tuple[int, int],
    red: str,
    reason: str,
) -> None:
    data = jpeg(400, 300, orientation, kind)
    assert house.client.post("/hands", data=upload(data)).status_code == 303
    photo = house.newest_photo()
    assert (photo.width, photo.height) == size, reason
    with Image.open(io.BytesIO(house.store.photo(photo.display))) as image:
        assert reddest_side(np.asarray(image)) == red, reason


def reddest_side(pixels: RGB) -> str:
    height, width, _ = pixels.shape
    edges = {
        "left": pixels[height // 2, 5],
        "right": pixels[height // 2, width - 6],
        "top": pixels[5, width // 2],
        "bottom": pixels[height - 6, width // 2],
    }
    return max(edges, key=lambda side: int(edges[side][0]) - int(edges[side][1]))


@pytest.mark.parametrize(
    ("data", "status", "words"),
    [
        (b"", 400, "That file is empty"),
        (bomb(9000, 8000), 413, "72 megapixels"),
        (jpeg(30, 20), 422, "only 30 by 20 pixels"),
        (jpeg(400, 300)[:-200], 422, "damaged or incomplete"),
        (None, 400, "No photo arrived"),
    ],
    ids=["empty", "too-large", "too-small", "damaged", "none"],
)
def test_what_is_no_use_is_refused_in_words_and_nothing_is_kept(
    house: House, data: bytes | None, status: int, words: str
) -> None:
    before = house.all_that_is_kept()
    answer = house.client.post("/hands", data={} if data is None else upload(data))
    assert answer.status_code == status
    assert words in page_text(answer.text)
    assert house.all_that_is_kept() == before


def fill(house: House) -> None:
    """Let one photograph be read, and as many wait as may."""
    house.reader.go_on.clear()
    assert house.client.post("/hands", data=upload(jpeg(400, 300))).status_code == 303
    wait_until(lambda: house.jobs.stage(house.newest_stream()) == "locate")
    for number in itertools.takewhile(lambda _: house.jobs.has_room, itertools.count()):
        house.jobs.submit("hand", f"{number:012}")


def test_a_full_queue_is_told_before_the_photo_is_looked_at(house: House) -> None:
    addresses = [way(house) for way in WAYS.values()]
    fill(house)
    before = house.all_that_is_kept()
    for address in addresses:
        answer = house.client.post(address, data=upload(b""))
        assert answer.status_code == 503, address
        assert "still reading other photos" in page_text(answer.text)
    assert house.all_that_is_kept() == before


@ways
def test_every_photo_is_read_by_the_worker_while_its_page_tells_how_far(
    house: House, way: Way
) -> None:
    house.reader.go_on.clear()
    answer = house.client.post(way(house), data=upload(jpeg(400, 300)))
    stream = house.newest_stream()
    assert house.jobs.stage(stream) is not None
    address = answer.headers["Location"]
    assert stream in address
    wait_until(lambda: house.jobs.stage(stream) == "locate")
    waiting_page = get_page(house.client, address)
    assert waiting_page.all("[data-busy]")
    assert waiting_page.texts("[aria-current=step] > span:first-child") == ["Finding tiles"]
    house.reader.go_on.set()
    wait_until(lambda: house.jobs.stage(stream) is None)
    assert not get_page(house.client, address).all("[data-busy]")
    assert house.reader.sizes == [(400, 300)]


@pytest.fixture
def camera() -> FakeCamera:
    """Return a camera whose stills are of 20 megapixels, more than is read."""
    camera = FakeCamera()
    camera.picture = np.full((4000, 5000, 3), 90, np.uint8)
    return camera


@pytest.fixture
def shooting(
    house: House, services: Services, jobs: PhotoQueue, camera: FakeCamera
) -> Iterator[House]:
    service = CameraService(camera, pace=PACE)
    app = create_app(Box(services, cameras=single_camera(service)))
    app.testing = True
    wait_until(lambda: service.status.state == "ready")
    yield House(app.test_client(), house.store, jobs, house.reader, house.hand, house.registration)
    service.close()


@pytest.mark.parametrize("address", SHOTS.values(), ids=SHOTS)
def test_the_boxs_own_camera_takes_the_same_way(shooting: House, address: str) -> None:
    assert shooting.client.post(address).status_code == 303
    photo = shooting.newest_photo()
    assert (photo.width, photo.height) == (2500, 2000)
    assert shooting.reader.is_done.acquire(timeout=20)
    assert shooting.reader.sizes == [(2500, 2000)]


def test_the_camera_takes_no_photo_while_the_queue_is_full(
    shooting: House, camera: FakeCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    SettingsLog(shooting.store).change("snap_when_ready", True)
    fill(shooting)
    before = shooting.all_that_is_kept()
    monkeypatch.setattr(camera, "take_still", lambda _: pytest.fail("a photograph for nothing"))
    for address in (*SHOTS.values(), *BY_ITSELF):
        answer = shooting.client.post(address)
        assert answer.status_code == 503, address
        assert "still reading other photos" in page_text(answer.text)
    assert shooting.all_that_is_kept() == before
