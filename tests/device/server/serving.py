"""The server alone, in a thread: around a page that a test makes, with limits that it sets."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from device.host.machine import LOOPBACK_ADDRESS, local_address_of, open_port
from device.server.connection import REFUSED_STATUS_KEY
from device.server.limits import ServerLimits
from device.server.server import Server

Page = Callable[[dict[str, Any], Any], Iterable[bytes]]


def page(environ: dict[str, Any], start_response: Any) -> list[bytes]:  # noqa: ANN401
    """Answer with how many bytes came, and with the status that the server asks for."""
    start_response(f"{environ.get(REFUSED_STATUS_KEY, 200)} .", [("Content-Type", "text/plain")])
    return [str(len(environ["wsgi.input"].read())).encode()]


@contextmanager
def serving(
    limits: ServerLimits,
    answer: Page = page,
    may_send: Callable[[str, str, str], int] | None = None,
) -> Iterator[Server]:
    """Run a server that anybody may send 1 MB unless told otherwise; give it."""
    listener = open_port("0.0.0.0", 29100)  # noqa: S104
    server = Server(answer, listener, limits, may_send or (lambda *_: 10**6))
    stop = threading.Event()

    def run() -> None:
        while not stop.is_set():
            server.asyncore.loop(0.02, use_poll=True, map=server._map, count=1)
        server.stop()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield server
    finally:
        stop.set()
        thread.join()


def phone(server: Server, address: str) -> http.client.HTTPConnection:
    """Return a phone's connection, opened by its first request."""
    host, port = local_address_of(server.socket)
    return http.client.HTTPConnection(host, port, timeout=10, source_address=(address, 0))


def line(server: Server, address: str, says: bytes = b"") -> socket.socket:
    """Return a connection of an address on which this was said."""
    connection = socket.create_connection(
        (LOOPBACK_ADDRESS, local_address_of(server.socket)[1]),
        timeout=10,
        source_address=(address, 0),
    )
    if says:
        connection.sendall(says)
    return connection


def is_closed(connection: socket.socket) -> bool:
    """Whether the box has closed a connection; waits for as long as its timeout."""
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False
