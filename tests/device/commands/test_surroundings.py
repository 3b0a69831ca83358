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
    ("zone", "reason"),
    [
        ("", "none is named"),
        ("Europe/Paris", "a zone"),
        ("Nowhere/Zone", "no file"),
        ("/etc/hostname", "a file, and no zone"),
        ("/etc", "a folder"),
        (":/etc/hostname", "a file as POSIX has it"),
    ],
)
def test_a_day_is_said_whatever_the_time_zone_is_called(zone: str, reason: str) -> None:
    process = subprocess.run(
        [sys.executable, "-c", DAY],
        env=os.environ | {"TZ": zone}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert process.stdout == "22 November 2026\n", (reason, process.stderr)
    assert ("names no time zone" in process.stderr) == ("/etc" in zone)


@pytest.mark.parametrize(
    ("command", "allowed_mb", "is_refused"),
    [
        ("read", MIN_ADDRESS_SPACE_BYTES - 1, True),
        ("serve", 4 * 10**8, True),
        ("read", MIN_ADDRESS_SPACE_BYTES, False),
        ("rules", 4 * 10**8, False),
    ],
)
def test_too_little_address_space_is_said_before_a_library_ends_the_program(
    tmp_path: Path, command: str, allowed_mb: int, is_refused: bool
) -> None:
    words = {"read": [str(tmp_path / "none.jpg")], "serve": ["--data", str(tmp_path)], "rules": []}
    process = subprocess.run(
        [sys.executable, "-m", "device.cli", command, *words[command]],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (allowed_mb, allowed_mb)),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    is_explained = "This needs 1,200 MB of address space, and only" in process.stderr
    assert (is_explained, "Traceback" in process.stderr) == (is_refused, False), process.stderr
    if is_refused:
        assert process.returncode == 1
