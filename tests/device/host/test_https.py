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
from datetime import UTC, datetime, timedelta
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.x509.oid import ExtendedKeyUsageOID, ExtensionOID
from flask import Flask
from waitress import create_server

from device.commands import serve
from device.host import certificate as certificate_module
from device.host.certificate import (
    RENEWAL_DAYS,
    VALIDITY_DAYS,
    Certificate,
    CertificateError,
    ensure_certificate,
)
from device.host.https import MAX_ADDRESS_CONNECTIONS, HttpsProxy
from device.host.machine import LOOPBACK_ADDRESS, local_address_of, open_port
from device.server.limits import ServerLimits
from device.server.server import Server
from device.web.phone_access import box_addresses
from tests.device.command import refusal_of
from tests.device.fake_reader import FakeReader

NAMES = ("tongbox.local", "127.0.0.1", "10.42.0.1")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return ensure_certificate(tmp_path_factory.mktemp("box"), NAMES)


def server_certificate(certificate: Certificate) -> x509.Certificate:
    return x509.load_pem_x509_certificate(certificate.server.read_bytes())


def days_of(issued: x509.Certificate) -> float:
    return (issued.not_valid_after_utc - issued.not_valid_before_utc) / timedelta(days=1)


def test_a_certificate_is_as_phones_ask_for(certificate: Certificate) -> None:
    """Apple's rules for servers, which hold for authorities that somebody installed, too."""
    issued = server_certificate(certificate)
    extensions = {each.oid: each.value for each in issued.extensions}
    names = extensions[ExtensionOID.SUBJECT_ALTERNATIVE_NAME]
    assert isinstance(names, x509.SubjectAlternativeName)
    assert names.get_values_for_type(x509.DNSName) == ["tongbox.local"]
    assert [*map(str, names.get_values_for_type(x509.IPAddress))] == ["10.42.0.1", "127.0.0.1"]
    assert days_of(issued) <= 825
    usage = extensions[ExtensionOID.EXTENDED_KEY_USAGE]
    assert isinstance(usage, x509.ExtendedKeyUsage)
    assert [*usage] == [ExtendedKeyUsageOID.SERVER_AUTH]
    constraints = extensions[ExtensionOID.BASIC_CONSTRAINTS]
    assert isinstance(constraints, x509.BasicConstraints)
    assert not constraints.ca, "it signs nothing itself"
    for private in (certificate.server.parent, certificate.server, certificate.authority):
        assert private.stat().st_mode & 0o077 == 0, "its key is for the box alone"


