"""The service unit: systemd accepts it, and it keeps its promises."""

from __future__ import annotations

import shutil
import subprocess
import sys
from configparser import RawConfigParser
from pathlib import Path

import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"
UNIT = DEPLOY / "tongbox.service"
PROGRAM = "/opt/tongbox/current/venv/bin/tongbox"

MAX_EXPOSURE_TENTHS = 40
"""Tenths: 4.0 and better. Version 252 of systemd finds 2.3."""


UPDATE = DEPLOY / "tongbox-update.service"
FIRST_START = DEPLOY / "first/tongbox-first.service"


def lines(unit: Path = UNIT) -> dict[str, str]:
    """Return the settings of the [Service] part."""
    parser = RawConfigParser(strict=unit == UNIT)  # the other has two conditions of one kind
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(unit)
    return dict(parser["Service"])


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("Type", "notify", "active means that the port answers"),
        ("WatchdogSec", "60", "a hung worker is started anew"),
        ("Restart", "always", "nobody at the table can"),
        ("KillSignal", "SIGINT", "the command ends cleanly on Ctrl-C"),
        ("User", "tongbox", "not root"),
        ("StateDirectory", "tongbox", "the one folder that it may write to"),
        ("ProtectSystem", "strict", "all others"),
        ("NoNewPrivileges", "yes", "nor by a program that it starts"),
        ("CapabilityBoundingSet", "CAP_NET_BIND_SERVICE", "port 80 alone"),
        ("IPAddressDeny", "any", "nothing leaves the table"),
        ("MemoryMax", "70%", "the system keeps its share, whatever a picture takes"),
        ("OOMPolicy", "continue", "a picture that ends its decoder does not end the page"),
    ],
)
def test_what_the_unit_promises(key: str, value: str, reason: str) -> None:
    assert lines()[key] == value, reason


@pytest.mark.parametrize(
    "key", ["PrivateDevices", "DevicePolicy", "DeviceAllow", "ProtectClock", "PrivateNetwork"]
)
def test_nothing_hides_the_cameras_or_the_network(key: str) -> None:
    assert key not in lines()


def analyze(
    tmp_path: Path, source: Path, *arguments: str
) -> subprocess.CompletedProcess[str] | None:
    """Return systemd's analysis of a unit; None without systemd."""
    program = shutil.which("systemd-analyze")
    if program is None:
        return None  # the tables above hold what matters
    unit = tmp_path / source.name
    unit.write_text(source.read_text("utf-8").replace(PROGRAM, sys.executable), "utf-8")
    return subprocess.run(
        [program, *arguments, str(unit)], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("unit", [UNIT, UPDATE, FIRST_START], ids=lambda unit: unit.name)
def test_systemd_knows_every_key(tmp_path: Path, unit: Path) -> None:
    output = analyze(tmp_path, unit, "verify")
    assert output is None or (output.returncode, output.stderr) == (0, "")


def test_the_unit_is_hardened(tmp_path: Path) -> None:
    assert UNIT.read_text("utf-8").count(PROGRAM) == 1, "another stands in for it here"
    output = analyze(
        tmp_path, UNIT, "security", "--offline=true", f"--threshold={MAX_EXPOSURE_TENTHS}"
    )
    assert output is None or output.returncode == 0, output.stdout


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("Type", "oneshot", "who starts it waits until it has done, for as long as that takes"),
        ("Restart", "on-abnormal", "killed, it goes on; refused, it does not try again"),
    ],
)
def test_what_an_updates_unit_promises(key: str, value: str, reason: str) -> None:
    assert lines(UPDATE)[key] == value, reason
