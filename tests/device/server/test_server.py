"""What one address may have of the server while another is answered: through real sockets."""

from __future__ import annotations

import http.client
import resource
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Any

import pytest

from device.host.machine import local_address_of
from device.host.service_manager import is_answering
from device.server.connection import LONG_ANSWER_KEY
from device.server.limits import ServerLimits, within_open_files
from tests.device.server.serving import is_closed, line, page, phone, serving

pytestmark = pytest.mark.slow

GREEDY, OTHER = "127.0.0.2", "127.0.0.3"

SMALL = ServerLimits(connections=40, connections_per_address=10)
"""Few enough to be used up, with the times of a box."""

HASTY = replace(SMALL, idle=0.3, headers=0.6, stall=0.6, arriving=1.5)


def status_of(connection: http.client.HTTPConnection, path: str = "/") -> int:
    connection.request("GET", path)
    response = connection.getresponse()
    response.read()
    return response.status


def test_a_box_whose_threads_all_hang_shows_no_sign_of_life() -> None:
    go_on, hanging_threads = threading.Event(), threading.Semaphore(0)

    def hung(environ: dict[str, Any], start_response: Any) -> list[bytes]:  # noqa: ANN401
        if environ["PATH_INFO"] == "/hangs":
            hanging_threads.release()
            go_on.wait(20)
        start_response("200 OK", [("Content-Type", "application/json")])
        return [b'{"status": "ok", "alive": true}']

    with serving(replace(SMALL, threads=4), hung) as server, ExitStack() as endings:
        host, port = local_address_of(server.socket)

        def hang(address: str) -> None:
            for _ in range(2):
                endings.enter_context(closing(phone(server, address))).request("GET", "/hangs")

        assert is_answering(host, port, 5)
        hang(GREEDY)
        assert is_answering(host, port, 5), "one address cannot hang it"
        hang(OTHER)
        for _ in range(4):
            assert hanging_threads.acquire(timeout=10)
        assert not is_answering(host, port, 0.5)
        go_on.set()
        assert is_answering(host, port, 5), "it lives again"


def test_idle_connections_of_one_address_shut_out_nobody() -> None:
    with serving(SMALL) as server:
        connections = [line(server, GREEDY) for _ in range(500)]
        with closing(phone(server, OTHER)) as other:
            assert status_of(other) == 200
        assert len(server.active_channels) <= SMALL.connections_per_address + 1
        assert is_closed(connections[0]), "the oldest made room"
        with closing(phone(server, GREEDY)) as last_connection:
            assert status_of(last_connection) == 200, "an address makes room for itself, too"
        for each in connections:
            each.close()


def test_when_all_are_taken_the_greediest_makes_room() -> None:
    with serving(SMALL) as server:
        connections = {
            address: [line(server, address) for _ in range(10 if address == GREEDY else 5)]
            for address in (GREEDY, *(f"127.0.1.{n}" for n in range(6)))
        }
        with closing(phone(server, OTHER)) as other:
            assert status_of(other) == 200
            assert is_closed(connections[GREEDY][0])
            clients = [each.client for each in server.active_channels.values()]
        assert all(clients.count(address) == 5 for address in connections if address != GREEDY)
        for each in (each for those in connections.values() for each in those):
            each.close()


def test_who_waits_for_an_answer_is_not_put_out() -> None:
    go_on = threading.Event()

    def slow(environ: dict[str, Any], start_response: Any) -> list[bytes]:  # noqa: ANN401
        if environ["PATH_INFO"] == "/slow":
            go_on.wait(10)
        return page(environ, start_response)

    limits = replace(HASTY, threads_per_address=2, threads=4)
    with serving(limits, slow) as server, ExitStack() as endings:
        phones = [endings.enter_context(closing(phone(server, GREEDY))) for _ in range(10)]
        for each in phones:
            each.request("GET", "/slow")
        while sum(1 for each in server.active_channels.values() if each.requests) < 10:
            time.sleep(0.01)
        with closing(phone(server, GREEDY)) as extra_phone:
            extra_phone.connect()
            assert is_closed(extra_phone.sock), "nothing is idle that could make room"
        with closing(phone(server, OTHER)) as other:
            for _ in range(20):
                assert status_of(other) == 200, "two threads are left for others"
        time.sleep(3 * HASTY.idle)
        go_on.set()
        assert [each.getresponse().status for each in phones] == [200] * 10


HEAD = b"POST / HTTP/1.1\r\nHost: box\r\nContent-Length: 100\r\n\r\n"


@pytest.mark.parametrize(
    ("says", "drips", "reason"),
    [
        (b"", b"", "nothing is asked"),
        (b"GET / HTTP/1.1\r\n", b"", "half a request"),
        (b"GET / HTTP/1.1\r\n", b"X: y\r\n", "headers without end"),
        (b"", b"\r\n", "not even a request"),
        (HEAD, b"", "no body"),
        (HEAD, b"x", "a body, byte by byte"),
    ],
)
def test_who_is_slow_on_purpose_is_put_out(says: bytes, drips: bytes, reason: str) -> None:
    with serving(HASTY) as server, closing(line(server, GREEDY, says)) as slow:
        slow.settimeout(0.1)
        for _ in range(60):
            if is_closed(slow):
                return
            if drips:
                try:
                    slow.sendall(drips)
                except ConnectionError:
                    return
        raise AssertionError(reason)


