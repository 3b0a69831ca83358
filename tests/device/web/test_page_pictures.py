"""Pictures that are traps, sent to the page: a sentence each, never a fault; the box goes on."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.commands.serve import MAX_LONG_THREADS, SERVER_LIMITS
from device.decoding.decoder import MAX_PHOTOGRAPHS_IN_LINE
from device.hands.repository import HandRepository
from device.jobs import PhotoQueue
from device.server.limits import MAX_JUDGED_FRAMES, MAX_STREAMS
from device.store import Store
from tests.device.conftest import Wait
from tests.device.decoding.pictures import (
    damaged_pictures,
    draw_chequered,
    heic_of_two_sizes,
    one_colour,
    with_odd_exif,
)
from tests.device.fake_camera import wait_until
from tests.device.shared_decoder import DECODER
from vision.photo import open_photo

PHOTO = draw_chequered("JPEG", 400, 300)


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let the page decode by a process to which pictures do what they say; return its notes."""
    notes = tmp_path / "notes"
    command = (sys.executable, "-m", "tests.device.decoding.stand_in", str(notes))
    DECODER.end()
    monkeypatch.setattr(DECODER, "command", command)
    yield notes
    DECODER.end()


def send(client: FlaskClient, data: bytes) -> tuple[int, str]:
    answer = client.post("/hands", data={"photo": (io.BytesIO(data), "hand.jpg")})
    return answer.status_code, answer.text


@pytest.mark.parametrize(
    ("make_picture", "status", "words"),
    [
        (lambda: with_odd_exif("JPEG"), 303, ""),
        (heic_of_two_sizes, 422, "damaged or incomplete"),
        (lambda: one_colour("PNG", 24, 266_666), 422, "a strip of 24 by 266666 pixels"),
        (lambda: one_colour("PNG", 24, 400), 422, "a strip"),
        (lambda: one_colour("JPEG", 2400, 300), 303, ""),
    ],
    ids=["odd EXIF", "HEIC", "strip", "short strip", "panorama 8:1"],
)
def test_odd_pictures(
    client: FlaskClient, make_picture: Callable[[], bytes], status: int, words: str
) -> None:
    answer, text = send(client, make_picture())
    assert answer == status
    assert words in text
    assert client.get("/").status_code == 200


def test_a_picture_that_ends_its_decoder(
    client: FlaskClient, hands: HandRepository, stand_in: Path
) -> None:
    status, text = send(client, PHOTO + b"killed")
    assert status == 422
    assert "could not open that photo" in text
    assert hands.recent() == (), "nothing is kept of it"
    assert send(client, PHOTO)[0] == 303


def test_a_picture_that_ends_its_decoder_when_it_is_read(
    client: FlaskClient, hands: HandRepository, jobs: PhotoQueue, wait_settled: Wait, stand_in: Path
) -> None:
    hand = hands.begin(open_photo(PHOTO, "hand.jpg"), PHOTO + b"killed", "bmja")
    jobs.submit("hand", hand)
    assert wait_settled(hand).failure
    assert "could not open that photo" in client.get(f"/hand/{hand}/").text
    address = client.post("/hands", data={"photo": (io.BytesIO(PHOTO), "hand.jpg")})
    assert wait_settled(address.headers["Location"].split("/")[2]).is_read


def test_pages_find_a_free_thread_while_all_who_may_wait_for_a_picture() -> None:
    assert MAX_LONG_THREADS >= MAX_STREAMS + MAX_PHOTOGRAPHS_IN_LINE + MAX_JUDGED_FRAMES
    assert SERVER_LIMITS.threads > MAX_LONG_THREADS


def test_pages_answer_while_as_many_pictures_wait_as_may(app: Flask, stand_in: Path) -> None:
    phones = MAX_PHOTOGRAPHS_IN_LINE + 10
    with ThreadPoolExecutor(phones + 1) as threads:
        first = threads.submit(send, app.test_client(), PHOTO + b"waits")
        wait_until(lambda: stand_in.exists() and "begins" in stand_in.read_text())
        uploads = [threads.submit(send, app.test_client(), PHOTO) for _ in range(phones)]
        try:
            wait_until(
                lambda: (
                    sum(each.done() for each in uploads) == phones - (MAX_PHOTOGRAPHS_IN_LINE - 1)
                )
            )
            assert {each.result()[0] for each in uploads if each.done()} == {503}
            assert app.test_client().get("/").status_code == 200
            assert not first.done()
        finally:
            stand_in.with_name("notes.go").touch()
        assert [each.result()[0] for each in (first, *uploads)].count(
            303
        ) == MAX_PHOTOGRAPHS_IN_LINE


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (b"", "nothing was written before the plug was pulled"),
        (PHOTO[:-100], "half of it"),
        (PHOTO[:-1] + b"x", "a card that has gone bad"),
    ],
    ids=["empty", "cut off", "changed"],
)
def test_a_damaged_file_is_mended_by_the_same_photo(
    client: FlaskClient, store: Store, wait_settled: Wait, damage: bytes, reason: str
) -> None:
    form = {"photo": (io.BytesIO(PHOTO), "hand.jpg")}
    address = client.post("/hands", data=form).headers["Location"]
    photo = wait_settled(address.split("/")[2]).photo
    assert photo
    shown_photo = client.get(f"{address}photo.jpg").data
    for name in (photo.original, photo.display):
        (store.folder / "photos" / name).write_bytes(damage)
    assert send(client, PHOTO)[0] == 303
    assert store.photo(photo.original) == PHOTO, reason
    assert client.get(f"{address}photo.jpg").data == shown_photo, reason


@pytest.mark.slow
def test_damaged_pictures_are_taken_or_refused_in_words(
    client: FlaskClient, jobs: PhotoQueue
) -> None:
    for kind, data in damaged_pictures(40):
        wait_until(lambda: jobs.has_room)
        status, _ = send(client, data)
        assert status == 303 or 400 <= status < 500, (kind, data.hex())
    assert send(client, PHOTO)[0] == 303
