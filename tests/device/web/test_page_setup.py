"""The Setup page and `/health`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec import structs

from device import jobs as jobs_module
from device.cameras import CameraInfo
from device.cameras.base import CameraUnavailableError
from device.cameras.service import CameraService, CameraStatus, CameraTiming
from device.doctor import CHECKS, Machine
from device.doctor.health import RESULT_LIFETIME_S, StorageWatch
from device.doctor.machine_checks import check_running_camera
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.jobs import PhotoQueue
from device.samples import load_samples
from device.services import Services
from device.settings import Settings, SettingsLog
from device.store import Store, TornLogError, UnwritableError
from device.views.box_health import finding_view
from device.web import Box, create_app
from device.web.contexts import Upkeep, find_context, provide
from scorer.message import plain_text
from tests.device.fake_camera import FakeCamera, single_camera, wait_until
from tests.device.fake_reader import FakeReader
from tests.device.page import Page, get_page

HAND = load_samples()[0].hand


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path, root=tmp_path, ask=lambda command: "", address=lambda: "192.168.1.20")


@pytest.fixture
def app(services: Services, machine: Machine) -> Flask:
    return create_app(Box(services, upkeep=Upkeep(machine)))


def test_the_page_shows_every_check_and_the_first_page_links_to_it(client: FlaskClient) -> None:
    assert "/setup/" in get_page(client, "/settings/").links()
    page = get_page(client, "/setup/")
    titles = {say(f"doctor.{check.__name__.removeprefix('check_')}.title") for check in CHECKS}
    assert titles <= {*page.texts("b")}
    assert "to be fixed" not in page.text
    assert not page.all("[data-busy]")


def test_what_is_well_is_folded_under_one_line(services: Services, machine: Machine) -> None:
    ill = replace(machine, free=lambda folder: 10**8)
    page = get_page(create_app(Box(services, upkeep=Upkeep(ill))).test_client(), "/setup/")
    details = page.single("#setup details")
    assert "open" not in details
    assert details.single("summary").text == f"{len(details.all('li'))} checks are fine"
    assert not details.all("li:not(.ok)")
    in_sight = page.all("#setup > .checks > li")
    assert [each.single("b").text for each in in_sight] == [say("doctor.disk.title")]


def test_a_warning_and_a_problem_say_what_to_do(services: Services, machine: Machine) -> None:
    ill = replace(machine, free=lambda folder: 10**8, ask=lambda command: "no")
    page = create_app(Box(services, upkeep=Upkeep(ill))).test_client().get("/setup/").text
    assert say("setup.problem") in page
    order = [page.index(say(f"doctor.{name}.title")) for name in ("disk", "clock", "folder")]
    assert order == sorted(order), "the worst first"
    assert say("doctor.disk.full-do") in page
    assert say("doctor.clock.free-do") in page


def waited(client: FlaskClient) -> str:
    for _ in range(400):
        page = client.get("/setup/").text
        if "data-busy" not in page:
            return page
        time.sleep(0.01)
    raise AssertionError("the test photo was not read within four seconds")


def test_the_worker_reads_the_test_photo_when_it_is_asked(
    client: FlaskClient, reader: FakeReader, hands: HandRepository
) -> None:
    reader.reading = structs.replace(reader.reading, hand_text=HAND)
    reader.go_on.clear()
    assert client.post("/setup/reading").status_code == 303
    assert client.post("/setup/reading").status_code == 303, "twice is once"
    assert "data-busy" in client.get("/setup/").text
    reader.go_on.set()
    assert say("doctor.reading.title") in waited(client)
    assert hands.recent() == (), "no hand is kept of it"


@pytest.mark.parametrize(
    ("text", "fault", "says", "reason"),
    [
        ("B222 | |", None, "The box read B222", "not the tiles that it shows"),
        (HAND, RuntimeError("boom"), "It was not read: Something went wrong", "ours to mend"),
    ],
)
def test_a_test_photo_that_is_misread_is_a_problem(
    client: FlaskClient,
    reader: FakeReader,
    text: str,
    fault: Exception | None,
    says: str,
    reason: str,
) -> None:
    reader.reading = structs.replace(reader.reading, hand_text=text)
    reader.fault = fault
    client.post("/setup/reading")
    page = waited(client)
    assert says in page, reason
    assert say("setup.problem") in page


def test_a_full_queue_is_told(
    client: FlaskClient, reader: FakeReader, jobs: PhotoQueue, unread_hand: str
) -> None:
    reader.go_on.clear()
    jobs.submit("hand", unread_hand)  # which all others wait for
    for hand in range(jobs_module.MAX_WAITING_PHOTOS - 1):
        jobs.submit("hand", str(hand))
    assert client.post("/setup/reading").status_code == 503


def test_a_box_in_health_says_its_version(client: FlaskClient) -> None:
    answer = client.get("/health")
    assert answer.status_code == 200
    version = Machine(Path()).version_of("tongbox")
    assert answer.json == {
        "status": "ok", "alive": True, "version": version, "troubles": [], "reasons": [],
        "complete": True,
    }  # fmt: skip


def test_without_its_store_the_box_is_not_well(client: FlaskClient, store: Store) -> None:
    store.close()
    answer = client.get("/health")
    assert (answer.status_code, answer.get_json()["status"]) == (503, "degraded")
    assert answer.get_json()["troubles"] == ["no store"]
    assert answer.get_json()["alive"], "starting it anew mends no card"


def test_without_its_worker_the_box_is_not_well(client: FlaskClient, jobs: PhotoQueue) -> None:
    jobs.close()
    answer = client.get("/health")
    assert (answer.status_code, answer.get_json()["status"]) == (503, "degraded")
    assert answer.get_json()["troubles"] == ["no worker"]
    assert not answer.get_json()["alive"]


@pytest.mark.parametrize(
    ("limit", "alive", "reason"),
    [(300.0, True, "it may take its time"), (0.0, False, "but no longer")],
)
def test_a_worker_that_hangs_is_not_alive(
    jobs: PhotoQueue,
    unread_hand: str,
    reader: FakeReader,
    monkeypatch: pytest.MonkeyPatch,
    limit: float,
    alive: bool,
    reason: str,
) -> None:
    reader.go_on.clear()
    jobs.submit("hand", unread_hand)
    while jobs.stage(unread_hand) == "waiting":
        time.sleep(0.001)
    monkeypatch.setattr(jobs_module, "STUCK_TIMEOUT_S", limit)
    assert jobs.alive == alive, reason
    reader.go_on.set()
    while jobs.stage(unread_hand):
        time.sleep(0.001)


PACE = CameraTiming(preview=0.01, probe=0.02, pauses=(0.01,), tick=0.02)


@pytest.fixture
def camera() -> FakeCamera:
    return FakeCamera()


@pytest.fixture
def with_camera(
    services: Services, machine: Machine, camera: FakeCamera
) -> Iterator[tuple[FlaskClient, CameraService]]:
    service = CameraService(camera, optional=True, pace=PACE)
    app = create_app(Box(services, cameras=single_camera(service), upkeep=Upkeep(machine)))
    yield app.test_client(), service
    camera.let_go.set()
    service.close()


def test_the_camera_that_runs_is_asked_itself(
    with_camera: tuple[FlaskClient, CameraService], camera: FakeCamera
) -> None:
    client, service = with_camera
    wait_until(lambda: service.status.state == "ready")
    assert "fake works and takes photos of 8 × 6 pixels." in client.get("/setup/").text
    camera.fault = camera.start_fault = CameraUnavailableError(
        plain_text("Please check its cable.")
    )
    wait_until(lambda: service.status.state == "lost")
    page = client.get("/setup/").text
    assert "Please check its cable." in page
    assert say("doctor.camera.lost-do") in page


@pytest.mark.parametrize(
    ("status", "state", "level", "reason"),
    [
        (None, "none", "ok", "the phones do it"),
        (CameraStatus("lost", plain_text("Gone.")), "lost", "warning", "the phones can do it"),
        (
            CameraStatus("ready", plain_text(""), CameraInfo("imx708", 2304, 1296)),
            "works",
            "ok",
            "all is well",
        ),
    ],
)
def test_what_is_found_of_a_camera(
    status: CameraStatus | None, state: str, level: str, reason: str
) -> None:
    finding = check_running_camera(status)
    assert (finding.state, finding.level) == (state, level), reason
    assert finding_view(finding).says


def test_the_switches_are_kept_and_turn_the_camera(
    with_camera: tuple[FlaskClient, CameraService], hands: HandRepository
) -> None:
    client, service = with_camera
    settings = SettingsLog(hands.store)
    for is_on in (True, False):
        data = {"on": ["yes", "no"] if is_on else "no"}  # as a browser sends a box that is ticked
        for name in ("camera_turned", "snap_when_ready", "count_waits"):
            assert client.post(f"/setup/switch/{name}", data=data).status_code == 303
        assert settings.read() == Settings(
            snap_when_ready=is_on, camera_turned=is_on, count_waits=is_on
        )
        assert service.is_turned == is_on
        assert client.get("/settings/table/").text.count(" checked") == (3 if is_on else 0)


def test_no_other_setting_is_switched_there(client: FlaskClient, hands: HandRepository) -> None:
    assert client.post("/setup/switch/pin", data={"on": "yes"}).status_code == 404
    assert SettingsLog(hands.store).read() == Settings()


def test_a_box_without_a_camera_has_no_switches_for_one(
    client: FlaskClient, with_camera: tuple[FlaskClient, CameraService]
) -> None:
    assert "/setup/switch/camera_turned" not in client.get("/settings/table/").text
    assert "/setup/switch/camera_turned" in with_camera[0].get("/settings/table/").text


def test_what_is_wrong_with_the_card_is_said_and_tried_only_now_and_then(
    client: FlaskClient, store: Store, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts: list[int] = []

    def refuse_write(_: Store) -> None:
        attempts.append(1)
        raise UnwritableError("Read-only file system.")

    monkeypatch.setattr(Store, "try_write", refuse_write)
    clock_s = [0.0]
    provide(app, replace(find_context(Upkeep, app), watch=StorageWatch(lambda: clock_s[0])))
    for _ in range(3):
        answer = client.get("/health")
        assert answer.status_code == 503
        assert answer.json == {
            "status": "degraded", "alive": True, "troubles": ["no write"], "complete": True,
            "reasons": ["no write: nothing can be written to the data folder"],
            "version": Machine(Path()).version_of("tongbox"),
        }  # fmt: skip
    assert len(attempts) == 1, "each try writes to the card"
    clock_s[0] += RESULT_LIFETIME_S
    monkeypatch.undo()
    assert client.get("/health").status_code == 200, "and goes when it can again"


def test_a_log_found_torn_while_the_box_runs_is_said_until_it_is_salvaged(
    client: FlaskClient, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_torn(*_: object) -> None:
        raise TornLogError("database disk image is malformed")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "of_kinds", raise_torn)
        answer = client.get("/")
        text = Page(answer.text).text
        assert (answer.status_code, say("error.torn-log") in text) == (500, True)
    assert client.get("/health").get_json()["troubles"] == ["torn log"]


def test_a_change_on_a_card_that_takes_nothing_is_a_sentence(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse_write(*_: object, **__: object) -> int:
        raise UnwritableError("Read-only file system.")

    monkeypatch.setattr(Store, "append", refuse_write)
    answer = client.post("/setup/switch/camera_turned", data={"on": "yes"})
    assert (answer.status_code, say("error.unwritable") in answer.text) == (507, True)
