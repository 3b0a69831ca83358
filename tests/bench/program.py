"""The real program, started for a measurement, and what the kernel says of it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 20
"""Seconds that it may take to end."""


@contextmanager
def running(
    command: Sequence[str], env: Mapping[str, str] | None = None
) -> Iterator[tuple[int, int]]:
    """Run a box on 127.0.0.1 until it says that it listens; give its process id and port."""
    box = subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **(env or {})},
    )
    try:
        yield box.pid, _port_of(box)
    finally:
        box.send_signal(signal.SIGINT)
        box.wait(PATIENCE)


def _port_of(box: subprocess.Popen[str]) -> int:
    said = ""
    assert box.stdout is not None
    while "Ctrl-C" not in said:
        line = box.stdout.readline()
        assert line, "the program ended before it listened"
        said += line
    found = re.search(r"127\.0\.0\.1:(\d+)/", said)
    assert found is not None
    return int(found[1])


def spent(pid: int) -> float:
    """Return the seconds of processor time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
