"""The box's camera hangs over one table: the others' phones are offered none of what it sees."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask

from device.cameras.service import CameraService
from device.hands.repository import HandRepository
from device.services import Services
from device.store.events import PhotoTaken
from device.web import Box, create_app
from tests.device.club.rooms import begin, lay, match_at, phone_at, post
from tests.device.fake_camera import FakeCamera, single_camera, wait_until
from tests.device.web.test_cameras_page import PACE


@pytest.fixture
def app(services: Services) -> Iterator[Flask]:
    camera = FakeCamera()
    service = CameraService(camera, optional=True, pace=PACE)
    wait_until(lambda: service.status.state == "ready")
    yield create_app(Box(services, cameras=single_camera(service)))
    camera.let_go.set()
    service.close()


def is_offered(app: Flask, table: str) -> bool:
    """Whether a phone at a table is shown what the camera sees; all ways to it say the same."""
    phone = phone_at(app, table)
    is_shown = "data-camera" in phone.get("/single/").text
    is_answered = phone.get("/camera/now").status_code == 200
    is_adjusted = phone.post("/camera/adjust").status_code == 303
    assert is_shown == is_answered == is_adjusted
    return is_shown


@pytest.mark.parametrize(
    ("camera_table", "expected", "reason"),
    [
        (None, [True, False, True], "until somebody says so: the first; and who never scanned"),
        (0, [True, False, False], "where it was said to hang, and nowhere else"),
        (1, [False, True, False], "of several the one"),
        (-1, [False, False, False], "over none of them"),
    ],
)
def test_the_camera_serves_the_table_over_which_it_hangs(
    app: Flask, camera_table: int | None, expected: list[bool], reason: str
) -> None:
    tables = [lay(app, "Table 1"), lay(app, "Table 2")]
    if camera_table is not None:
        choice = {"camera": "box", "from": tables[0]} if camera_table >= 0 else {"camera": "phones"}
        post(app.test_client(), f"/club/tables/{tables[max(camera_table, 0)]}/camera", **choice)
    assert [is_offered(app, table) for table in (*tables, "")] == expected, reason


def test_without_tables_it_serves_everybody(app: Flask) -> None:
    assert is_offered(app, "")


def test_a_table_that_is_cleared_away_keeps_no_camera(app: Flask) -> None:
    tables = [lay(app, "Table 1"), lay(app, "Table 2")]
    post(app.test_client(), f"/club/tables/{tables[0]}/clear")
    assert is_offered(app, tables[1]), "the first that is laid by now has it"
    for table in tables[1:]:
        post(app.test_client(), f"/club/tables/{table}/clear")
    assert is_offered(app, ""), "and with none it is as it was"


def test_what_it_took_by_itself_is_shown_though_another_table_took_one_since(
    app: Flask, hands: HandRepository
) -> None:
    first, second = lay(app, "Table 1"), lay(app, "Table 2")
    ann, eve = phone_at(app, first), phone_at(app, second)
    for phone in (ann, eve):
        begin(phone, ("Ann", "Bob", "Cy", "Di"))
        post(phone, "/table/winner", who="0", won_by="wall")
    post(ann, "/camera/by-itself", on="yes", seat="0")
    address = post(ann, "/table/hand/0/snap")
    hand = hands.newest_at(first)
    assert hand
    assert isinstance(hand.event, PhotoTaken)
    assert address == f"/hand/{hand.stream}/"
    post(eve, "/table/hand/0/enter")
    assert hands.newest_at(first) == hand
    assert hands.get(hand.stream).table == first
    assert match_at(hands, second).deal.given_hand("Ann").hand != hand.stream
