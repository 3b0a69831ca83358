"""What may be sent is kept, and all else thrown away as it comes: through real sockets."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from typing import Any

import pytest

from device.server.limits import ServerLimits
from device.server.server import Server
from tests.device.server.serving import line, page, phone, serving

LIMITS = ServerLimits(max_parked_bytes=300_000, parked_per_address=200_000)

LARGE = 3_000_000


def may_send(method: str, path: str, cookie: str) -> int:
    """Let who has the cookie send more, and more to one page."""
    return {"": 1000, "in": 150_000 if path == "/photo" else 5000}[cookie.removeprefix("phone=")]


def parts(count: int) -> Iterator[bytes]:
    """Yield a body in parts, so that its length is not known before its end."""
    for _ in range(count // 1000):
        yield bytes(1000)


@pytest.mark.parametrize("body", [bytes, parts], ids=["of known length", "in chunks"])
@pytest.mark.parametrize(
    ("path", "cookie", "count", "status", "reason"),
    [
        ("/photo", "phone=in", 150_000, 200, "a photograph"),
        ("/photo", "phone=in", 151_000, 413, "a byte more, or a chunk"),
        ("/photo", "phone=in", LARGE, 413, "far more"),
        ("/form", "phone=in", 5000, 200, "a form"),
        ("/form", "phone=in", 6000, 413, "more than a form"),
        ("/photo", "", 1000, 200, "a PIN and where one was going"),
        ("/photo", "", 2000, 413, "more than that"),
        ("/photo", "", LARGE, 413, "far more"),
    ],
)
def test_a_body_is_taken_up_to_what_may_be_sent(
    body: Callable[[int], Any], path: str, cookie: str, count: int, status: int, reason: str
) -> None:
    with (
        serving(LIMITS, may_send=may_send) as server,
        closing(phone(server, "127.0.0.2")) as connection,
    ):
        for _ in range(2):  # the connection serves on
            connection.request("POST", path, body(count), {"Cookie": cookie} if cookie else {})
            answer = connection.getresponse()
            result = (answer.status, int(answer.read()))
            assert result == (status, count if status == 200 else 0), reason
        wait(lambda: server.parking.total_taken == 0)


def test_no_more_lies_on_the_box_than_there_is_room_for() -> None:
    with serving(LIMITS, may_send=lambda *_: 150_000) as server, ExitStack() as endings:
        connections = [
            endings.enter_context(closing(half_a_body(server, f"127.0.0.{n}", 100_000)))
            for n in (2, 2, 3)
        ]
        wait(lambda: server.parking.total_taken == 300_000)
        with closing(phone(server, "127.0.0.4")) as last_connection:
            last_connection.request("POST", "/", bytes(10))
            assert last_connection.getresponse().status == 503, "all is taken"
        connections.pop().close()
        wait(lambda: server.parking.total_taken == 200_000)
        with closing(phone(server, "127.0.0.4")) as last_connection:
            last_connection.request("POST", "/", bytes(100_000))
            assert last_connection.getresponse().status == 200, "who went away has left room"
        with closing(phone(server, "127.0.0.2")) as greedy:
            greedy.request("POST", "/", bytes(10))
            assert greedy.getresponse().status == 503, "this address has its share"
        connections.pop().sendall(bytes(50_000))
        wait(lambda: server.parking.total_taken == 100_000)


def test_who_stalls_gives_its_room_back() -> None:
    with (
        serving(replace(LIMITS, stall=0.3), may_send=lambda *_: 150_000) as server,
        closing(half_a_body(server, "127.0.0.2", 100_000)),
    ):
        wait(lambda: server.parking.total_taken == 100_000)
        wait(lambda: server.parking.total_taken == 0)


def test_a_body_without_end_is_cut_off() -> None:
    head = b"POST / HTTP/1.1\r\nHost: box\r\nTransfer-Encoding: chunked\r\n\r\n"
    with (
        serving(replace(LIMITS, body_read=100_000), may_send=lambda *_: 1000) as server,
        closing(line(server, "127.0.0.2", head)) as endless,
    ):
        with pytest.raises(ConnectionError):
            endless.sendall((b"400\r\n" + bytes(1024) + b"\r\n") * 10_000)
        assert server.parking.total_taken == 0


@pytest.mark.parametrize(
    ("says", "reason"),
    [(b"0" * 10**6, "a length without end"), (b"0\r\n" + b"x" * 10**6, "a trailer without end")],
)
def test_a_line_without_end_is_not_kept(says: bytes, reason: str) -> None:
    head = b"POST / HTTP/1.1\r\nHost: box\r\nTransfer-Encoding: chunked\r\n\r\n"
    with (
        serving(LIMITS, may_send=lambda *_: 1000) as server,
        closing(line(server, "127.0.0.2", head)) as endless,
        suppress(ConnectionError),  # as it is closed while more comes
    ):
        endless.sendall(says)
        assert endless.recv(12) == b"HTTP/1.1 400", reason


def test_a_body_that_is_being_read_keeps_its_room() -> None:
    go_on, has_begun = threading.Event(), threading.Event()

    def slow(environ: dict[str, Any], start_response: Any) -> list[bytes]:  # noqa: ANN401
        has_begun.set()
        go_on.wait(10)
        return page(environ, start_response)

    with serving(LIMITS, slow, lambda *_: 150_000) as server:
        with closing(phone(server, "127.0.0.2")) as connection:
            connection.request("POST", "/", bytes(100_000))
            assert has_begun.wait(10)
            assert server.parking.total_taken == 100_000, "the page may write it once more"
            go_on.set()
            assert int(connection.getresponse().read()) == 100_000
        wait(lambda: server.parking.total_taken == 0)


def half_a_body(server: Server, address: str, count: int) -> socket.socket:
    """Return a connection on which half of a body was sent."""
    head = f"POST / HTTP/1.1\r\nHost: box\r\nContent-Length: {count}\r\n\r\n".encode()
    return line(server, address, head + bytes(count // 2))


def wait(condition: Callable[[], bool]) -> None:
    """Wait for something that comes at once, or a little later."""
    ends = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.01)
