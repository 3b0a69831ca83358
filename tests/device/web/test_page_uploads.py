"""Photographs in: what is taken, and what is refused in words."""

from __future__ import annotations

import io
import struct
import threading
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec import structs

from device.hands.record import HandPhoto
from device.hands.repository import HandRepository
from device.jobs import PhotoQueue
from device.samples import Sample
from device.services import Services
from device.web import Box, create_app
from device.web.contexts import PhotoDesk, find_context
from scorer.message import plain_text, rule_text
from tests.device.conftest import Wait
from tests.device.fake_camera import PATIENCE, wait_until
from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.page import Page
from tests.device.shared_decoder import DECODER
from vision.photo import MAX_READING_PIXELS, Photo
from vision.reading import make_problem


def bomb(width: int, height: int) -> bytes:
    """Return a tiny PNG file that claims to hold a huge picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


PHOTO = picture(lay())


@pytest.mark.parametrize(
    ("data", "name", "status", "words"),
    [
        (b"", "hand.jpg", 400, "That file is empty"),
        (b"Dear box, this is text.", "hand.jpg", 415, "cannot open that file as a photo"),
        (bomb(10_000, 10_000), "hand.png", 413, "100 megapixels"),
        (bomb(60_000, 60_000), "hand.png", 413, "megapixels"),
        (PHOTO[: len(PHOTO) // 2], "hand.jpg", 422, "damaged or incomplete"),
    ],
    ids=["empty", "text", "bomb", "larger-bomb", "half-a-photo"],
)
def test_bad_uploads(
    client: FlaskClient, hands: HandRepository, data: bytes, name: str, status: int, words: str
) -> None:
    answer = client.post("/hands", data={"photo": (io.BytesIO(data), name)})
    assert answer.status_code == status
    assert words in answer.text
    assert Page(answer.text).all("[role=alert]:not([hidden])")
    assert hands.recent() == (), "nothing is kept of it"
    assert client.post("/hands", data=upload()).status_code == 303, "and nothing is broken"


def test_no_upload(client: FlaskClient) -> None:
    forms: tuple[dict[str, object], ...] = (
        {},
        {"photo": "text, not a file"},
        {"photo": (io.BytesIO(b""), "")},
    )
    for form in forms:
        answer = client.post("/hands", data=form)
        assert answer.status_code == 400
        assert "No photo arrived" in answer.text


def upload(data: bytes = PHOTO) -> dict[str, object]:
    return {"photo": (io.BytesIO(data), "hand.jpg")}


def test_a_photo_leads_to_its_stages_and_then_to_its_score(
    client: FlaskClient, reader: FakeReader, wait_settled: Wait
) -> None:
    reader.go_on.clear()
    address = client.post("/hands", data=upload()).headers["Location"]
    waiting_page = client.get(address)
    assert waiting_page.status_code == 200
    assert Page(waiting_page.text).all('[aria-current="step"]')
    assert "data-busy" in waiting_page.text
    reader.go_on.set()
    wait_settled(address.split("/")[2])
    score_page = client.get(address)
    assert score_page.status_code == 200
    assert "data-busy" not in score_page.text
    words = score_page.text.replace("\N{NO-BREAK SPACE}", " ")
    assert "20 + 2 + 16 + 8 + 2 + 2 + 2 + 4 = 56 · ×2 ×2 = 224 (limit 1000)" in words
    assert "15 tiles · 4 sets + pair" in words


def test_the_photo_is_shown_clean(client: FlaskClient, wait_settled: Wait) -> None:
    address = client.post("/hands", data=upload()).headers["Location"]
    wait_settled(address.split("/")[2])
    response = client.get(f"{address}photo.jpg")
    assert response.mimetype == "image/jpeg"
    assert response.data[:2] == b"\xff\xd8"
    assert "private" in response.headers["Cache-Control"]


def test_a_photo_without_tiles_is_said_to_have_none(
    client: FlaskClient, hands: HandRepository, reader: FakeReader, wait_settled: Wait
) -> None:
    sentence = "I found no tiles in this photo."
    reader.reading = structs.replace(
        lay(()), problems=(make_problem("no-tiles", plain_text(sentence)),)
    )
    address = client.post("/hands", data=upload()).headers["Location"]
    hand = address.split("/")[2]
    wait_until(lambda: bool(hands.get(hand).doubts))
    assert sentence in client.get(address).text, "before it counts as read"
    client.post(f"{address}as-it-is")
    wait_settled(hand)
    answer = client.get(address)
    assert answer.status_code == 422
    assert sentence in answer.text
    assert "Add a missed tile" in answer.text, "there is a way on by hand"


def test_a_failed_reading_says_so_and_can_be_tried_again(
    client: FlaskClient, reader: FakeReader, wait_settled: Wait, caplog: pytest.LogCaptureFixture
) -> None:
    reader.fault = RuntimeError("boom")
    address = client.post("/hands", data=upload()).headers["Location"]
    wait_settled(address.split("/")[2])
    answer = client.get(address)
    assert answer.status_code == 422
    assert "Something went wrong while the box read this photo" in answer.text
    assert "boom" not in answer.text
    assert "boom" in caplog.text
    reader.fault = None
    client.post(f"{address}again")
    assert wait_settled(address.split("/")[2]).is_read


def test_a_full_queue_is_said_to_be_full(
    client: FlaskClient,
    jobs: PhotoQueue,
    reader: FakeReader,
    hands: HandRepository,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs, "limit", 3)
    reader.go_on.clear()
    while jobs.has_room:
        assert client.post("/hands", data=upload()).status_code == 303
    answer = client.post("/hands", data=upload())
    assert answer.status_code == 503
    assert "still reading other photos" in answer.text
    assert len(hands.recent(limit=9)) == 3


def test_samples_are_offered_and_can_be_chosen(
    services: Services, tmp_path: Path, wait_settled: Wait
) -> None:
    path = tmp_path / "pungs.jpg"
    path.write_bytes(PHOTO)
    sample = Sample("pungs", rule_text("All <pungs>"), rule_text("A plain hand."), "B222 | |", path)
    client = create_app(Box(services, (sample,))).test_client()
    assert "All &lt;pungs&gt;" in client.get("/single/").text
    assert client.get("/sample/pungs.jpg").mimetype == "image/jpeg"
    assert client.get("/sample/other.jpg").status_code == 404
    assert client.post("/hands", data={"sample": "other"}).status_code == 404
    address = client.post("/hands", data={"sample": "pungs"}).headers["Location"]
    photo = wait_settled(address.split("/")[2]).photo
    assert photo
    assert photo.name == "pungs.jpg"


class SlowDecoder:
    """In place of the decoder: the first picture stays open until it is let go; all are counted.

    The worker, which has the size at hand of what it opens, is none of the phones and passes.
    """

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.opened_names: list[str] = []
        self.open_now = self.most_open = 0
        self._lock = threading.Lock()
        self._open = DECODER.open

    def open(self, data: bytes, name: str, most: int = MAX_READING_PIXELS) -> Photo:
        """Open a picture as ever, one being held."""
        if most != MAX_READING_PIXELS:
            return self._open(data, name, most)
        self.opened_names.append(name)
        with self.counted():
            assert self.let_go.wait(PATIENCE * 2)
            return self._open(data, name)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count a picture as open in the block."""
        with self._lock:
            self.open_now += 1
            self.most_open = max(self.most_open, self.open_now)
        yield
        with self._lock:
            self.open_now -= 1


