"""Point and ask with the box's own camera."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from device.cameras.service import CameraService, CameraTiming
from device.hands.repository import HandRepository
from device.services import Services
from device.settings.settings import SettingsLog
from device.web import Box, create_app
from tests.device.conftest import Wait
from tests.device.events import event_of
from tests.device.fake_camera import FakeCamera, only, until
from tests.device.page import get_page

PACE = CameraTiming(preview=0.01, probe=0.02, pauses=(0.01,), tick=0.02)


@pytest.fixture
def page(services: Services) -> Iterator[FlaskClient]:
    service = CameraService(FakeCamera(), optional=True, pace=PACE)
    app = create_app(Box(services, cameras=only(service)))
    app.testing = True
    until(lambda: service.status.state == "ready")
    yield app.test_client()
    service.close()


def test_the_shutter_asks_instead_of_scoring(
    page: FlaskClient, hands: HandRepository, settled: Wait
) -> None:
    form = get_page(page, "/learn/ask/")
    assert form.all('[action="/learn/ask/snap"]')
    assert form.all('[data-due="/learn/ask/snap-if-due"]')
    address = page.post("/learn/ask/snap").headers["Location"]
    hand = address.split("/")[3]
    assert settled(hand).asked
    assert hands.get(hand).photo
    assert page.get(address).status_code == 200


def test_what_is_set_about_the_camera_leads_back_to_the_question(page: FlaskClient) -> None:
    assert len(get_page(page, "/learn/ask/").fields("ask")) == 2, "by itself, and focus"
    for path in ("/camera/adjust", "/camera/by-itself"):
        assert page.post(path, data={"ask": "yes"}).headers["Location"] == "/learn/ask/"
        assert page.post(path).headers["Location"] == "/single/"


def test_a_photo_that_the_box_takes_by_itself_leads_to_the_question(
    page: FlaskClient, hands: HandRepository
) -> None:
    assert page.post("/learn/ask/snap-if-due").status_code == 409, "it is not set to"
    SettingsLog(hands.store).change("snap_when_ready", True)
    assert page.post("/learn/ask/snap-if-due").status_code == 204, "nothing has come before it"
    photo = {"original": "o", "display": "d", "thumbnail": "t", "width": 1, "height": 1, "name": ""}
    winds = {"seat_wind": "E", "prevailing_wind": "E", "rules": "bmja"}
    said = {"photo": photo, "camera": {"by_itself": True}, "asked": True, **winds}
    hands.store.append("abc", event_of("photo-taken", said))
    now = page.get("/camera/now").json
    assert now
    assert now["hand"] == "/learn/ask/abc/"