def verify(certificate: Certificate, *options: str) -> str:
    """Return what OpenSSL says of the certificate by the box's authority."""
    command = ["openssl", "verify", "-x509_strict", "-purpose", "sslserver", *options]
    command += ["-CAfile", str(certificate.authority), str(certificate.server)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize(
    "names",
    [NAMES, ("localhost", "pi", "192.168.1.20"), ("club.example.org", "203.0.113.5", "fd00::5")],
)
def test_the_authority_may_sign_for_all_names(tmp_path: Path, names: tuple[str, ...]) -> None:
    certificate = ensure_certificate(tmp_path, names)
    for name in names:
        kind = "-verify_hostname" if name[0].isalpha() and ":" not in name else "-verify_ip"
        assert verify(certificate, kind, name).strip().endswith("OK"), name


def test_the_authority_may_sign_for_local_names_alone(tmp_path: Path) -> None:
    """Whoever steals its key opens no bank's page on a phone that has it installed."""
    club_certificate = ensure_certificate(tmp_path, ["tongbox.local", "club.example.org"])
    authority, _ = certificate_module._load_authority(club_certificate.authority)
    for name, is_own in (("club.example.org", True), ("bank.example", False), ("lan", True),
                         ("notlocal", False), ("x.example.org", False), ("8.8.8.8", False),
                         ("192.168.7.7", True), ("203.0.113.5", False)):  # fmt: skip
        parsed_names = [certificate_module._parse_name(name)]
        assert certificate_module._may_sign(authority, parsed_names) == is_own, name


LATER = [
    (0, False, "new"),
    (VALIDITY_DAYS - RENEWAL_DAYS - 2, False, "lasts"),
    (VALIDITY_DAYS - RENEWAL_DAYS + 1, True, "ends soon"),
    (VALIDITY_DAYS + 100, True, "has ended while the box was in a cupboard"),
    (-3000, False, "a box without a network starts with an old time"),
]


@pytest.mark.parametrize(("days", "is_renewed", "reason"), LATER)
def test_it_is_renewed_before_it_ends_and_phones_that_know_the_box_go_on(
    tmp_path: Path, days: int, is_renewed: bool, reason: str
) -> None:
    first = ensure_certificate(tmp_path, NAMES)
    before, authority = first.server.read_bytes(), first.authority.read_bytes()
    later_time = datetime.now(UTC) + timedelta(days=days)
    later = ensure_certificate(tmp_path, ["192.168.1.20", "tongbox.local"], later_time)
    assert (later.server.read_bytes() != before) == is_renewed, reason
    assert later.authority.read_bytes() == authority, "what is installed on phones stays"
    unix_time = str(int(later_time.timestamp()))
    if days >= 0:
        assert verify(later, "-attime", unix_time).strip().endswith("OK")


def test_only_what_phones_cannot_go_on_with_is_made_anew(tmp_path: Path) -> None:
    first = ensure_certificate(tmp_path, NAMES)
    server, authority = first.server.read_bytes(), first.authority.read_bytes()
    ensure_certificate(tmp_path, ["192.168.1.20"])
    assert first.server.read_bytes() == server, "another address: browsers would warn again"
    ensure_certificate(tmp_path, ["pi.lan"])
    assert first.server.read_bytes() != server, "another name"
    assert first.authority.read_bytes() == authority
    ensure_certificate(tmp_path, ["club.example.org"])
    assert first.authority.read_bytes() != authority, "a name that it may not sign for"
    authority = first.authority.read_bytes()
    first.server.write_bytes(first.server.read_bytes()[:500])
    ensure_certificate(tmp_path, ["club.example.org"])
    assert verify(first, "-verify_hostname", "club.example.org").strip().endswith("OK")
    assert first.authority.read_bytes() == authority
    first.authority.unlink()
    ensure_certificate(tmp_path, ["club.example.org"])
    assert verify(first).strip().endswith("OK")
    assert [each.name for each in tmp_path.iterdir()] == ["https"]


@pytest.mark.parametrize("name", ["a\nb", "", ".local", "a b", "x" * 64, "a/b", "*.local"])
def test_without_one_the_box_says_why_and_does_not_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    says = "No certificate could be made"
    with pytest.raises(CertificateError, match=says):
        ensure_certificate(tmp_path, [name])
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(serve, "load_reader", FakeReader)
    options = ["--data", str(tmp_path / "box"), "--port", "28600", "--https", "28700"]
    assert says in refusal_of("serve", *options, f"--name={name}")


def echo(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:  # noqa: ANN401
    """Answer with what was asked, and by whom; without end, if that is asked."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    if environ["PATH_INFO"] == "/live":
        for number in range(10_000):
            yield b"%08d" % number * 1024
            time.sleep(0.005)
        return
    body = environ["wsgi.input"].read()
    answer = {"from": environ["REMOTE_ADDR"], "scheme": environ["wsgi.url_scheme"],
            "host": environ["HTTP_HOST"], "sum": hashlib.sha256(body).hexdigest()}  # fmt: skip
    yield json.dumps(answer).encode()


@pytest.fixture
def door(certificate: Certificate) -> Iterator[int]:
    """Return the port of a door before a page that answers what it was asked."""
    plain, listener = open_port(LOOPBACK_ADDRESS, 28800), open_port(LOOPBACK_ADDRESS, 28900)
    door = HttpsProxy(listener, plain.getsockname(), certificate)
    sockets: dict[int, Any] = {}
    server = create_server(door.with_phone_address(echo), sockets=[plain], map=sockets, threads=6)
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
    trusting = ssl.create_default_context(cafile=str(certificate.authority))
    return HTTPSConnection(
        LOOPBACK_ADDRESS, port, timeout=20, context=trusting, source_address=(address, 0)
    )


def ask(connection: HTTPSConnection, body: bytes = b"") -> dict[str, str]:
    connection.request("POST", "/", body)
    answer: dict[str, str] = json.loads(connection.getresponse().read())
    return answer


def test_the_page_is_told_who_came_and_how(certificate: Certificate, door: int) -> None:
    with (
        closing(phone(certificate, door, "127.0.0.77")) as first_phone,
        closing(phone(certificate, door, "127.0.0.78")) as other,
    ):
        for _ in range(3):  # by one connection
            assert ask(first_phone)["from"] == "127.0.0.77"
            assert ask(other)["from"] == "127.0.0.78"
        answer = ask(first_phone)
    assert (answer["scheme"], answer["host"]) == ("https", f"127.0.0.1:{door}")


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
    with ExitStack() as connections:
        silent = []
        for _ in range(3 * MAX_ADDRESS_CONNECTIONS):
            silent_connection = socket.create_connection(
                (LOOPBACK_ADDRESS, door), timeout=5, source_address=("127.0.0.9", 0)
            )
            silent.append(connections.enter_context(closing(silent_connection)))
        with pytest.raises((ConnectionError, ssl.SSLError)):
            ask(phone(certificate, door, "127.0.0.9"))
        with closing(phone(certificate, door, "127.0.0.8")) as connection:
            assert ask(connection)["from"] == "127.0.0.8"
        for silent_connection in silent:
            silent_connection.close()
        ends = time.monotonic() + 10
        while True:
            try:
                with closing(phone(certificate, door, "127.0.0.9")) as connection:
                    assert ask(connection)["from"] == "127.0.0.9", "there is room again"
                return
            except (ConnectionError, ssl.SSLError):
                assert time.monotonic() < ends


@pytest.fixture
def few_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let doors that are made later take a dozen connections."""
    monkeypatch.setattr("device.host.https.MAX_CONNECTIONS", 12)


@pytest.mark.usefixtures("few_connections", "door")
def test_connections_of_many_addresses_make_room_for_a_phone(
    certificate: Certificate, door: int
) -> None:
    """Those that say nothing, and those that ask nothing; who asks goes on."""
    with ExitStack() as connections:
        first_phone = connections.enter_context(closing(phone(certificate, door, "127.0.0.8")))
        assert ask(first_phone)["from"] == "127.0.0.8"
        for number in range(24):
            address = f"127.0.0.{20 + number % 3}"
            if number % 2:
                line = phone(certificate, door, address)
                line.connect()
                connections.enter_context(closing(line))
            else:
                silent = socket.create_connection(
                    (LOOPBACK_ADDRESS, door), timeout=5, source_address=(address, 0)
                )
                connections.enter_context(closing(silent))
        other = connections.enter_context(closing(phone(certificate, door, "127.0.0.9")))
        for _ in range(3):
            assert ask(other)["from"] == "127.0.0.9"
            assert ask(first_phone)["from"] == "127.0.0.8"


def answer_by_client(environ: dict[str, Any], start_response: Any) -> list[bytes]:  # noqa: ANN401
    """Answer with who asks, on a connection that stays open."""
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps({"from": environ["REMOTE_ADDR"]}).encode()]


def test_whose_a_connection_is_the_pages_server_knows_at_once(certificate: Certificate) -> None:
    """It lets go an idle one of the phone that has many, not of the door."""
    plain, listener = open_port("0.0.0.0", 28800), open_port(LOOPBACK_ADDRESS, 28900)  # noqa: S104
    door = HttpsProxy(listener, local_address_of(plain), certificate)
    limits = ServerLimits(connections_per_address=3, threads=4)
    server = Server(
        door.with_phone_address(answer_by_client), plain, limits, lambda *_: 0, door.phone_of
    )
    page = threading.Thread(target=server.run)
    page.start()
    door.open()
    try:
        with ExitStack() as connections:
            for _ in range(5):
                greedy = connections.enter_context(
                    closing(phone(certificate, door.port, "127.0.0.9"))
                )
                assert ask(greedy)["from"] == "127.0.0.9"
            for _ in range(3):
                other = connections.enter_context(
                    closing(phone(certificate, door.port, "127.0.0.8"))
                )
                assert ask(other)["from"] == "127.0.0.8"
            clients = Counter(each.client for each in server.active_channels.values())
            assert clients == {"127.0.0.9": 3, "127.0.0.8": 3}
    finally:
        door.close()
        server.request_stop()
        page.join()


def test_a_page_that_is_closed_is_said_by_closing(certificate: Certificate) -> None:
    with closing(open_port(LOOPBACK_ADDRESS, 28950)) as plain:
        closed_address = plain.getsockname()
    door = HttpsProxy(open_port(LOOPBACK_ADDRESS, 28960), closed_address, certificate)
    door.open()
    try:
        with (
            closing(phone(certificate, door.port)) as connection,
            pytest.raises((ConnectionError, ssl.SSLEOFError)),
        ):
            ask(connection)
    finally:
        door.close()


def test_a_renewed_certificate_is_shown_without_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.host.https.RENEWAL_CHECK_S", 0.05)
    first = ensure_certificate(tmp_path, NAMES)
    fails = threading.Event()

    def renew() -> Certificate:
        if not fails.is_set():
            fails.set()
            raise CertificateError("the disk is full")
        return ensure_certificate(tmp_path, NAMES, datetime.now(UTC) + timedelta(days=800))

    listener = open_port(LOOPBACK_ADDRESS, 28970)
    door = HttpsProxy(listener, (LOOPBACK_ADDRESS, 9), first, renew)
    door.open()
    try:
        old = x509.load_pem_x509_certificate(first.server.read_bytes())
        ends = time.monotonic() + 20
        while ssl.get_server_certificate(listener.getsockname()).encode() == (
            old.public_bytes(serialization.Encoding.PEM)
        ):
            assert time.monotonic() < ends, "the old one is still shown"
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
