"""A box as its phones have it: a program of its own, asked through sockets from many addresses.

All of 127.0.0.0/8 is this machine, so a phone of the tests is an address such as 127.0.0.3.
"""

from __future__ import annotations

import http.client
import re
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from device.host.machine import LOOPBACK_ADDRESS

PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells' background jobs ignore it
from device import cli
from device.commands import serve
from tests.device.fake_reader import FakeReader
serve.load_reader = FakeReader
sys.exit(cli.main(sys.argv[1:]))
"""


UPLOAD = {"Content-Type": "multipart/form-data; boundary=x"}
"""The headers of what `upload` returns."""

NO_PHOTO = 415
"""What the page answers to it."""


def upload(count: int) -> bytes:
    """Return a form with a file of so many bytes, which is no photograph."""
    head = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="hand.jpg"\r\n\r\n'
    return head + bytes(count) + b"\r\n--x--\r\n"


_TRUSTING = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
_TRUSTING.check_hostname = False
_TRUSTING.verify_mode = ssl.CERT_NONE  # what a certificate says is tested elsewhere


@dataclass(frozen=True, slots=True)
class Outside:
    """A box that runs, seen from outside."""

    port: int
    pid: int
    https: int = 0
    by_https: bool = False
    """Whether it is asked by that port."""

    @property
    def door(self) -> tuple[str, int]:
        """Where it is asked."""
        return LOOPBACK_ADDRESS, self.https if self.by_https else self.port

    def phone(self, address: str, timeout: float = 30) -> http.client.HTTPConnection:
        """Return a connection of the phone that has this address, not opened yet."""
        if not self.by_https:
            return http.client.HTTPConnection(
                *self.door, timeout=timeout, source_address=(address, 0)
            )
        return http.client.HTTPSConnection(
            *self.door, timeout=timeout, source_address=(address, 0), context=_TRUSTING
        )

    def idle(self, address: str) -> socket.socket:
        """Return an open connection on which nothing is said, not even which key to use."""
        return socket.create_connection(self.door, timeout=30, source_address=(address, 0))

    def line(self, address: str, timeout: float = 30) -> socket.socket:
        """Return an open connection on which anything can be said. Raises OSError."""
        connection = self.phone(address, timeout)
        connection.connect()
        connection_socket: socket.socket = connection.sock
        return connection_socket

    def ask(
        self,
        address: str,
        path: str,
        body: bytes | Iterable[bytes] | None = None,
        headers: Mapping[str, str] | None = None,
        method: str = "",
        timeout: float = 30,
    ) -> Answer:
        """Ask once on a connection of its own."""
        connection = self.phone(address, timeout)
        try:
            verb = method or ("GET" if body is None else "POST")
            connection.request(verb, path, body, dict(headers or {}))
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def nameless_bytes(self) -> int:
        """Return the bytes of all files without a name that the box holds: bodies put by."""
        total = 0
        for file in Path(f"/proc/{self.pid}/fd").iterdir():
            with suppress(OSError):
                if " (deleted)" in str(file.readlink()) and file.stat().st_nlink == 0:
                    total += file.stat().st_size
        return total


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        """The body in words."""
        return self.body.decode()


def greeting_of(box: subprocess.Popen[str]) -> str:
    """Return what a box says when it has opened."""
    assert box.stdout is not None
    greeting = ""
    while "Ctrl-C" not in greeting:
        line = box.stdout.readline()
        assert line, "it ended before it opened"
        greeting += line
    return greeting


def port_of(greeting: str) -> int:
    """Return the port that a greeting names."""
    port = re.search(r":(\d+)/", greeting)
    assert port is not None, greeting
    return int(port[1])


@contextmanager
def box_outside(folder: Path, *options: str, program: str = PROGRAM) -> Iterator[Outside]:
    """Run a box around a folder, on a free port of every address."""
    arguments = ["serve", "--host", "0.0.0.0", "--port", "28300", *options]  # noqa: S104
    box = subprocess.Popen(
        [sys.executable, "-c", program, *arguments, "--data", str(folder)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert box.stdout is not None
        greeting = greeting_of(box)
        if "--https" in options:
            greeting += box.stdout.readline() + box.stdout.readline()
        secure = re.search(r"HTTPS, too, on port (\d+)", greeting)
        yield Outside(port_of(greeting), box.pid, int(secure[1]) if secure else 0)
    finally:
        box.send_signal(signal.SIGINT)
        try:
            box.wait(timeout=20)
        except subprocess.TimeoutExpired:
            box.kill()
        box.communicate()
