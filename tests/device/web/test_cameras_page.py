"""The box's camera on the page: the live picture, the words beside it, the shutter."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient
from PIL import Image
from werkzeug.test import TestResponse

from device.cameras import shutter
from device.cameras.base import CameraNotFoundError, CameraUnavailableError
from device.cameras.service import CameraService, CameraTiming
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.jobs import PhotoQueue
from device.server import limits
from device.services import Services
from device.web import Box, box_camera, create_app
from scorer.message import plain_text
from tests.device.cameras.test_cameras_aiming import hand as drawn
from tests.device.conftest import Wait
from tests.device.fake_camera import FakeCamera, single_camera, wait_until
from tests.device.fake_reader import FakeReader
from tests.device.page import get_page

PACE = CameraTiming(preview=0.01, probe=0.02, pauses=(0.01,), tick=0.02)


@pytest.fixture
def camera() -> FakeCamera:
    return FakeCamera()


@pytest.fixture
def service(camera: FakeCamera) -> Iterator[CameraService]:
    service = CameraService(camera, optional=True, pace=PACE)
    yield service
    camera.let_go.set()
    service.close()


@pytest.fixture
def page(services: Services, service: CameraService) -> FlaskClient:
    app = create_app(Box(services, cameras=single_camera(service)))
    app.testing = True
    wait_until(lambda: service.status.state == "ready")
    return app.test_client()


def test_without_a_camera_the_page_is_as_ever(client: FlaskClient) -> None:
    home = client.get("/single/").text
    assert "data-camera" not in home
    assert "Take a photo" in home
    for address in ("/camera/live.mjpg", "/camera/now"):
        assert client.get(address).status_code == 404
    for address in ("/camera/photo", "/camera/adjust"):
        assert client.post(address).status_code == 404


def test_a_box_that_found_no_camera_says_nothing_of_one(
    camera: FakeCamera, services: Services
) -> None:
    camera.start_fault = CameraNotFoundError(plain_text("None."))
    service = CameraService(camera, optional=True, pace=PACE)
    client = create_app(Box(services, cameras=single_camera(service))).test_client()
    wait_until(lambda: service.status.state == "absent")
    assert "data-camera" not in client.get("/single/").text
    camera.start_fault = None  # it is plugged in
    wait_until(lambda: service.status.state == "ready")
    assert "data-camera" in client.get("/single/").text
    service.close()


def test_the_page_offers_the_live_picture_and_the_shutter(page: FlaskClient) -> None:
    home = get_page(page, "/single/")
    assert home.all('[src="/camera/live.mjpg"]')
    assert "Take the photo" in home.text
    assert "Photo with this phone" in home.text, "the way without the box's camera stays"
    assert "Focus the camera again" in home.text
    assert home.single("p.says[role=status]").text == "", "words that nothing keeps true"


def test_stored_photographs_are_not_said_to_be_the_table(
    services: Services, camera: FakeCamera
) -> None:
    camera.info = replace(camera.info, is_stored=True)
    service = CameraService(camera, optional=True, pace=PACE)
    with closing(service):
        wait_until(lambda: service.status.state == "ready")
        page = get_page(
            create_app(Box(services, cameras=single_camera(service))).test_client(), "/single/"
        )
        camera.let_go.set()
    assert say("camera.stored") in page.text
    assert page.single(".camera .primary").text == say("camera.use-stored")


def test_the_shutter_begins_a_hand_that_is_read(page: FlaskClient, wait_settled: Wait) -> None:
    answer = page.post("/camera/photo")
    assert answer.status_code == 303
    hand = answer.headers["Location"].split("/")[2]
    record = wait_settled(hand)
    assert record.is_read
    assert record.photo
    assert (record.photo.width, record.photo.height) == (640, 640)


def test_a_full_queue_takes_no_photo(
    page: FlaskClient,
    jobs: PhotoQueue,
    reader: FakeReader,
    hands: HandRepository,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader.go_on.clear()
    monkeypatch.setattr(jobs, "limit", 2)
    while jobs.has_room:
        assert page.post("/camera/photo").status_code == 303
    hand_count = len(hands.recent(limit=20))
    answer = page.post("/camera/photo")
    assert answer.status_code == 503
    assert "still reading other photos" in answer.text
    assert len(hands.recent(limit=20)) == hand_count


def test_a_lost_camera_is_said_to_be_lost_and_comes_back_by_itself(
    page: FlaskClient, camera: FakeCamera, service: CameraService, hands: HandRepository
) -> None:
    camera.fault = camera.start_fault = CameraUnavailableError(
        plain_text("Please check its cable.")
    )
    wait_until(lambda: service.status.state == "lost")
    home = get_page(page, "/single/")
    assert home.all('[data-state="lost"]')
    assert "Please check its cable." in home.text
    assert page.get("/camera/now").json == {"state": "lost", "words": "Please check its cable."}
    answer = page.post("/camera/photo")
    assert answer.status_code == 503
    assert "Please check its cable." in answer.text
    assert hands.recent() == ()
    camera.fault = camera.start_fault = None
    wait_until(lambda: page.get("/camera/now").json["state"] == "ready")  # type: ignore[index]
    assert page.post("/camera/photo").status_code == 303


def test_the_words_are_those_of_the_hint(page: FlaskClient) -> None:
    wait_until(lambda: page.get("/camera/now").json.get("hint") == "no-hand")  # type: ignore[union-attr]
    status = page.get("/camera/now").json
    assert status is not None
    assert status["words"] == "Move the hand into the frame", "the picture is one grey"


def test_the_live_picture_is_one_jpeg_after_another(page: FlaskClient) -> None:
    answer = page.get("/camera/live.mjpg", buffered=False)
    assert answer.mimetype == "multipart/x-mixed-replace"
    assert "no-store" in answer.headers["Cache-Control"]
    boundary = answer.mimetype_params["boundary"].encode()
    parts = answer.iter_encoded()
    for _ in range(3):
        head, _, data = next(parts).partition(b"\r\n\r\n")
        assert head.startswith(b"--" + boundary + b"\r\nContent-Type: image/jpeg")
        assert f"Content-Length: {len(data) - 2}".encode() in head
        assert Image.open(io.BytesIO(data)).size == (64, 64)
    answer.close()


def test_a_phone_too_many_gets_a_picture_that_does_not_move(page: FlaskClient) -> None:
    def look(phone: int) -> TestResponse:
        address = {"REMOTE_ADDR": f"10.0.0.{phone}"}
        return page.get("/camera/live.mjpg", buffered=False, environ_base=address)

    phones = range(limits.MAX_STREAMS_PER_CAMERA)
    lives = [look(phone // limits.MAX_STREAMS_PER_PHONE) for phone in phones]
    streams = [live.iter_encoded() for live in lives]
    for stream in streams:
        next(stream)
    assert len(list(look(9).iter_encoded())) == 1
    lives[0].close()  # a phone that goes makes room
    assert len(list(look(1).iter_encoded())) == 1, "this one has its share"
    response = look(9)
    pictures = response.iter_encoded()
    assert next(pictures)
    assert next(pictures)
    for live in (*lives, response):
        live.close()


def test_a_live_picture_ends_with_its_camera_or_its_time(
    page: FlaskClient, camera: FakeCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(box_camera, "MAX_STREAM_S", 0.0)
    assert len(list(page.get("/camera/live.mjpg").iter_encoded())) == 1
    monkeypatch.setattr(box_camera, "MAX_STREAM_S", 3600.0)
    monkeypatch.setattr(box_camera, "PICTURE_TIMEOUT_S", 0.05)
    camera.fault = camera.start_fault = CameraUnavailableError(plain_text("Gone."))
    assert len(list(page.get("/camera/live.mjpg").iter_encoded())) <= 1


def test_the_camera_is_focused_again_when_asked(page: FlaskClient, camera: FakeCamera) -> None:
    assert page.post("/camera/adjust").status_code == 303
    assert camera.adjust_count == 1


def test_a_new_look_never_shows_what_lay_there_long_ago(camera: FakeCamera) -> None:
    service = CameraService(camera, pace=replace(PACE, watch_timeout=0.05))
    wait_until(lambda: service.status.state == "ready")
    old = service.look(0, 10)
    assert old is not None
    previews = camera.previews
    wait_until(lambda: camera.previews > previews + 8)  # longer than it is looked at
    fresh = service.look(0, 10)
    assert fresh is not None
    assert fresh.seq > old.seq
    service.close()


@pytest.fixture
def by_itself(
    camera: FakeCamera,
    services: Services,
    jobs: PhotoQueue,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[FlaskClient]:
    """Serve a box that photographs by itself, with a hand on the table."""
    monkeypatch.setattr(shutter, "STEADY_TIME_S", 0.1)
    camera.picture = drawn()
    service = CameraService(camera, count=jobs.count_tiles, pace=replace(PACE, count=1.0))
    client = create_app(Box(services, cameras=single_camera(service))).test_client()
    wait_until(lambda: service.status.state == "ready")
    assert client.post("/camera/by-itself", data={"on": "yes"}).status_code == 303
    yield client
    service.close()


def read_status(client: FlaskClient, ask: str = "/camera/now") -> dict[str, Any]:
    answer = client.get(ask).json
    assert answer is not None
    return dict(answer)


def test_the_box_takes_a_hand_by_itself_once(
    by_itself: FlaskClient, camera: FakeCamera, hands: HandRepository, wait_settled: Wait
) -> None:
    wait_until(lambda: read_status(by_itself)["snap"])
    assert read_status(by_itself)["hand"] == ""
    for _ in range(2):  # two phones ask
        assert by_itself.post("/camera/photo-if-due").status_code == 204
    (hand,) = hands.recent()
    assert wait_settled(hand.id).is_read
    assert hand.camera == {"ExposureTime": 20000, "by_itself": True}
    wait_until(lambda: read_status(by_itself)["words"] == say("camera.by-itself.taken"))
    assert read_status(by_itself)["hand"] == f"/hand/{hand.id}/", "all phones are led there"
    hand_ids = get_page(by_itself, "/single/").attributes("data-hand")
    assert hand_ids == [f"/hand/{hand.id}/"], "but not over and over"
    camera.picture = drawn(20)
    wait_until(lambda: read_status(by_itself)["snap"])
    by_itself.post("/camera/photo-if-due")
    assert len(hands.recent()) == 2


def test_a_full_queue_lets_the_next_hand_wait(
    by_itself: FlaskClient,
    jobs: PhotoQueue,
    reader: FakeReader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wait_until(lambda: read_status(by_itself)["snap"])
    reader.go_on.clear()
    monkeypatch.setattr(jobs, "limit", 2)
    while jobs.has_room:
        by_itself.post("/camera/photo")
    assert not read_status(by_itself)["snap"]
    assert by_itself.post("/camera/photo-if-due").status_code == 503


def test_no_photo_is_taken_by_itself_unless_the_players_chose_it(
    by_itself: FlaskClient, hands: HandRepository
) -> None:
    wait_until(lambda: read_status(by_itself)["snap"])
    assert by_itself.post("/camera/by-itself", data={"on": "no"}).status_code == 303
    assert "snap" not in read_status(by_itself)
    assert by_itself.post("/camera/photo-if-due").status_code == 409
    assert hands.recent() == ()


def test_a_hand_that_was_asked_for_leads_no_other_phone_away(by_itself: FlaskClient) -> None:
    by_itself.post("/camera/photo")
    assert read_status(by_itself)["hand"] == ""


def test_of_several_phones_at_the_table_one_is_meant_and_the_others_stay(
    by_itself: FlaskClient, hands: HandRepository, wait_settled: Wait
) -> None:
    """All wait at their own seats: nothing but the order of play tells whose hand lies there."""
    names = {f"player{place}": name for place, name in enumerate(("Ann", "Bob", "Cy", "Di"))}
    by_itself.post("/match/new", data=names | {"ruleset": "bmja", "limit": "1000"})
    phones = [by_itself.application.test_client() for _ in range(4)]
    for number, phone in enumerate(phones):
        phone.post("/table/join", data={"number": number})
    phones[0].post("/table/winner", data={"who": "2", "won_by": "discard"})
    asks = [f"/camera/now?seat={number}" for number in range(4)]
    for number, phone in enumerate(phones):
        assert f'"{asks[number]}"' in phone.get(f"/table/hand/{number}").text
    wait_until(lambda: read_status(by_itself)["snap"])
    assert [read_status(by_itself, ask)["snap"] for ask in asks] == [False, False, True, False]
    for number in (0, 1, 3, 2):
        assert phones[number].post(f"/table/hand/{number}/snap-if-due").status_code == 204
    (hand,) = hands.recent()
    assert wait_settled(hand.id).player == "Cy", "who went out comes first"
    hand_pages = [read_status(by_itself, ask)["hand"] for ask in asks]
    assert hand_pages == ["", "", f"/hand/{hand.id}/", ""]
