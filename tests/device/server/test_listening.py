"""Phones that listen cost no thread, and take nothing from the others: through real sockets."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from device.server.connection import LISTEN_KEY, NewsListener
from device.server.limits import ServerLimits
from tests.device.fake_camera import wait_until
from tests.device.server.serving import is_closed, line, phone, serving

pytestmark = pytest.mark.slow

ASKS = b"GET /news HTTP/1.1\r\nHost: box\r\n\r\n"
SMALL = ServerLimits(connections=80, listeners_per_address=3, threads=2)


class Page:
    """Lets whoever asks for news listen, and remembers who does."""

    def __init__(self) -> None:
        self.ears: list[NewsListener] = []
        self.gone = 0

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:  # noqa: ANN401
        if environ["PATH_INFO"] != "/news":
            start_response("200 OK", [("Content-Type", "text/plain")])
            return iter([b"page"])
        ear = environ[LISTEN_KEY](self._leave)
        start_response("200 OK" if ear else "204 No Content", [("Content-Type", "text/plain")])
        if ear:
            self.ears.append(ear)
        return iter([b"first"] if ear else [])

    def _leave(self) -> None:
        self.gone += 1

    def tell(self, words: bytes) -> None:
        """Tell all, each as soon as that can be."""
        for ear in self.ears:
            wait_until(partial(ear.tell, words))


def read(connection: socket.socket, words: bytes) -> bytes:
    """Return what comes up to some words."""
    data = b""
    while words not in data:
        piece = connection.recv(1000)
        assert piece, data
        data += piece
    return data


def test_as_many_as_may_listen_and_pages_are_answered_beside_them() -> None:
    page, maximum = Page(), SMALL.connections // 2
    with serving(SMALL, page) as server, ExitStack() as endings:
        lines = [
            endings.enter_context(closing(line(server, f"127.0.9.{number}", ASKS)))
            for number in range(1, maximum + 1)
        ]
        for each in lines:
            assert b"chunked" in read(each, b"first\r\n")
        page.tell(b"second")
        for each in lines:
            assert read(each, b"second\r\n") == b"6\r\nsecond\r\n"
        with closing(phone(server, "127.0.8.1")) as other:
            other.request("GET", "/")
            assert other.getresponse().read() == b"page", "two threads, and forty who listen"
        with closing(phone(server, "127.0.8.2")) as other:
            other.request("GET", "/news")
            assert other.getresponse().status == 204, "half of the lines are for pages"
        lines[0].close()
        wait_until(lambda: page.gone == 1)
        with closing(line(server, "127.0.8.3", ASKS)) as next_one:
            assert b"200 OK" in read(next_one, b"first\r\n"), "room again"


def test_one_address_leaves_room_for_others() -> None:
    page = Page()
    with serving(SMALL, page) as server, ExitStack() as endings:
        for number in range(5):
            connection = endings.enter_context(closing(line(server, "127.0.0.2", ASKS)))
            assert (b"200 OK" if number < 3 else b"204") in read(connection, b"\r\n\r\n")
        with closing(line(server, "127.0.0.3", ASKS)) as other:
            read(other, b"first\r\n")


def test_who_listens_is_neither_idle_nor_overdue() -> None:
    page, hasty = (
        Page(),
        replace(SMALL, idle=0.2, headers=0.3, stall=0.3, connections_per_address=2),
    )
    with serving(hasty, page) as server, closing(line(server, "127.0.0.2", ASKS)) as connection:
        read(connection, b"first\r\n")
        time.sleep(3)  # the server looks every other second
        other_connections = [line(server, "127.0.0.2") for _ in range(4)]
        page.tell(b"still")
        assert read(connection, b"still\r\n")
        for each in other_connections:
            each.close()


def test_a_phone_that_says_something_while_it_listens_is_hung_up() -> None:
    page = Page()
    with serving(SMALL, page) as server, closing(line(server, "127.0.0.2", ASKS)) as connection:
        read(connection, b"first\r\n")
        page.tell(b".")
        read(connection, b".\r\n")
        connection.sendall(ASKS)
        assert is_closed(connection)
        wait_until(lambda: page.gone == 1)
        assert server.listening.total_taken == 0


def test_what_was_all_is_said_so_and_hung_up() -> None:
    page = Page()
    with serving(SMALL, page) as server, closing(line(server, "127.0.0.2", ASKS)) as connection:
        read(connection, b"first\r\n")
        page.tell(b".")
        page.ears[0].end()
        assert read(connection, b"0\r\n\r\n").endswith(b".\r\n0\r\n\r\n")
        assert is_closed(connection)
        wait_until(lambda: page.gone == 1)


def test_a_phone_that_takes_nothing_is_told_no_more_and_put_out() -> None:
    page, hasty = Page(), replace(SMALL, idle=0.5)
    with serving(hasty, page) as server, closing(line(server, "127.0.0.2", ASKS)) as connection:
        read(connection, b"first\r\n")
        page.tell(b"x" * 2**24)
        assert not page.ears[0].tell(b"more"), "what is new by then is told instead"
        wait_until(lambda: page.gone == 1)
        assert connection


def test_words_from_two_threads_come_whole() -> None:
    page, rounds = Page(), 300
    with serving(SMALL, page) as server, closing(line(server, "127.0.0.2", ASKS)) as connection:
        read(connection, b"first\r\n")

        def tell() -> None:
            for _ in range(rounds):
                page.tell(b"word")

        threads = [threading.Thread(target=tell) for _ in range(2)]
        for each in threads:
            each.start()
        data = b""
        while data.count(b"4\r\nword\r\n") < 2 * rounds:
            data += connection.recv(1000)
        assert data == b"4\r\nword\r\n" * 2 * rounds
        for each in threads:
            each.join()