@pytest.fixture
def slow_decoder(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowDecoder]:
    decoder, keep = SlowDecoder(), HandRepository.keep

    def keep_photo(*args: Any, **options: Any) -> HandPhoto:  # noqa: ANN401 - as it is
        with decoder.counted():
            time.sleep(0.005)  # so that the next picture would be opened meanwhile
            return keep(*args, **options)

    monkeypatch.setattr(DECODER, "open", decoder.open)
    monkeypatch.setattr(HandRepository, "keep", keep_photo)
    yield decoder
    decoder.let_go.set()


class PhoneAnswers:
    """Phones that send one photograph each, and what each is told."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.answers = list[tuple[int, str]]()

    def send(self, number: int) -> None:
        """Send a phone's photograph."""
        phone: FlaskClient = self.app.test_client()
        phone.environ_base["REMOTE_ADDR"] = f"10.0.0.{number}"
        photo = (io.BytesIO(PHOTO), f"phone-{number}.jpg")
        answer = phone.post("/hands", data={"photo": photo})
        self.answers.append((answer.status_code, answer.text))


def test_no_more_phones_than_may_stand_in_the_line_wait_and_the_others_are_told_at_once(
    app: Flask, jobs: PhotoQueue, slow_decoder: SlowDecoder
) -> None:
    phones, accepted_count = 40, 24
    phone_answers, gate = PhoneAnswers(app), find_context(PhotoDesk, app).gate
    with ThreadPoolExecutor(phones) as threads:
        for number in range(phones):
            threads.submit(phone_answers.send, number)
        wait_until(lambda: gate.standing + len(phone_answers.answers) == phones)
        refusals = list(phone_answers.answers)
        slow_decoder.let_go.set()
    statuses = Counter(status for status, _ in phone_answers.answers)
    assert statuses == {303: accepted_count, 503: phones - accepted_count}
    assert all("Please try again in a moment" in text for _, text in refusals)
    assert (len(slow_decoder.opened_names), slow_decoder.most_open) == (accepted_count, 1), (
        "one is open at a time"
    )
    assert gate.standing == 0
    wait_until(lambda: not jobs.is_reading)
