"""Who may talk to the box: by name, by origin, and how often."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import Headers

from device.access import set_new_pin
from device.doctor import Machine
from device.host import page_links
from device.services import Services
from device.settings import SettingsLog
from device.web import Box, create_app
from device.web.contexts import Upkeep
from device.web.request_guard import MAX_POSTS_PER_MINUTE, RateLimit, is_own_host, is_own_page
from tests.device.page import Page


@pytest.mark.parametrize(
    ("host", "is_own", "reason"),
    [
        ("localhost", True, "this machine"),
        ("localhost:8080", True, "with its port"),
        ("127.0.0.1:8080", True, "loopback"),
        ("[::1]:8080", True, "loopback, IPv6"),
        ("192.168.1.20:8080", True, "a home network"),
        ("10.42.0.1", True, "the box's own hotspot"),
        ("169.254.3.4", True, "a network without a router"),
        ("100.64.0.1", True, "shared addresses, which some hotspots give out"),
        ("100.127.255.254:8080", True, "the last of them"),
        ("100.63.255.255", False, "before the first"),
        ("100.128.0.0", False, "behind the last"),
        ("[fe80::1]", True, "link-local, IPv6"),
        ("mahjong.local", True, "the box's name"),
        ("MahJong.Local.:8080", True, "names have no case, and may end in a dot"),
        ("games-box:8080", True, "a configured name"),
        ("games-box.lan:8080", True, "its own name, as a router completes it"),
        ("tongbox", True, "the name that the installer gives"),
        ("tongbox.lan", True, "the same, completed"),
        ("tongbox.home", True, "completed by routers of BT and Orange"),
        ("tongbox.localdomain", True, "completed by older routers"),
        ("Tongbox.Home.Arpa.", True, "reserved for homes: RFC 8375"),
        ("whatever.home.arpa", True, "nobody outside can have one"),
        ("tongbox.internal", True, "reserved for private networks by ICANN"),
        ("club.example.org", True, "a configured name in the internet"),
        ("club", False, "its first part by itself is not configured"),
        ("club.lan", False, "neither is that completed"),
        ("evil.lan", False, "another computer, in a domain that may come to exist"),
        ("evil", False, "another computer"),
        ("lan", False, "a domain by itself"),
        ("home.arpa", False, "a domain by itself"),
        ("tongbox.fritz.box", False, "fritz.box is in the internet; a stranger owned it in 2024"),
        ("tongbox.lan.evil.example", False, "only looks like one of ours"),
        ("tongbox.evil.example", False, "only begins like one of ours"),
        ("eviltongbox.lan", False, "only ends like one of ours"),
        ("evil.example", False, "a name that a stranger may point at the box"),
        ("mahjong.local.evil.example", False, "only looks like one of ours"),
        ("8.8.8.8", False, "a public address"),
        ("", False, "no name at all"),
        ("[::1", False, "half a name"),
        ("192.168.1.20.evil.example", False, "only looks like an address"),
    ],
)
def test_hosts(host: str, is_own: bool, reason: str) -> None:
    assert is_own_host(host, frozenset({"Games-Box", "club.example.org"})) == is_own, reason


@pytest.mark.parametrize(
    ("origin", "is_own", "reason"),
    [
        (None, True, "a program, not a browser"),
        ("http://192.168.1.20:8080", True, "the page itself"),
        ("http://192.168.1.20", False, "another port is another program"),
        ("http://evil.example", False, "another site"),
        ("http://[", False, "not even an address"),
        ("null", False, "a page that hides where it comes from"),
        ("", False, "nothing is not a browser's origin"),
    ],
)
def test_origins(origin: str | None, is_own: bool, reason: str) -> None:
    headers = {} if origin is None else {"Origin": origin}
    assert is_own_page(Headers(headers), "192.168.1.20:8080") == is_own, reason


SENDERS: list[tuple[dict[str, str], bool, str]] = [
        ({"Sec-Fetch-Site": "same-origin"}, True, "the page itself"),
        ({"Sec-Fetch-Site": "none"}, True, "the player, by the browser's own buttons"),
        ({"Sec-Fetch-Site": "cross-site"}, False, "another site"),
        ({"Sec-Fetch-Site": "same-site"}, False, "another program on the same machine"),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://box.local"}, False, "they disagree"),
        ({"Referer": "http://box.local/setup/"}, True, "the page itself"),
        ({"Referer": "https://box.local"}, True, "the page itself, by HTTPS"),
        ({"Referer": "http://evil.example/x"}, False, "another site"),
        ({"Referer": "http://box.local.evil.example/"}, False, "only looks like the box"),
        ({"Referer": "http://box.local:8081/"}, False, "another port is another program"),
        ({"Referer": "http://["}, False, "not even an address"),
        ({"Referer": "about:blank"}, True, "says nothing"),
        ({"Referer": "http://evil.example/", "Origin": "http://box.local"}, True,
         "Origin is what browsers send with every POST, and it counts"),
]  # fmt: skip


def test_where_a_post_without_origin_comes_from(client: FlaskClient) -> None:
    for headers, is_own, reason in SENDERS:
        request_headers = {"Host": "box.local"} | headers
        answer = client.post("/phone/", data={"theme": "dark"}, headers=request_headers)
        assert answer.status_code == (303 if is_own else 403), reason
        assert ("Set-Cookie" in answer.headers) == is_own, reason
        assert ("another website" in answer.text) != is_own


@pytest.mark.parametrize(
    ("path", "headers", "status", "words"),
    [
        ("/", {"Host": "evil.example"}, 421, "not the box&#39;s address"),
        ("/hands", {"Origin": "http://evil.example"}, 403, "another website"),
        ("/hands", {"Origin": "null"}, 403, "another website"),
    ],
)
def test_strangers_are_turned_away_in_words(
    client: FlaskClient, path: str, headers: dict[str, str], status: int, words: str
) -> None:
    answer = client.open(path, method="GET" if path == "/" else "POST", headers=headers)
    assert answer.status_code == status
    assert words in answer.text


@pytest.mark.parametrize(
    ("host", "links", "reason"),
    [
        ("tongbox.fritz.box", ["http://192.168.1.7/"], "without a port it is port 80"),
        ("evil.example:8080", ["http://192.168.1.7:8080/"], "by the port that was asked"),
        ("8.8.8.8:8080", ["http://192.168.1.7:8080/"], "never an address that is not the box's"),
        ("evil.example:99999", ["http://192.168.1.7:8090/"], "no port: that of the server"),
        ("evil.example:x", ["http://192.168.1.7:8090/"], "the same"),
    ],
)
def test_a_phone_with_another_address_is_led_to_the_right_one(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, host: str, links: list[str], reason: str
) -> None:
    monkeypatch.setattr(page_links, "find_lan_address", lambda _: "192.168.1.7")
    for path, method in (("/", "GET"), ("/nowhere", "GET"), ("/hands", "POST")):
        answer = client.open(
            path, method=method, headers={"Host": host}, environ_overrides={"SERVER_PORT": "8090"}
        )
        assert answer.status_code == 421
        page = Page(answer.text)
        assert page.links() == links, reason
        assert [each.text for each in page.all("a")] == links, "it can be typed elsewhere, too"
        assert not page.all("script"), "nothing asks that address again"
        sheets = [each["href"] for each in page.all("link[rel=stylesheet]")]
        assert {client.get(sheet, headers={"Host": host}).status_code for sheet in sheets} == {200}


def test_by_https_it_is_led_to_where_nothing_warns(app: Flask) -> None:
    answer = app.test_client().get(
        "https://evil.example:8443/", environ_overrides={"SERVER_PORT": "8090"}
    )
    (link,) = Page(answer.text).links()
    assert re.fullmatch(r"http://[\d.]+:8090/", link)


def test_names_that_were_given_are_offered_first(services: Services, tmp_path: Path) -> None:
    machine = Machine(tmp_path, root=tmp_path)
    avahi = tmp_path / "etc/avahi/avahi-daemon.conf"
    avahi.parent.mkdir(parents=True)
    avahi.write_text("host-name=tongbox-2\n")
    upkeep = Upkeep(machine, names=frozenset({"pi", "club.example.org"}))
    app = create_app(Box(services, upkeep=upkeep))
    set_new_pin(SettingsLog(services.store))
    page = app.test_client().get("http://evil.example:8080/")
    first, number, last = Page(page.text).links()
    assert (first, last) == ("http://club.example.org:8080/", "http://tongbox-2.local:8080/")
    assert re.fullmatch(r"http://[\d.]+:8080/", number)
    assert "code=" not in page.text, "the way past the PIN is not given away"


def test_every_answer_carries_the_headers(client: FlaskClient) -> None:
    for path in ("/", "/nowhere", "/hand/none/"):
        headers = client.get(path).headers
        assert headers["Content-Security-Policy"].startswith("default-src 'self'")
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Cache-Control"] == "no-store"
        assert "Set-Cookie" not in headers


def test_too_many_changes_are_held_up_and_then_let_through() -> None:
    clock_s = [0.0]
    limit = RateLimit(2, clock=lambda: clock_s[0])
    assert [limit("a"), limit("a"), limit("a"), limit("b")] == [True, True, False, True]
    clock_s[0] = 60.0
    assert limit("a")


@pytest.mark.usefixtures("stopped_minute")
def test_the_rate_limit_speaks(client: FlaskClient) -> None:
    answers = [client.post("/hands") for _ in range(MAX_POSTS_PER_MINUTE + 1)]
    assert {a.status_code for a in answers[:-1]} == {400}
    assert answers[-1].status_code == 429
    assert "wait a moment" in answers[-1].text
