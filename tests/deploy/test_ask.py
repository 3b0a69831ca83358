"""How the updater asks whether the box is well: of a page that answers, and of the box itself."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests.deploy.conftest import DEPLOY
from tests.real.page import free_port

ALL = ["/health", "/", "/matches"]


@contextmanager
def answering(statuses: dict[str, int], health: str) -> Iterator[int]:
    """Answer pages with these statuses, all others with 200; give the port."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(statuses.get(self.path, 200))
            self.end_headers()
            self.wfile.write(health.encode() if self.path == "/health" else b"<html>")

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def ask_page(port: int) -> tuple[int, list[str]]:
    result = subprocess.run(
        [sys.executable, str(DEPLOY / "ask.py"), str(port)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.stderr == ""
    return result.returncode, result.stdout.splitlines()


@pytest.mark.parametrize(
    ("statuses", "broken_pages", "reason"),
    [
        ({}, [], "all is well"),
        ({"/health": 503}, ["/health"], "it says so itself"),
        ({"/": 500}, ["/"], "though /health is well"),
        ({"/matches": 500}, ["/matches"], "though the first page is well"),
        ({"/": 403, "/matches": 403}, [], "the table has a PIN"),
        ({"/matches": 404}, [], "a version without that page"),
        ({"/": 303}, [], "it leads on"),
    ],
)
def test_what_is_broken_is_named(
    statuses: dict[str, int], broken_pages: list[str], reason: str
) -> None:
    with answering(statuses, '{"status": "ok", "alive": true}') as port:
        assert ask_page(port) == (0, broken_pages), reason


@pytest.mark.parametrize(
    ("health", "expected", "reason"),
    [
        ('{"status": "no worker", "alive": false}', (1, ALL), "it reads nothing any more"),
        ('{"status": "ok", "version": "0.2.0"}', (0, ["/health"]), "it did not look so deep then"),
        ("[]", (0, ["/health"]), "nor is this an answer to go by"),
        ("<html>", (0, ["/health"]), "nor this"),
    ],
)
def test_what_health_says_of_itself(
    health: str, expected: tuple[int, list[str]], reason: str
) -> None:
    with answering({}, health) as port:
        assert ask_page(port) == expected, reason


def test_without_an_answer_everything_is_broken() -> None:
    assert ask_page(free_port()) == (1, ALL)
