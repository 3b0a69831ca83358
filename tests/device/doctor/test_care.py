"""What needs somebody: found by a slow clock in made-up files, told on the first page, and gone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.cameras.base import CameraUnavailableError
from device.cameras.service import CameraService, CameraTiming
from device.doctor import Machine, health
from device.doctor.health import URGENT_FINDINGS, CareWatch
from device.host import machine as machines
from device.i18n.words import LANGUAGES, say, use_words
from device.services import Services
from device.store import Store
from device.web import Box, create_app
from device.web.contexts import Upkeep, find_context
from device.web.news import Newsroom
from scorer.message import plain_text
from tests.device.doctor.machine_files import with_files
from tests.device.fake_camera import FakeCamera, single_camera, wait_until
from tests.device.listening import listening
from tests.device.page import get_page

FIRMWARE = "sys/devices/platform/soc/soc:firmware/get_throttled"
ZONE = "sys/class/thermal/thermal_zone0/temp"
MONITOR = {"sys/class/hwmon/hwmon2/name": "rpi_volt"}
ALARM = "sys/class/hwmon/hwmon2/in0_lcrit_alarm"
HEALTHY_FILES = {FIRMWARE: "0", ZONE: "48312"}
SUMMER, LONG_AGO = datetime(2027, 7, 1, tzinfo=UTC), datetime(2024, 11, 19, tzinfo=UTC)
PACE = CameraTiming(preview=0.01, probe=0.02, pauses=(0.01,), tick=0.02)

NEEDS = [
    (HEALTHY_FILES, {}, [], "all is well"),
    ({}, {}, [], "a computer that tells nothing"),
    ({ZONE: "85000"}, {}, ["temperature.too-hot"], "and does so in full"),
    ({FIRMWARE: "50000"}, {}, ["power.was-low"], "and at some time since the start"),
    ({FIRMWARE: "4"}, {}, ["power.slowed"], "throttled"),
    ({FIRMWARE: "e0000"}, {}, [], "slowed once, long ago"),
    ({**MONITOR, ALARM: "1"}, {}, ["power.low"], "by the kernel's monitor"),
    (HEALTHY_FILES, {"free": lambda folder: 10**9 - 1}, ["disk.low"], "nearly full"),
    (
        {FIRMWARE: "50005", ZONE: "82000"},
        {"free": lambda folder: 0, "current_time": lambda: LONG_AGO},
        ["disk.full", "power.low", "temperature.hot", "clock.old"],
        "all at once, the most urgent first",
    ),
]  # fmt: skip


@pytest.fixture
def pi(tmp_path: Path) -> Machine:
    """Return a machine that tells nothing yet, and may start no program."""

    def ask(command: object) -> str:
        raise AssertionError(f"{command} is started")

    return Machine(
        tmp_path, root=tmp_path, ask=ask, free=lambda folder: 10**10, current_time=lambda: SUMMER
    )


def notices_on(client: FlaskClient, page: str = "/") -> list[str]:
    """Return the sentences of the first page."""
    section = get_page(client, page).single("section#care")
    assert ("hidden" in section) == (not section.all("a")), "nothing when all is well"
    return section.texts("a")


@pytest.fixture
def box(services: Services, pi: Machine) -> Box:
    return Box(services, upkeep=Upkeep(pi, care=CareWatch(pi)))


@pytest.fixture
def app(box: Box) -> Flask:
    return create_app(box)


@pytest.mark.parametrize(("files", "change", "needs", "reason"), NEEDS)
def test_what_needs_somebody_is_on_the_first_page(
    box: Box,
    pi: Machine,
    files: Mapping[str, str],
    change: Mapping[str, Callable[..., object]],
    needs: list[str],
    reason: str,
) -> None:
    machine = replace(with_files(pi, files), **change)  # type: ignore[arg-type]
    care = CareWatch(machine)
    client = create_app(replace(box, upkeep=Upkeep(machine, care=care))).test_client()
    assert notices_on(client) == [], "nobody has looked yet"
    care.look()
    assert notices_on(client) == [say(f"care.{each}") for each in needs], reason
    assert notices_on(client, "/first/") == notices_on(client)


def test_a_camera_that_is_lost_is_told_and_that_it_is_there_again_too(
    box: Box, pi: Machine
) -> None:
    fake = FakeCamera()
    service = CameraService(fake, optional=True, pace=PACE)
    try:
        care = CareWatch(pi, cameras := single_camera(service))
        watched_box = replace(box, cameras=cameras, upkeep=Upkeep(pi, care=care))
        client = create_app(watched_box).test_client()
        wait_until(lambda: service.status.state == "ready")
        care.look()
        assert notices_on(client) == []
        fake.fault = fake.start_fault = CameraUnavailableError(plain_text("Gone."))
        wait_until(lambda: service.status.state == "lost")
        care.look()
        assert notices_on(client) == [say("care.camera.lost")]
        fake.fault = fake.start_fault = None
        wait_until(lambda: service.status.state == "ready")
        care.look()
        assert notices_on(client) == []
    finally:
        fake.let_go.set()
        service.close()


def test_no_request_looks_and_no_look_starts_a_program(
    client: FlaskClient, box: Box, pi: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_files(pi, HEALTHY_FILES)
    looks: list[str] = []
    read = machines.Machine.text

    def record_read(self: Machine, path: str) -> str:
        looks.append(path)
        return read(self, path)

    monkeypatch.setattr(machines.Machine, "text", record_read)
    for _ in range(20):
        client.get("/")
        client.get("/news/now")
    assert looks == []
    box.upkeep.care.look()
    assert 0 < len(looks) <= 4, "a few of the kernel's files"


def test_it_goes_by_itself_and_other_phones_hear_of_it(
    client: FlaskClient, box: Box, pi: Machine, store: Store
) -> None:
    phone = listening(find_context(Newsroom, client.application))

    def read_news() -> str:
        return phone.next()

    def news_number() -> int:
        return int(client.get("/news/now").get_json()["version"])

    box.upkeep.care.look()
    before = news_number()
    assert f"data: {before}" in read_news()
    for degrees, sentences in (("86000", 1), ("86500", 1), ("60000", 0)):
        with_files(pi, {ZONE: degrees})
        box.upkeep.care.look()
        assert len(notices_on(client)) == sentences
    assert news_number() == before + 2, "come and gone: what only grew warmer is no news"
    assert f"data: {before + 2}" in read_news()
    assert store.newer(-1, 0) == before, "nothing of it wears the card"
    phone.leave()


def test_a_slow_clock_looks_as_long_as_the_box_serves(
    pi: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "LOOK_INTERVAL_S", 0.01)
    with CareWatch(with_files(pi, {ZONE: "86000"})) as watch:
        wait_until(lambda: bool(watch.list_findings))
        with_files(pi, {ZONE: "40000"})
        wait_until(lambda: not watch.list_findings)


@pytest.fixture
def spoken_languages() -> Iterator[None]:
    yield
    use_words(LANGUAGES[0])


@pytest.mark.usefixtures("spoken_languages")
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_says_what_to_do(language: str) -> None:
    use_words(language)
    of_table = {"table": "Table 1", "camera": "C920"}
    sentences = [say(f"care.{check}.{state}", **of_table) for check, state in URGENT_FINDINGS]
    assert len(set(sentences)) == len(URGENT_FINDINGS)
    assert all(re.search("[:：]|[.。].+[.。]$", each) for each in sentences), (
        "what is so: what to do"
    )
