"""The door for HTTPS: the same page, the phone's address, and no phone that holds up another."""

from __future__ import annotations

import hashlib
import json
import socket
import ssl
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from waitress import create_server

from device.cli import main
from device.commands import serve
from device.host.certificate import Certificate, CertificateError, ensure_certificate
from device.host.https import MAX_ADDRESS_CONNECTIONS, HttpsProxy
from device.host.machine import LOOPBACK_ADDRESS, local_address_of, open_port
from device.server.limits import ServerLimits
from device.server.server import Server
from device.web.phone_access import box_addresses
from tests.device.fake_reader import FakeReader

NAMES = ("tongbox.local", "127.0.0.1", "10.42.0.1")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return ensure_certificate(tmp_path_factory.mktemp("box"), NAMES)


def said_of(certificate: Certificate) -> str:
    command = ["openssl", "x509", "-noout", "-ext", "subjectAltName", "-enddate", "-in"]
    done = subprocess.run(
        [*command, str(certificate.chain)], capture_output=True, text=True, check=True
    )
    return done.stdout


def test_a_certificate_is_for_all_names_of_the_box_and_lasts(certificate: Certificate) -> None:
    said = said_of(certificate)
    assert "DNS:tongbox.local" in said
    assert "IP Address:127.0.0.1" in said
    assert "IP Address:10.42.0.1" in said
    assert int(said.rstrip().removesuffix(" GMT")[-4:]) >= time.gmtime().tm_year + 19
    for private in (certificate.key.parent, certificate.key):
        assert private.stat().st_mode & 0o077 == 0, "its key is for the box alone"


def test_it_is_made_once(tmp_path: Path) -> None:
    first = ensure_certificate(tmp_path, NAMES).chain.read_bytes()
    assert ensure_certificate(tmp_path, ["192.168.1.20"]).chain.read_bytes() == first
    (tmp_path / "https" / "key.pem").unlink()
    assert ensure_certificate(tmp_path, NAMES).chain.read_bytes() != first, "half of one is none"
    assert [each.name for each in tmp_path.iterdir()] == ["https"]


@pytest.mark.parametrize(
    ("path", "names", "says"),
    [("", NAMES, "sudo apt install openssl"), (None, ["a\nb"], "No certificate could be made")],
)
def test_without_one_the_box_says_why_and_does_not_open(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    path: str | None,
    names: list[str],
    says: str,
) -> None:
    if path is not None:
        monkeypatch.setenv("PATH", path)
    with pytest.raises(CertificateError, match=says):
        ensure_certificate(tmp_path, names)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(serve, "load_reader", FakeReader)
    options = ["--data", str(tmp_path / "box"), "--port", "28600", "--https", "28700"]
    assert main(["serve", *options, *(f"--name={name}" for name in names)]) == 1
    assert says in capsys.readouterr().err


