"""What tests of the club's pages have in common: among it webcams, one of its own for a table.

Folders of pictures stand in for them; webcam N sees one grey, so a photograph says whose it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.cameras import FreeWebcams, OpenCamera
from device.cameras.base import CameraNotFoundError, camera_message
from device.cameras.cameras import Cameras, TableWebcam
from device.cameras.service import CameraService
from device.club.tables import ClubTables
from device.club.tournament.repository import TournamentRepository
from device.doctor import Machine
from device.doctor.health import CareWatch
from device.hands.repository import HandRepository
from device.services import Services
from device.store import Store
from device.web import Box, create_app
from device.web.contexts import Upkeep
from tests.device.cameras.plugs import FolderWebcam, Plugs
from tests.device.club.rooms import lay, phone_at
from tests.device.club.tournament.tournament_play import add_tournament
from tests.device.fake_camera import FakeCamera, wait_until
from tests.device.page import get_page
from tests.device.web.test_cameras_page import PACE

FIRST, SECOND = "HD Pro Webcam C920", "C270"

Start = Callable[..., Flask]


@pytest.fixture
def tournaments(store: Store) -> TournamentRepository:
    return TournamentRepository(store)


@pytest.fixture
def tournament_id(tournaments: TournamentRepository) -> str:
    return add_tournament(tournaments)


@pytest.fixture
def plugs(tmp_path: Path) -> Plugs:
    plugs = Plugs(tmp_path / "computer")
    plugs.plug(0, "046d_HD_Pro_Webcam_C920", "8E1B", "1.1")
    plugs.plug(2, "046d_C270", "77AA", "1.2")
    return plugs


@pytest.fixture
def start(services: Services, plugs: Plugs, tmp_path: Path) -> Iterator[Start]:
    """Return what starts a box on what is kept: with a ribbon camera, or any webcam for its own."""
    started_cameras: list[Cameras] = []

    def start_box(
        ribbon: bool = True, idle: float = 60.0, clock: Callable[[], float] = time.monotonic
    ) -> Flask:
        for each in started_cameras:
            each.close()

        def serve(opens: OpenCamera, webcam: TableWebcam) -> CameraService:
            pace = replace(PACE, clock=clock)
            return CameraService(opens, pace=pace, is_turned=webcam.is_turned, title=webcam.title)

        def of_box(free: FreeWebcams) -> CameraService:
            def any_webcam() -> FolderWebcam:
                found = free()
                if not found:
                    raise CameraNotFoundError(camera_message("none-found"))
                return FolderWebcam(plugs, found[0])

            return CameraService(FakeCamera() if ribbon else any_webcam, optional=True, pace=PACE)

        cameras = Cameras(
            of_box, takes_any=not ribbon, source=plugs.webcam_source, serve=serve, idle=idle
        )
        started_cameras.append(cameras)
        box_camera = cameras.box
        assert box_camera
        wait_until(lambda: box_camera.status.state != "starting")
        machine = Machine(tmp_path, root=plugs.root)
        care = CareWatch(machine, cameras)
        return create_app(Box(services, cameras=cameras, upkeep=Upkeep(machine, care=care)))

    yield start_box
    for each in started_cameras:
        each.close()


def offered_cameras(app: Flask, table: str) -> dict[str, str]:
    """Return the words of what a table's page offers, by what they are called there."""
    page = get_page(phone_at(app, table), f"/club/tables/{table}/")
    labels = page.all("label:has(> [name=camera])")
    return {each.single("label > span").text: each.single("input")["value"] for each in labels}


def choose(app: Flask, table: str, name: str, **fields: str) -> int:
    """Choose for a table what its page calls so; return how that is answered."""
    form = {"camera": offered_cameras(app, table)[name], **fields}
    return phone_at(app, table).post(f"/club/tables/{table}/camera", data=form).status_code


def is_ready(phone: FlaskClient) -> bool:
    status = phone.get("/camera/now").json
    return bool(status and status["state"] == "ready")


@pytest.fixture
def room(start: Start) -> tuple[Flask, str, str]:
    """Return a box and two tables, each with a webcam of its own that is open."""
    app = start()
    tables = [lay(app, "Window"), lay(app, "Door")]
    assert choose(app, tables[0], FIRST) == choose(app, tables[1], SECOND) == 303
    for table in tables:
        wait_until(lambda table=table: is_ready(phone_at(app, table)))  # type: ignore[misc]
    return app, tables[0], tables[1]


@pytest.fixture
def tables(hands: HandRepository) -> ClubTables:
    return ClubTables(hands.store)
