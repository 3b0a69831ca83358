"""The box is switching off from its page: where it can be, asked for first, and told to all."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.doctor import Machine
from device.host.service_manager import CAN_POWER_OFF_COMMAND, POWER_OFF_COMMAND, PowerSwitch
from device.services import Services
from device.store import Store
from device.store.errors import DiskFullError
from device.store.events import BoxSwitchedOff
from device.web import Box, create_app
from device.web.contexts import Upkeep
from tests.device.fake_camera import wait_until
from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.listening import listening, newsroom
from tests.device.page import get_page


@dataclass
class System:
    """The computer's system: what it lets the box do, and what it was asked for."""

    lets: str = 's "yes"'
    commands: list[Sequence[str]] = field(default_factory=list)

    def ask(self, command: Sequence[str]) -> str:
        self.commands.append(command)
        return self.lets if command == CAN_POWER_OFF_COMMAND else ""


IN_UNIT = "0::/system.slice/tongbox.service\n"


@pytest.fixture
def system() -> System:
    return System()


@pytest.fixture
def switch() -> PowerSwitch:
    return PowerSwitch(delay=0.2, patience=30)


@pytest.fixture
def begin(
    services: Services,
    tmp_path: Path,
    system: System,
    switch: PowerSwitch,
) -> Callable[[str], FlaskClient]:
    """Return what starts a box in a control group."""

    def start_phone(group: str = IN_UNIT) -> FlaskClient:
        file = tmp_path / "root/proc/self/cgroup"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(group)
        machine = Machine(tmp_path, root=tmp_path / "root", ask=system.ask)
        return create_app(Box(services, upkeep=Upkeep(machine, switch=switch))).test_client()

    return start_phone


@pytest.mark.parametrize(
    ("group", "is_there", "reason"),
    [
        (IN_UNIT, True, "the installed service"),
        ("0::/user.slice/user-1000.slice/session-2.scope\n", False, "somebody tries it out"),
        ("12:pids:/system.slice/tongbox.service\n0::/\n", True, "groups of the older kind"),
        ("", False, "no groups at all"),
    ],
)
def test_only_the_box_has_a_switch(
    begin: Callable[[str], FlaskClient], system: System, group: str, is_there: bool, reason: str
) -> None:
    client = begin(group)
    assert ("/off/" in get_page(client, "/settings/").links()) == is_there, reason
    assert client.get("/off/").status_code == (200 if is_there else 404)
    if not is_there:
        assert client.post("/off/").status_code == 404
        assert system.commands == []


def test_it_is_asked_first_then_told_to_all_then_done(
    begin: Callable[..., FlaskClient], system: System, switch: PowerSwitch, store: Store
) -> None:
    client = begin()
    page = client.get("/off/").text
    assert "Everything is saved" in page
    assert "unplug it and plug it in again" in page
    assert client.get("/news/now").get_json()["state"] == ""
    assert client.get("/off/done").headers["Location"] == "/", "it is on"
    before = store.newer(-1, 0)
    assert client.post("/off/").headers["Location"] == "/off/done"
    assert "The box is switching off" in client.get("/off/done").text
    assert client.get("/news/now").get_json()["state"] == "off"
    assert POWER_OFF_COMMAND not in system.commands, "phones hear of it first"
    assert client.post("/off/").status_code == 303, "two may tap"
    wait_until(lambda: POWER_OFF_COMMAND in system.commands)
    assert [type(each.event) for each in store.of_kinds(BoxSwitchedOff)] == [BoxSwitchedOff]
    assert store.newer(before, 0) > before, "so that who listens is told at once"
    time.sleep(0.3)
    assert system.commands.count(POWER_OFF_COMMAND) == 1


def test_who_listens_hears_it_and_who_comes_back_too(store: Store, switch: PowerSwitch) -> None:
    switch_calls: list[bool] = []
    room = newsroom(store, lambda: "off" if switch_calls else "")
    phone = listening(room)
    assert phone.next().startswith("retry: 1000\n\ndata: ")
    switch_calls.append(True)
    store.append("box", BoxSwitchedOff())
    assert phone.next() == "event: off\ndata: yes\n\n"
    listener = listening(room)
    assert listener.next() == "retry: 1000\n\nevent: off\ndata: yes\n\n", "nothing like news"
    phone.leave(), listener.leave()


def test_a_system_that_does_not_let_it_is_said_in_words(
    begin: Callable[..., FlaskClient], system: System, switch: PowerSwitch
) -> None:
    system.lets = 's "challenge"'
    client = begin()
    page = get_page(client, "/off/")
    assert "cannot be switched off from here" in page.text
    assert not page.all("form")
    assert client.post("/off/").status_code == 503
    assert not switch.is_off


def test_a_box_that_goes_on_all_the_same_says_so_no_longer(system: System, tmp_path: Path) -> None:
    switch = PowerSwitch(delay=0, patience=0.1)
    switch.tap(Machine(tmp_path, ask=system.ask))
    wait_until(lambda: not switch.is_off)
    assert system.commands == [POWER_OFF_COMMAND]


def test_what_is_under_way_is_said_and_refuses_nothing(
    begin: Callable[..., FlaskClient], reader: FakeReader, store: Store, tmp_path: Path
) -> None:
    client = begin()
    assert "being read" not in client.get("/off/").text
    reader.go_on.clear()
    file = tmp_path / "hand.jpg"
    file.write_bytes(picture(lay()))
    with file.open("rb") as photo:
        client.post("/hands", data={"photo": (photo, "hand.jpg")})
    assert "The box finishes it first" in client.get("/off/").text
    assert client.post("/off/").status_code == 303
    reader.go_on.set()


def test_a_full_card_keeps_no_box_on(
    begin: Callable[..., FlaskClient],
    system: System,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object, **__: object) -> None:
        raise DiskFullError

    client = begin()
    monkeypatch.setattr(Store, "append", full)
    assert client.post("/off/").status_code == 303
    wait_until(lambda: POWER_OFF_COMMAND in system.commands)
