"""Run the real program for a measurement, and read what the kernel says of it."""

from __future__ import annotations

import http.client
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.device.outside import greeting_of, port_of
from tests.form_data import encode_upload

TONGBOX_COMMAND = (sys.executable, "-m", "device.cli")
"""What the command `tongbox` runs."""

STOP_TIMEOUT_S = 60
"""Seconds that a box may take to end."""


class Run(NamedTuple):
    """One run of a program, from its start to its end."""

    cpu: float
    """Seconds of processor time, of all its processes."""
    clock: float
    output: str


def run_program(
    command: Sequence[str],
    stdin: Path = Path(os.devnull),
    env: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Run:
    """Run a program to its end with a file as input, in this folder or another.

    It may write compiled modules.
    """
    environment = {
        name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    before, start = _of_children(), time.monotonic()
    with stdin.open("rb") as file:
        result = subprocess.run(
            command,
            stdin=file,
            stdout=subprocess.PIPE,
            check=True,
            cwd=folder,
            env={**environment, **(env or {})},
        )
    return Run(_of_children() - before, time.monotonic() - start, result.stdout.decode())


def _of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@contextmanager
def run_box(
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
        yield box.pid, port_of(greeting_of(box))
    finally:
        box.send_signal(signal.SIGINT)
        box.wait(STOP_TIMEOUT_S)
        assert box.stdout is not None
        box.stdout.close()


@contextmanager
def run_server(
    folder: Path | str, *options: str, port: int = 18500, env: Mapping[str, str] | None = None
) -> Iterator[tuple[int, int]]:
    """Run `tongbox serve` on a folder, with the unit's environment unless another is given."""
    command = ["-m", "device.cli", "serve", "--host", "127.0.0.1", "--port", str(port)]
    command += ["--data", str(folder), *options]
    with run_box(command, read_unit_environment() if env is None else env) as box:
        yield box


def read_unit_environment() -> dict[str, str]:
    """Return the environment that the service has on a box."""
    unit = Path("deploy/tongbox.service").read_text("utf-8")
    lines = re.findall(r"^Environment=(.*)$", unit, re.MULTILINE)
    return dict(each.split("=", 1) for line in lines for each in line.split())


def ask(port: int, path: str) -> str:
    """Return a page of a box on this machine."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", path)
    text = connection.getresponse().read().decode()
    connection.close()
    return text


def send_photo(port: int, data: bytes) -> None:
    """Upload a photograph as a phone does, and wait until its hand is on the page."""
    body, kind = encode_upload(data)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("POST", "/hands", body, {"Content-Type": kind})
    answer = connection.getresponse()
    answer.read()
    hand = answer.getheader("Location", "")
    connection.close()
    while "data-busy" in ask(port, hand):
        time.sleep(0.1)


def measure_memory_mb(pid: int | str, field: str) -> float:
    """Return megabytes of a process: VmRSS is what it holds, VmHWM the most it has held."""
    size_match = re.search(rf"{field}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert size_match is not None
    return int(size_match[1]) / 1024


def list_children(pid: int) -> list[int]:
    """Return the ids of the processes that a process has started."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for each in lists for child in each.read_text().split()]


def measure_cpu_s(pid: int) -> float:
    """Return the seconds of processor time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
