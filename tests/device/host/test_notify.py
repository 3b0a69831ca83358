"""What systemd is told: on a socket of our own in its place."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from device.host import notify
from device.host.address import LOOPBACK
from tests.device.commands.test_serve import SERVE_WITH_A_FAKE

pytestmark = pytest.mark.slow


@pytest.fixture(params=["file", "abstract"])
def systemd(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[socket.socket]:
    name = f"tongbox-test-{os.getpid()}"
    told = str(tmp_path / "notify") if request.param == "file" else f"@{name}"
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as listener:
        listener.bind(told if request.param == "file" else f"\0{name}")
        listener.settimeout(10)
        monkeypatch.setenv("NOTIFY_SOCKET", told)
        monkeypatch.delenv("WATCHDOG_USEC", raising=False)
        monkeypatch.delenv("WATCHDOG_PID", raising=False)
        yield listener


def waiting(systemd: socket.socket) -> list[bytes]:
    """Return all that was sent so far."""
    systemd.setblocking(False)
    said = []
    try:
        while True:
            said.append(systemd.recv(100))
    except BlockingIOError:
        return said


def test_without_systemd_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.setattr(socket, "socket", None)
    notify.notify("READY=1")


def test_without_a_watchdog_the_box_says_only_that_it_is_ready(systemd: socket.socket) -> None:
    notify.ready(lambda: True)
    assert waiting(systemd) == [b"READY=1"]


def test_a_watchdog_for_another_process_is_not_fed(
    systemd: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "1000")
    monkeypatch.setenv("WATCHDOG_PID", "1")
    notify.ready(lambda: True)
    assert waiting(systemd) == [b"READY=1"]


def test_the_watchdog_is_fed_for_as_long_as_the_worker_lives(
    systemd: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "3000")
    answers = iter((True, True, True, False))
    asked = []

    def alive() -> bool:
        asked.append(next(answers))
        return asked[-1]

    notify.ready(alive)
    said = [systemd.recv(100) for _ in range(4)]
    assert said == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1", b"WATCHDOG=1"]
    while len(asked) < 4:
        pass
    assert waiting(systemd) == [], "it stops where the worker does"


def test_the_box_says_that_it_is_ready_when_its_port_answers(
    systemd: socket.socket, tmp_path: Path
) -> None:
    options = ["serve", "--host", LOOPBACK, "--port", "28280", "--data", str(tmp_path / "box")]
    environment = {**os.environ, "WATCHDOG_USEC": "300000"}
    box = subprocess.Popen(
        [sys.executable, "-c", SERVE_WITH_A_FAKE, *options],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    try:
        systemd.settimeout(60)
        assert systemd.recv(100) == b"READY=1"
        assert box.stdout is not None
        found = re.search(rf"{LOOPBACK}:(\d+)/", box.stdout.readline() + box.stdout.readline())
        assert found is not None
        connection = http.client.HTTPConnection(LOOPBACK, int(found[1]), timeout=10)
        connection.request("GET", "/health")
        assert connection.getresponse().status == 200
        connection.close()
        assert systemd.recv(100) == b"WATCHDOG=1"
    finally:
        box.send_signal(signal.SIGINT)
        box.communicate(timeout=20)
    assert box.returncode == 0, "as systemd ends it"
