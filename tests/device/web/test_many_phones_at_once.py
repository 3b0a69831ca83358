"""Phones of several tables press at the same moment: how many photographs are taken in.

Counted, not timed: the first photograph stays open until every phone has been heard.
"""

from __future__ import annotations

import io
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.jobs import PhotoQueue
from tests.device.fake_camera import PATIENCE, until
from tests.device.fake_reader import lay, picture
from tests.device.shared_decoder import DECODER
from vision.photo import MAX_READING_PIXELS, Photo

PHOTO = picture(lay())


class Held:
    """In place of the decoder: the first picture stays open until it is let go; all are counted.

    The worker, which has the size at hand of what it opens, is none of the phones and passes.
    """

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.begun: list[str] = []
        self.open_now = self.most_open = 0
        self._counting = threading.Lock()
        self._open = DECODER.open

    def open(self, data: bytes, name: str, most: int = MAX_READING_PIXELS) -> Photo:
        """Open a picture as ever, one being held."""
        if most != MAX_READING_PIXELS:
            return self._open(data, name, most)
        with self._counting:
            self.begun.append(name)
            self.open_now += 1
            self.most_open = max(self.most_open, self.open_now)
        assert self.let_go.wait(PATIENCE * 2)
        try:
            return self._open(data, name)
        finally:
            with self._counting:
                self.open_now -= 1


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    held = Held()
    monkeypatch.setattr(DECODER, "open", held.open)
    yield held
    held.let_go.set()


class Heard:
    """Phones that send one photograph each, and what each is told."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.told = list[tuple[int, str]]()

    def send(self, number: int) -> None:
        """Send a phone's photograph."""
        phone: FlaskClient = self.app.test_client()
        phone.environ_base["REMOTE_ADDR"] = f"10.0.0.{number}"
        photo = (io.BytesIO(PHOTO), f"phone-{number}.jpg")
        answer = phone.post("/hands", data={"photo": photo})
        self.told.append((answer.status_code, answer.text))


@pytest.mark.parametrize(
    ("phones", "taken", "why"),
    [
        (12, 12, "three tables end a deal at the same moment"),
        (24, 24, "and six"),
        (40, 24, "no more than may stand in the line: the others are told at once"),
    ],
)
def test_who_presses_at_the_same_moment(
    app: Flask, jobs: PhotoQueue, held: Held, phones: int, taken: int, why: str
) -> None:
    heard, gate = Heard(app), app.extensions["tongbox"].gate
    with ThreadPoolExecutor(phones) as threads:
        for number in range(phones):
            threads.submit(heard.send, number)
        until(lambda: gate.standing + len(heard.told) == phones)
        refused = list(heard.told)
        held.let_go.set()
    assert (
        Counter(status for status, _ in heard.told)
        == Counter({303: taken, 503: phones - taken}) + Counter()
    ), why
    assert all("Please try again in a moment" in text for _, text in refused)
    assert (len(held.begun), held.most_open) == (taken, 1), "one is open at a time"
    assert gate.standing == 0
    until(lambda: not jobs.is_reading)