def test_who_is_slow_for_lack_of_wi_fi_is_heard_out() -> None:
    limits = replace(HASTY, headers=5.0, stall=5.0, arriving=20.0)
    with serving(limits) as server, closing(line(server, OTHER, b"POST / HTTP/1.1\r\n")) as slow:
        time.sleep(3 * HASTY.idle)
        slow.sendall(b"Host: box\r\nContent-Length: 30\r\n\r\n")
        for _ in range(10):
            time.sleep(0.2)
            slow.sendall(b"xyz")
        response = slow.makefile("rb")
        assert response.readline() == b"HTTP/1.1 200 .\r\n"
        while response.readline() != b"\r\n":
            pass
        assert response.read(2) == b"30"
        slow.sendall(b"GET / HTTP/1.1\r\nHost: box\r\n\r\n")
        assert response.readline() == b"HTTP/1.1 200 .\r\n", "by the same connection"
        response.close()


def test_what_stays_takes_no_turn_from_its_phone() -> None:
    go_on = threading.Event()

    def page_that_stays(environ: dict[str, Any], start_response: Any) -> list[bytes]:  # noqa: ANN401
        if environ["PATH_INFO"] == "/stays":
            for _ in range(2):  # to say so twice is to say it once
                environ[LONG_ANSWER_KEY]()
            go_on.wait(10)
        return page(environ, start_response)

    limits = replace(SMALL, threads=4, threads_per_address=1)
    with serving(limits, page_that_stays) as server, ExitStack() as endings:
        viewers = [endings.enter_context(closing(phone(server, OTHER))) for _ in range(3)]
        for each in viewers:
            each.request("GET", "/stays")
        with closing(phone(server, OTHER)) as extra_phone:
            assert [status_of(extra_phone) for _ in range(5)] == [200] * 5
        go_on.set()
        assert [each.getresponse().status for each in viewers] == [200] * 3
        with closing(phone(server, OTHER)) as extra_phone:
            assert [status_of(extra_phone) for _ in range(5)] == [200] * 5
        ends = time.monotonic() + 10
        while server.task_dispatcher.queue.under_way:  # to the last, a moment after its answer
            assert time.monotonic() < ends


def test_a_live_picture_outlasts_all_idle_times_and_stops_with_its_phone() -> None:
    is_stopped = threading.Event()

    def live(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:  # noqa: ANN401
        start_response("200 OK", [("Content-Type", "text/plain")])

        def pictures() -> Iterator[bytes]:
            try:
                while True:
                    yield b"picture"
                    time.sleep(0.1)
            finally:
                is_stopped.set()

        return pictures()

    with serving(HASTY, live) as server, closing(phone(server, OTHER)) as other:
        other.request("GET", "/")
        response = other.getresponse()
        ends = time.monotonic() + 5 * HASTY.arriving / 2
        while time.monotonic() < ends:
            assert response.read(7) == b"picture"
        response.close()
        other.close()
        assert is_stopped.wait(10)


def test_who_asks_on_and_takes_nothing_is_cut_off() -> None:
    def large(environ: dict[str, Any], start_response: Any) -> list[bytes]:  # noqa: ANN401
        start_response("200 OK", [("Content-Length", str(2**25))])
        return [bytes(2**25)]

    ask = b"GET / HTTP/1.1\r\nHost: box\r\n\r\n"
    with serving(replace(SMALL, unsent_per_address=2**26), large) as server:
        connections = [line(server, GREEDY, ask) for _ in range(6)]
        ends = time.monotonic() + 20
        while time.monotonic() < ends:
            time.sleep(0.2)
            unsent_bytes = sum(each.total_outbufs_len for each in server.active_channels.values())
            if 0 < unsent_bytes <= 2**26 and len(server.active_channels) <= 2:
                break
        else:
            raise AssertionError("it holds all that was asked for")
        for each in connections:
            each.close()


def test_the_box_asks_for_open_files_and_makes_do_with_what_it_gets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: asked.append(limits))

    def with_files(soft: int, hard: int) -> int:
        monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
        return within_open_files(ServerLimits()).connections

    expected = ServerLimits().connections * 6 + 200
    everything = resource.RLIM_INFINITY
    assert with_files(1024, 2**19) == with_files(1024, everything) == ServerLimits().connections
    assert (
        with_files(everything, everything) == with_files(2**16, 2**16) == ServerLimits().connections
    )
    assert asked == [(expected, 2**19), (expected, everything)]
    assert with_files(1024, 1400) == 200
    assert with_files(100, 100) == 1
