"""`tongbox serve` for real, in a process of its own, with a reader that reads nothing."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from device.host.machine import LOOPBACK_ADDRESS
from tests.device.outside import PROGRAM, Outside
from tests.real.page import free_port

SERVE = f"""
import os
from device.web import storage_outage
storage_outage.RETRY_S = float(os.environ["AGAIN"] or storage_outage.RETRY_S)
{PROGRAM}"""

PATIENCE = 30
"""Seconds for a start."""


class ServedBox(Outside):
    """A box that was started."""

    def get(self, path: str) -> tuple[int, str]:
        """Return the status and the text of a page, redirects followed."""
        for _ in range(4):
            answer = self.ask(LOOPBACK_ADDRESS, path, timeout=10)
            if answer.status not in (302, 303):
                return answer.status, answer.text
            path = str(answer.headers["Location"])
        raise AssertionError(f"{path} leads on and on")

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
    port = free_port()
    place = ("--host", "127.0.0.1", "--port", str(port), "--data", str(folder), "--camera", "none")
    process = subprocess.Popen(
        [*outer_command, sys.executable, "-c", SERVE, "serve", *place, *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ | {"AGAIN": retry_s},
        text=True,
    )
    try:
        box = ServedBox(port, process.pid)
        _await(box, process)
        yield box
    finally:
        process.send_signal(signal.SIGINT)
        _, error_output = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in error_output, error_output


def _await(box: ServedBox, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if process.poll() is not None:
            assert process.stderr is not None
            raise AssertionError(f"it ended by itself: {process.stderr.read()}")
        try:
            box.get("/health")
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)
        else:
            return
    raise AssertionError("its port never answered")
