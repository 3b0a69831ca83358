"""Nothing leaves the table: the box opens no connection, and the kernel itself is the witness."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.device.page import Page

KILL_STATUS = -signal.SIGSYS


@pytest.mark.parametrize(
    ("code", "status", "reason"),
    [
        ("socket.create_connection(('192.0.2.1', 80))", KILL_STATUS, "a connection"),
        (
            "socket.socket(type=socket.SOCK_DGRAM).sendto(b'.', ('192.0.2.1', 9))",
            KILL_STATUS,
            "a parcel",
        ),
        ("socket.getaddrinfo('tongbox.example', 80)", KILL_STATUS, "asking for a name"),
        ("ctypes.CDLL(None).connect(9, None, 0)", KILL_STATUS, "in another language than Python"),
        (
            "thread = threading.Thread(target=socket.socket().connect, args=[('192.0.2.1', 1)]);"
            "thread.start(); thread.join()",
            KILL_STATUS,
            "in a thread",
        ),
        ("a, b = socket.socketpair(); a.send(b'.'); print(b.recv(1))", 0, "answering is free"),
        ("socket.create_server(('127.0.0.1', 0)).close()", 0, "and so is listening"),
    ],
)
def test_who_calls_out_is_ended(code: str, status: int, reason: str) -> None:
    program = (
        "import ctypes, socket, threading; from tests.device.shut_in import shut_in; shut_in()"
    )
    process = subprocess.run(
        [sys.executable, "-c", f"{program}; {code}"], capture_output=True, check=False
    )
    assert process.returncode == status, reason


@pytest.fixture
def box(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start the real box, with its networks and its sample photographs, shut in."""
    options = ["--host", "127.0.0.1", "--port", "28480", "--data", str(tmp_path / "box")]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.device.shut_in", "serve", "--demo", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        output = ""
        while "Ctrl-C" not in output:
            line = process.stdout.readline()
            assert line, process.communicate()[1]
            output += line
        match = re.search(r"http://[\d.:]+", output)
        assert match is not None
        yield match[0], process
        process.kill()


def ask(url: str, **fields: str) -> tuple[str, str]:
    """Return where a request ended and what it was answered."""
    data = urlencode(fields).encode() if fields else None
    request = urllib.request.Request(url, data)  # noqa: S310 - the box's own address
    with closing(urllib.request.urlopen(request, timeout=60)) as answer:  # noqa: S310
        return answer.url, answer.read().decode("utf-8", "replace")


def wait_for_page(url: str, expected_text: str) -> str:
    ends = time.monotonic() + 120
    while expected_text not in (page := ask(url)[1]):
        assert time.monotonic() < ends, f"{expected_text} never came"
        time.sleep(0.2)
    return page


@pytest.mark.slow
def test_a_whole_use_opens_no_connection(box: tuple[str, subprocess.Popen[str]]) -> None:
    url, process = box
    name = Page(ask(f"{url}/single/")[1]).values("sample")[0]
    hand, _ = ask(f"{url}/hands", sample=name)
    page = wait_for_page(hand, 'id="score"')
    assert Page(page).all(".total"), "it was read and scored"
    ask(f"{hand}tile/0", code="B1")
    ask(f"{url}/setup/reading", what="test photo")
    wait_for_page(f"{url}/setup/", "A test photo")
    with closing(urllib.request.urlopen(f"{url}/camera/live.mjpg", timeout=60)) as live:  # noqa: S310
        assert b"image/jpeg" in live.read(200)
    hand, _ = ask(f"{url}/camera/photo", by="the box's camera")
    wait_for_page(hand, 'id="score"')
    for path in ("join", "sets/", "print/label.pdf", "print/mat-a4.pdf", "print/hands.pdf"):
        ask(f"{url}/{path}")
    assert process.poll() is None, "it still runs: the kernel has ended nobody"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (0, "")
