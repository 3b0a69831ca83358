"""The page listens on IPv6, too: on one address, or on all of both kinds."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from device.commands.serve import page_address
from device.host.machine import find_lan_address, local_address_of, open_port
from device.server.limits import ServerLimits
from device.server.server import Server


def has_ipv6() -> bool:
    try:
        with closing(socket.socket(socket.AF_INET6)) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


needs_ipv6 = pytest.mark.skipif(not has_ipv6(), reason="this computer has no IPv6")


def say_address(environ: dict[str, Any], start_response: Any) -> list[bytes]:  # noqa: ANN401
    """Answer with the address that the request comes from."""
    start_response("200 .", [("Content-Type", "text/plain")])
    return [environ["REMOTE_ADDR"].encode()]


@contextmanager
def serving(host: str) -> Iterator[tuple[str, int]]:
    """Serve on an address; give how this machine reaches it."""
    listener = open_port(host, 29400)
    server = Server(say_address, listener, ServerLimits(threads=2), lambda *_: 10**6)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield local_address_of(listener)
    finally:
        server.request_stop()
        thread.join()


def ask(host: str, port: int) -> str:
    with closing(http.client.HTTPConnection(host, port, timeout=10)) as connection:
        connection.request("GET", "/")
        return connection.getresponse().read().decode()


@needs_ipv6
@pytest.mark.parametrize(
    ("host", "answers"),
    [
        ("::1", {"::1": "::1"}),
        ("::", {"::1": "::1", "127.0.0.1": "127.0.0.1"}),
        ("127.0.0.1", {"127.0.0.1": "127.0.0.1"}),
        ("0.0.0.0", {"127.0.0.1": "127.0.0.1"}),  # noqa: S104
    ],
)
def test_phones_are_answered_by_their_own_address(host: str, answers: dict[str, str]) -> None:
    with serving(host) as (served_host, port):
        assert served_host in answers, "how the watchdog reaches it"
        assert {name: ask(name, port) for name in answers} == answers


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("::1", "http://[::1]:8080/"),
        ("::", f"http://{find_lan_address()}:8080/"),
        ("0.0.0.0", f"http://{find_lan_address()}:8080/"),  # noqa: S104
        ("", f"http://{find_lan_address()}:8080/"),
        ("192.168.1.7", "http://192.168.1.7:8080/"),
    ],
)
def test_the_page_is_named_by_an_address_that_a_browser_takes(host: str, address: str) -> None:
    assert page_address(host, 8080) == address


def test_a_phone_by_ipv6_is_shown_the_usual_address_of_the_box() -> None:
    assert find_lan_address("fe80::1") == find_lan_address()
