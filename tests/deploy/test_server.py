"""What runs Tongbox on a server: units and Compose say what the program understands."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from device.cli import build_parser
from tests.deploy.test_service import DEPLOY, PROGRAM, lines

SERVER = DEPLOY / "server"
UNITS = sorted(SERVER.glob("*.service"))
COMPOSE = cast(dict[str, Any], yaml.safe_load((SERVER / "compose.yaml").read_text("utf-8")))
SECOND = cast(dict[str, Any], yaml.safe_load((SERVER / "second-page.yaml").read_text("utf-8")))


def understood(words: list[str]) -> bool:
    """Whether the program takes such words."""
    command = next(word for word in words if not word.startswith("-"))
    return bool(build_parser(command).parse_args(words).command)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_starts_what_there_is(unit: Path) -> None:
    words = shlex.split(lines(unit)["ExecStart"].replace("%i", "8081"))
    assert words[0] == PROGRAM
    assert understood(words[1:])
    assert f"/var/lib/{lines(unit)['StateDirectory']}".replace("%i", "8081") == words[-1]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_knows_every_key_and_finds_it_hardened(tmp_path: Path, unit: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        return  # the table below holds what matters
    unit_file = tmp_path / unit.name.replace("@", "@8081")
    unit_file.write_text(unit.read_text("utf-8").replace(PROGRAM, sys.executable), "utf-8")
    for words in (["verify"], ["security", "--offline=true", "--threshold=30"]):
        output = subprocess.run(
            [program, *words, str(unit_file)], capture_output=True, text=True, check=False
        )
        assert output.returncode == 0, output.stdout + output.stderr


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("Restart", "always", "killed at any moment, it is there again"),
        ("User", "tongbox", "not root"),
        ("IPAddressDeny", "any", "nothing leaves the club"),
        ("EnvironmentFile", "/etc/tongbox/server.env", "no password in a list of processes"),
        ("CapabilityBoundingSet", "", "nothing that only root may"),
    ],
)
def test_what_a_unit_promises(unit: Path, key: str, value: str, reason: str) -> None:
    assert lines(unit)[key] == value, reason


def command_words(service: dict[str, Any]) -> list[str]:
    """Return a service's command as it is where no name is set."""
    return [re.sub(r"\$\{\w+:-(.*)\}", r"\1", word) for word in service["command"]]


def test_compose_starts_what_there_is() -> None:
    for name in ("page", "worker"):
        service = COMPOSE["services"][name]
        assert understood(command_words(service))
        assert service["environment"]["TONGBOX_STORE"].startswith("postgresql://tongbox@database/")
        assert (service["cap_drop"], service["read_only"]) == (["ALL"], True)


def test_what_a_process_keeps_for_itself_lies_where_any_user_may_write() -> None:
    """A folder's owner is nothing that all engines know: podman refuses `uid=` for a tmpfs."""
    for name in ("page", "worker"):
        service = COMPOSE["services"][name]
        assert service["tmpfs"] == [service["environment"]["XDG_STATE_HOME"]]
        assert service["tmpfs"] == ["/tmp"]  # noqa: S108


def test_nobody_begins_before_the_database_can_be_reached() -> None:
    """While the official image makes a database, a server answers on its socket, and ends again."""
    asks = COMPOSE["services"]["database"]["healthcheck"]["test"]
    assert asks[asks.index("-h") + 1] == "127.0.0.1"
    for name in ("page", "worker"):
        waits = COMPOSE["services"][name]["depends_on"]
        assert waits == {"database": {"condition": "service_healthy"}}


def test_a_second_page_is_as_the_first_but_for_its_port() -> None:
    page, second = COMPOSE["services"]["page"], SECOND["services"]["second-page"]
    assert second["extends"] == {"file": "compose.yaml", "service": "worker"}
    assert command_words(second) == command_words(page)
    assert second["networks"] == page["networks"]
    assert not set(second["ports"]) & set(page["ports"])


def test_the_project_has_a_name_of_its_own() -> None:
    """Else it is called after its folder, `server`, as any other's may be: and so is its volume."""
    assert COMPOSE["name"] == "tongbox"


def test_only_the_page_has_a_door() -> None:
    doors = {name: each.get("ports") for name, each in COMPOSE["services"].items()}
    assert {name for name, ports in doors.items() if ports} == {"page"}
    assert COMPOSE["services"]["database"]["networks"] == ["inside"]
    assert COMPOSE["services"]["worker"]["networks"] == ["inside"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}


def test_the_image_has_all_that_the_program_is_made_of() -> None:
    """The list of what is sent to be built has every package of the wheel, and no more secrets."""
    patterns = (SERVER / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    assert {"*", "!scorer", "!vision", "!device", "!models", "!requirements.lock"} <= set(patterns)
    assert "!.git" not in patterns
