"""What surrounds the program and is not as it should be: it says so, or goes on without it."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from device.cli import MIN_ADDRESS_SPACE_BYTES

DAY = """
from datetime import datetime, UTC
from device.i18n.words import catalogue, day_of
assert catalogue("fr").sentences
print(day_of(datetime(2026, 11, 22, 12, tzinfo=UTC)))
"""


@pytest.mark.parametrize(
    ("zone", "why"),
    [
        ("", "none is named"),
        ("Europe/Paris", "a zone"),
        ("Nowhere/Zone", "no file"),
        ("/etc/hostname", "a file, and no zone"),
        ("/etc", "a folder"),
        (":/etc/hostname", "a file as POSIX has it"),
    ],
)
def test_a_day_is_said_whatever_the_time_zone_is_called(zone: str, why: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", DAY],
        env=os.environ | {"TZ": zone}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "22 November 2026\n", (why, done.stderr)
    assert ("names no time zone" in done.stderr) == ("/etc" in zone)


@pytest.mark.parametrize(
    ("command", "allowed", "refused"),
    [
        ("read", MIN_ADDRESS_SPACE_BYTES - 1, True),
        ("serve", 4 * 10**8, True),
        ("read", MIN_ADDRESS_SPACE_BYTES, False),
        ("rules", 4 * 10**8, False),
    ],
)
def test_too_little_address_space_is_said_before_a_library_ends_the_program(
    tmp_path: Path, command: str, allowed: int, refused: bool
) -> None:
    words = {"read": [str(tmp_path / "none.jpg")], "serve": ["--data", str(tmp_path)], "rules": []}
    done = subprocess.run(
        [sys.executable, "-m", "device.cli", command, *words[command]],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (allowed, allowed)),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = "This needs 1,200 MB of address space, and only" in done.stderr
    assert (said, "Traceback" in done.stderr) == (refused, False), done.stderr
    if refused:
        assert done.returncode == 1
