"""The box's clock, where nothing has set it, takes the time from a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.doctor import Machine
from device.doctor.health import CareWatch
from device.host.machine import IS_SYNC_ACTIVE_COMMAND, START_SYNC_COMMAND, STOP_SYNC_COMMAND
from device.i18n.words import say
from device.services import Services
from device.web import Box, create_app
from device.web.contexts import Upkeep, find_context, provide
from device.web.first_steps_phones import FirstStepsPhones
from tests.device.page import Page, get_page

UNSET_TIME = datetime(2024, 11, 19, 8, 2, tzinfo=UTC)
EVENING = datetime(2026, 11, 23, 19, 30, 12, tzinfo=UTC)
STEP = "/first/steps/clock"


@dataclass
class System:
    """Stands in for systemd: it takes a time as long as no service waits for a server's."""

    current_time: datetime = UNSET_TIME
    synchronised: str = "no"
    waits: bool = True
    may: bool = True
    commands: list[str] = field(default_factory=list)

    def ask(self, command: Sequence[str]) -> str:
        words = tuple(command)
        if words[0] not in ("systemctl", "busctl"):
            return self.synchronised if words[0] == "timedatectl" else ""
        self.commands.append(
            words[0] if words == IS_SYNC_ACTIVE_COMMAND else f"{words[0]} {words[2]}"
        )
        if words == IS_SYNC_ACTIVE_COMMAND:
            return "active" if self.waits else "inactive"
        if words in (STOP_SYNC_COMMAND, START_SYNC_COMMAND) and self.may:
            self.waits = words == START_SYNC_COMMAND
        if "SetTime" in words and self.may and not self.waits:
            self.current_time = datetime.fromtimestamp(int(words[-3]) / 1e6, UTC)
        return ""


@pytest.fixture
def system() -> System:
    return System()


@pytest.fixture
def machine(tmp_path: Path, system: System) -> Machine:
    return Machine(
        tmp_path, root=tmp_path, ask=system.ask, current_time=lambda: system.current_time
    )


@pytest.fixture
def app(services: Services, machine: Machine) -> Flask:
    return create_app(Box(services, greets=True, upkeep=Upkeep(machine, care=CareWatch(machine))))


def ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def test_the_question_shows_both_and_the_box_takes_the_phone_s(
    client: FlaskClient, system: System
) -> None:
    page = client.get(STEP).text
    assert "19 November 2024" in page
    assert "data-phone" in page
    next_page = "/first/steps/rules"
    answer = client.post("/setup/clock", data={"now": ms(EVENING), "then": next_page})
    assert answer.location == next_page
    assert abs(system.current_time - EVENING) < timedelta(seconds=1)
    assert system.waits, "for a server it waits again, and hears it should the internet come"


def test_who_has_no_script_types_it(client: FlaskClient, system: System) -> None:
    local_time = EVENING.astimezone()
    typed_time = f"{local_time:%Y-%m-%dT%H:%M}"
    answer = client.post("/setup/clock", data={"now": "", "local": typed_time})
    assert answer.location == "/setup/"
    assert system.current_time == EVENING.replace(second=0)


NO_TIMES: list[tuple[dict[str, str], str]] = [
    ({"now": "0"}, "1970: the phone's own clock was never set"),
    ({"now": str(ms(datetime(2025, 12, 31, tzinfo=UTC)))}, "before the first release"),
    ({"now": str(ms(datetime(2100, 1, 2, tzinfo=UTC)))}, "in another century"),
    ({"now": "9" * 30}, "no time at all"),
    ({"now": "-5"}, "before all time"),
    ({"now": "soon"}, "no number"),
    ({"local": "tomorrow"}, "no time"),
    ({"local": "0001-01-01T00:00"}, "the first that can be typed"),
    ({"local": "9999-12-31T23:59"}, "and the last"),
    ({}, "nothing"),
]


def test_what_is_no_time_sets_nothing(client: FlaskClient, system: System) -> None:
    for typed_time, reason in NO_TIMES:
        answer = client.post("/setup/clock", data=typed_time)
        assert answer.status_code == 400, reason
        assert Page(answer.text).all('[data-page="error"]')
    assert (system.current_time, system.commands) == (UNSET_TIME, [])


def test_a_clock_that_is_right_is_nobody_s_to_change(client: FlaskClient, system: System) -> None:
    system.synchronised, system.current_time = "yes", EVENING
    answer = client.post("/setup/clock", data={"now": ms(EVENING + timedelta(days=40))})
    assert answer.status_code == 303
    assert (system.current_time, system.commands) == (EVENING, [])
    assert client.get(STEP).location == "/first/steps/rules", "and is not asked about"


def test_a_computer_that_lets_nobody_is_a_sentence_and_no_dead_end(
    client: FlaskClient, system: System
) -> None:
    system.may = False
    answer = client.post("/setup/clock", data={"now": ms(EVENING)})
    assert answer.status_code == 503
    assert say("clock.cannot") in answer.text
    assert "/first/steps/rules" in client.get(STEP).text, "it is passed over"


def test_the_service_that_waits_is_left_as_it_was(client: FlaskClient, system: System) -> None:
    system.waits = False
    client.post("/setup/clock", data={"now": ms(EVENING)})
    assert not system.waits, "where somebody has switched it off it stays off"
    assert not any("start" in each for each in system.commands)


def test_the_setup_page_and_the_first_page_lead_to_it_until_it_is_set(
    app: Flask, client: FlaskClient, system: System
) -> None:
    provide(app, FirstStepsPhones(greets=False))
    find_context(Upkeep, app).care.look()
    assert "/setup/#clock" in get_page(client, "/").links()
    page = get_page(client, "/setup/")
    assert page.all("#clock")
    assert page.all('[action="/setup/clock"]')
    client.post("/setup/clock", data={"now": ms(EVENING)})
    assert "#clock" not in client.get("/").text, "at once"
    system.synchronised = "yes"
    assert not get_page(client, "/setup/").all("#clock")
