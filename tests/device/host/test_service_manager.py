"""What systemd is told: on a socket of our own in its place."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from device.host import service_manager
from device.host.machine import LOOPBACK_ADDRESS, open_port

pytestmark = pytest.mark.slow


@pytest.fixture(params=["file", "abstract"])
def systemd(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[socket.socket]:
    name = f"tongbox-test-{os.getpid()}"
    socket_name = str(tmp_path / "notify") if request.param == "file" else f"@{name}"
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as listener:
        listener.bind(socket_name if request.param == "file" else f"\0{name}")
        listener.settimeout(10)
        monkeypatch.setenv("NOTIFY_SOCKET", socket_name)
        monkeypatch.delenv("WATCHDOG_USEC", raising=False)
        monkeypatch.delenv("WATCHDOG_PID", raising=False)
        yield listener


def sent_messages(systemd: socket.socket) -> list[bytes]:
    """Return all that was sent so far."""
    systemd.setblocking(False)
    messages = []
    try:
        while True:
            messages.append(systemd.recv(100))
    except BlockingIOError:
        return messages


def test_without_systemd_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.setattr(socket, "socket", None)
    service_manager.notify("READY=1")


def living(_: float) -> bool:
    return True


def test_without_a_watchdog_the_box_says_only_that_it_is_ready(systemd: socket.socket) -> None:
    service_manager.notify_ready(living)
    assert sent_messages(systemd) == [b"READY=1"]


def test_a_watchdog_for_another_process_is_not_fed(
    systemd: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "1000")
    monkeypatch.setenv("WATCHDOG_PID", "1")
    service_manager.notify_ready(living)
    assert sent_messages(systemd) == [b"READY=1"]


def test_the_watchdog_is_fed_as_often_as_the_box_answers(
    systemd: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "3000")
    answers = iter((True, True, False, True))
    ask_times: list[float] = []
    all_asked, never_set = threading.Event(), threading.Event()

    def alive(seconds: float) -> bool:
        ask_times.append(seconds)
        answer = next(answers, None)
        if answer is None:
            all_asked.set()
            never_set.wait()
        return bool(answer)

    service_manager.notify_ready(alive)
    assert all_asked.wait(10)
    assert sent_messages(systemd) == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1", b"WATCHDOG=1"]
    assert ask_times == [0.001] * 5, "it waits for no answer longer than a third of the limit"


@pytest.mark.parametrize(
    ("status", "body", "lives", "reason"),
    [
        (200, b'{"status": "ok", "alive": true}', True, "all is well"),
        (503, b'{"status": "no store", "alive": true}', True, "a new start mends no card"),
        (503, b'{"status": "no worker", "alive": false}', False, "the worker hangs"),
        (200, b'{"status": "ok", "alive": false}', False, "whatever else it says"),
        (200, b'{"status": "ok"}', True, "as boxes said before"),
        (503, b'{"status": "no store"}', False, "so, too"),
        (200, b"[]", False, "no such answer"),
        (200, b"<html>", False, "somebody else's page"),
        (200, b"\xff", False, "no text"),
        (0, b"", False, "no HTTP"),
    ],
)
def test_what_counts_as_a_sign_of_life(status: int, body: bytes, lives: bool, reason: str) -> None:
    with closing(open_port(LOOPBACK_ADDRESS, 28400)) as listener:
        threading.Thread(target=say_once, args=(listener, status, body)).start()
        host, port = listener.getsockname()
        assert service_manager.is_answering(host, port, 10) == lives, reason


def say_once(listener: socket.socket, status: int, body: bytes) -> None:
    phone, _ = listener.accept()
    with closing(phone):
        assert phone.recv(2**16).startswith(b"GET /health HTTP/1.1\r\n")
        head = f"HTTP/1.1 {status} .\r\nContent-Length: {len(body)}\r\n\r\n" if status else "no"
        phone.sendall(head.encode() + body)


def test_who_does_not_answer_or_is_not_there_does_not_live() -> None:
    with closing(open_port(LOOPBACK_ADDRESS, 28400)) as listener:
        host, port = listener.getsockname()
        assert not service_manager.is_answering(host, port, 0.1), "it listens, and says nothing"
    assert not service_manager.is_answering(host, port, 0.1)