def echo(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:  # noqa: ANN401
    """Answer with what was asked, and by whom; without end, if that is asked."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    if environ["PATH_INFO"] == "/live":
        for number in range(10_000):
            yield b"%08d" % number * 1024
            time.sleep(0.005)
        return
    body = environ["wsgi.input"].read()
    said = {"from": environ["REMOTE_ADDR"], "scheme": environ["wsgi.url_scheme"],
            "host": environ["HTTP_HOST"], "sum": hashlib.sha256(body).hexdigest()}  # fmt: skip
    yield json.dumps(said).encode()


@pytest.fixture
def door(certificate: Certificate) -> Iterator[int]:
    """Return the port of a door before a page that answers what it was asked."""
    plain, listener = open_port(LOOPBACK_ADDRESS, 28800), open_port(LOOPBACK_ADDRESS, 28900)
    door = HttpsProxy(listener, plain.getsockname(), certificate)
    sockets: dict[int, Any] = {}
    server = create_server(door.telling(echo), sockets=[plain], map=sockets, threads=6)
    stop = threading.Event()

    def run() -> None:
        while not stop.is_set():
            server.asyncore.loop(timeout=0.05, map=sockets, count=1)
        server.asyncore.close_all(sockets)
        server.task_dispatcher.shutdown()

    page = threading.Thread(target=run)
    page.start()
    door.open()
    try:
        yield door.port
    finally:
        door.close()
        stop.set()
        page.join()


def phone(certificate: Certificate, port: int, address: str = LOOPBACK_ADDRESS) -> HTTPSConnection:
    trusting = ssl.create_default_context(cafile=str(certificate.chain))
    return HTTPSConnection(
        LOOPBACK_ADDRESS, port, timeout=20, context=trusting, source_address=(address, 0)
    )


def ask(connection: HTTPSConnection, body: bytes = b"") -> dict[str, str]:
    connection.request("POST", "/", body)
    said: dict[str, str] = json.loads(connection.getresponse().read())
    return said


def test_the_page_is_told_who_came_and_how(certificate: Certificate, door: int) -> None:
    with (
        closing(phone(certificate, door, "127.0.0.77")) as one,
        closing(phone(certificate, door, "127.0.0.78")) as other,
    ):
        for _ in range(3):  # by one connection
            assert ask(one)["from"] == "127.0.0.77"
            assert ask(other)["from"] == "127.0.0.78"
        said = ask(one)
    assert (said["scheme"], said["host"]) == ("https", f"127.0.0.1:{door}")


def test_a_large_photo_arrives_whole(certificate: Certificate, door: int) -> None:
    photo = bytes(range(256)) * 2**14
    with closing(phone(certificate, door)) as connection:
        assert ask(connection, photo)["sum"] == hashlib.sha256(photo).hexdigest()


def test_the_live_picture_moves_while_others_are_answered(
    certificate: Certificate, door: int
) -> None:
    with closing(phone(certificate, door)) as live, closing(phone(certificate, door)) as other:
        live.request("GET", "/live")
        answer = live.getresponse()
        for number in range(50):
            assert answer.read(8 * 1024) == b"%08d" % number * 1024
            if number % 10 == 0:
                assert ask(other)["scheme"] == "https"


def test_who_says_nothing_or_no_tls_holds_up_nobody(certificate: Certificate, door: int) -> None:
    silent = [socket.create_connection((LOOPBACK_ADDRESS, door)) for _ in range(5)]
    silent[0].sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    with closing(phone(certificate, door)) as connection:
        assert ask(connection)["scheme"] == "https"
    for each in silent:
        each.close()


def test_a_phone_that_goes_away_leaves_the_door_open(certificate: Certificate, door: int) -> None:
    for _ in range(10):
        connection = phone(certificate, door)
        connection.request("GET", "/live")
        connection.getresponse().read(1000)
        connection.close()
    with closing(phone(certificate, door)) as connection:
        assert ask(connection)["scheme"] == "https"


def test_silent_connections_of_one_address_shut_out_nobody(
    certificate: Certificate, door: int
) -> None:
    with ExitStack() as held:
        silent = []
        for _ in range(3 * MAX_ADDRESS_CONNECTIONS):
            each = socket.create_connection(
                (LOOPBACK_ADDRESS, door), timeout=5, source_address=("127.0.0.9", 0)
            )
            silent.append(held.enter_context(closing(each)))
        with pytest.raises((ConnectionError, ssl.SSLError)):
            ask(phone(certificate, door, "127.0.0.9"))
        with closing(phone(certificate, door, "127.0.0.8")) as connection:
            assert ask(connection)["from"] == "127.0.0.8"
        for each in silent:
            each.close()
        ends = time.monotonic() + 10
        while True:
            try:
                with closing(phone(certificate, door, "127.0.0.9")) as connection:
                    assert ask(connection)["from"] == "127.0.0.9", "there is room again"
                return
            except (ConnectionError, ssl.SSLError):
                assert time.monotonic() < ends


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let doors that are made later take a dozen connections."""
    monkeypatch.setattr("device.host.https.MAX_CONNECTIONS", 12)


@pytest.mark.usefixtures("few", "door")
def test_connections_of_many_addresses_make_room_for_a_phone(
    certificate: Certificate, door: int
) -> None:
    """Those that say nothing, and those that ask nothing; who asks goes on."""
    with ExitStack() as held:
        one = held.enter_context(closing(phone(certificate, door, "127.0.0.8")))
        assert ask(one)["from"] == "127.0.0.8"
        for number in range(24):
            address = f"127.0.0.{20 + number % 3}"
            if number % 2:
                line = phone(certificate, door, address)
                line.connect()
                held.enter_context(closing(line))
            else:
                silent = socket.create_connection(
                    (LOOPBACK_ADDRESS, door), timeout=5, source_address=(address, 0)
                )
                held.enter_context(closing(silent))
        other = held.enter_context(closing(phone(certificate, door, "127.0.0.9")))
        for _ in range(3):
            assert ask(other)["from"] == "127.0.0.9"
            assert ask(one)["from"] == "127.0.0.8"


def by_whom(environ: dict[str, Any], start_response: Any) -> list[bytes]:  # noqa: ANN401
    """Answer with who asks, on a connection that stays open."""
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps({"from": environ["REMOTE_ADDR"]}).encode()]


def test_whose_a_connection_is_the_pages_server_knows_at_once(certificate: Certificate) -> None:
    """It lets go an idle one of the phone that has many, not of the door."""
    plain, listener = open_port("0.0.0.0", 28800), open_port(LOOPBACK_ADDRESS, 28900)  # noqa: S104
    door = HttpsProxy(listener, local_address_of(plain), certificate)
    limits = ServerLimits(connections_per_address=3, threads=4)
    server = Server(door.telling(by_whom), plain, limits, lambda *_: 0, door.phone_of)
    page = threading.Thread(target=server.run)
    page.start()
    door.open()
    try:
        with ExitStack() as held:
            for _ in range(5):
                greedy = held.enter_context(closing(phone(certificate, door.port, "127.0.0.9")))
                assert ask(greedy)["from"] == "127.0.0.9"
            for _ in range(3):
                other = held.enter_context(closing(phone(certificate, door.port, "127.0.0.8")))
                assert ask(other)["from"] == "127.0.0.8"
            clients = Counter(each.client for each in server.active_channels.values())
            assert clients == {"127.0.0.9": 3, "127.0.0.8": 3}
    finally:
        door.close()
        server.request_stop()
        page.join()


def test_a_page_that_is_closed_is_said_by_closing(certificate: Certificate) -> None:
    with closing(open_port(LOOPBACK_ADDRESS, 28950)) as plain:
        nowhere = plain.getsockname()
    door = HttpsProxy(open_port(LOOPBACK_ADDRESS, 28960), nowhere, certificate)
    door.open()
    try:
        with (
            closing(phone(certificate, door.port)) as connection,
            pytest.raises((ConnectionError, ssl.SSLEOFError)),
        ):
            ask(connection)
    finally:
        door.close()


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://192.168.1.20:8443/join", "http://192.168.1.20:8080/"),
        ("https://192.168.1.20/join", "http://192.168.1.20:8080/"),
        ("http://192.168.1.20:8081/join", "http://192.168.1.20:8081/"),
    ],
)
def test_others_are_let_in_without_a_warning(app: Flask, url: str, address: str) -> None:
    with app.test_request_context(url, environ_overrides={"SERVER_PORT": "8080"}):
        assert box_addresses()[0].address == address
