"""`tongbox serve` for real, in a process of its own, with a reader that reads nothing."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.device.page import Page

SERVE = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells' background jobs ignore it
from device import cli
from device.commands import serve
from tests.device.fake_reader import FakeReader
from device.web import storage_outage
storage_outage.RETRY_S = float(os.environ["AGAIN"] or storage_outage.RETRY_S)
serve.load_reader = FakeReader
sys.exit(cli.main(sys.argv[1:]))
"""

PATIENCE = 30
"""Seconds for a start."""


@dataclass(frozen=True, slots=True)
class ServedBox:
    """A box that was started."""

    port: int
    process: subprocess.Popen[str]

    def get(self, path: str) -> tuple[int, str]:
        """Return the status and the text of a page, redirects followed."""
        for _ in range(4):
            with closing(
                http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            ) as connection:
                connection.request("GET", path)
                answer = connection.getresponse()
                text = answer.read().decode()
                if answer.status not in (302, 303):
                    return answer.status, text
                path = answer.headers["Location"]
        raise AssertionError(f"{path} leads on and on")

    def post(self, path: str, **fields: str) -> int:
        """Return the status of what a form does."""
        form = "&".join(f"{name}={value}" for name, value in fields.items())
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            connection.request("POST", path, form, kind)
            return connection.getresponse().status

    def main(self, path: str = "/") -> str:
        """Return what a player reads on a page."""
        return Page(self.get(path)[1]).main.text

    def health(self) -> tuple[int, dict[str, object]]:
        """Return what programs are told."""
        status, text = self.get("/health")
        return status, json.loads(text)


@contextmanager
def serve_box(
    folder: Path, *options: str, retry_s: str = "", outer_command: Sequence[str] = ()
) -> Iterator[ServedBox]:
    """Start a box and give it once its port answers; raise AssertionError if it never does.

    `retry_s` is after how many seconds it tries a folder anew that it could not use;
    `outer_command` are words that start another command in surroundings of their own.
    """
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    place = ("--host", "127.0.0.1", "--port", str(port), "--data", str(folder), "--camera", "none")
    process = subprocess.Popen(
        [*outer_command, sys.executable, "-c", SERVE, "serve", *place, *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ | {"AGAIN": retry_s},
        text=True,
    )
    try:
        _await(port, process)
        yield ServedBox(port, process)
    finally:
        process.send_signal(signal.SIGINT)
        _, error_output = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in error_output, error_output


def _await(port: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if process.poll() is not None:
            assert process.stderr is not None
            raise AssertionError(f"it ended by itself: {process.stderr.read()}")
        try:
            ServedBox(port, process).get("/health")
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)
        else:
            return
    raise AssertionError("its port never answered")
