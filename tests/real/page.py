"""Do what a phone does with the page, and hear what a service tells systemd; stdlib alone."""

from __future__ import annotations

import html
import re
import socket
import time
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import TypeVar

from device.samples import load_samples
from tests.form_data import NO_BODY, Body, encode_upload

_Value = TypeVar("_Value")

SAMPLE = next(sample for sample in load_samples() if sample.name == "pungs-and-a-kong")
"""The photograph that most trials send."""


class Page:
    """The box's page, at a host's name or address and a port."""

    def __init__(self, host: str, port: int = 80) -> None:
        self._host, self._port = host, port

    def ask(self, path: str, form: Body | None = None, timeout: float = 30) -> tuple[int, str, str]:
        """Return status, Location and text of an answer; with a form it is a POST.

        Raises OSError or HTTPException when none comes.
        """
        with closing(HTTPConnection(self._host, self._port, timeout=timeout)) as box:
            method = "GET" if form is None else "POST"
            body, kind = form or NO_BODY
            box.request(method, path, body or None, {"Content-Type": kind} if kind else {})
            answer = box.getresponse()
            text = answer.read().decode(errors="replace")
            return answer.status, answer.headers.get("Location", ""), text

    def is_well(self) -> bool:
        """Whether /health answers that all is well."""
        try:
            return self.ask("/health", timeout=5)[0] == 200
        except (OSError, HTTPException):
            return False

    def send(self, photo: Path) -> str:
        """Send a photograph as the form does; return the path of its hand's page."""
        form = encode_upload(photo.read_bytes(), filename=photo.name)
        return self.begin(self.ask("/hands", form, timeout=120))

    def send_sample(self) -> str:
        """Send the sample; return the path of its hand's page."""
        return self.send(SAMPLE.path)

    def read_sample(self, hand: str, limit: float) -> str:
        """Return the sample's tiles once they are read; raise AssertionError for other tiles."""
        read = tiles_of(self.hand_text(hand, limit))
        assert read == tiles_of(SAMPLE.hand), read
        return read

    def snap(self) -> str:
        """Take a photograph with the box's camera; return the path of its hand's page."""
        return self.begin(self.ask("/camera/photo", NO_BODY))

    def begin(self, answer: tuple[int, str, str]) -> str:
        """Return where an answer leads; raise AssertionError unless a hand was begun."""
        status, location, text = answer
        if status != 303:
            raise AssertionError(f"no hand was begun: {status} {text[:300]}")
        return location

    def hand_text(self, hand: str, limit: float) -> str:
        """Return the hand text on a hand's page, once it is read."""

        def find_text() -> str:
            match = re.search(r'id="hand-text"[^>]* value="([^"]*)"', self.ask(hand)[2])
            return html.unescape(match[1]) if match else ""

        # Seldom: under emulation making the page takes the time that reading needs.
        return wait_until(find_text, limit, f"{hand} shows no hand text", interval=3.0)


class SignsOfLife:
    """The socket to which a service tells systemd how it is."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._messages = ""

    def __enter__(self) -> SignsOfLife:
        self._path.unlink(missing_ok=True)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(self._path))
        self._path.chmod(0o666)
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def wait_for(self, sign: str, limit: float) -> None:
        """Return when this was said; raise TimeoutError."""
        ends = time.monotonic() + limit
        while sign not in self._messages:
            self._socket.settimeout(max(0.01, ends - time.monotonic()))
            self._messages = self._socket.recv(4096).decode()


def wait_until(
    condition: Callable[[], _Value], limit: float, failure: str, *, interval: float = 0.25
) -> _Value:
    """Return a condition's value once it is true; raise AssertionError after `limit` seconds."""
    ends = time.monotonic() + limit
    while not (value := condition()):
        if time.monotonic() > ends:
            raise AssertionError(f"{failure} after {limit:.0f} s")
        time.sleep(interval)
    return value


def tiles_of(hand_text: str) -> str:
    """Return a hand text without what is said of the situation.

    >>> tiles_of("B222 | C345 DRRR WEE | F1 seat=E won=wall")
    'B222 | C345 DRRR WEE | F1'
    """
    return " ".join(word for word in hand_text.split() if "=" not in word)


def free_port(host: str = "127.0.0.1") -> int:
    """Return a port on which nobody listens."""
    with closing(socket.socket()) as bound_socket:
        bound_socket.bind((host, 0))
        return int(bound_socket.getsockname()[1])
