"""Who may talk to the box: by name, by origin, and how often."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from werkzeug.datastructures import Headers

from device.web.request_guard import MAX_POSTS_PER_MINUTE, RateLimit, is_own_host, is_own_page


@pytest.mark.parametrize(
    ("host", "own", "why"),
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
        ("evil.example", False, "a name that a stranger may point at the box"),
        ("mahjong.local.evil.example", False, "only looks like one of ours"),
        ("8.8.8.8", False, "a public address"),
        ("", False, "no name at all"),
        ("[::1", False, "half a name"),
        ("192.168.1.20.evil.example", False, "only looks like an address"),
    ],
)
def test_hosts(host: str, own: bool, why: str) -> None:
    assert is_own_host(host, frozenset({"Games-Box"})) == own, why


@pytest.mark.parametrize(
    ("origin", "own", "why"),
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
def test_origins(origin: str | None, own: bool, why: str) -> None:
    headers = {} if origin is None else {"Origin": origin}
    assert is_own_page(Headers(headers), "192.168.1.20:8080") == own, why


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
    for headers, own, why in SENDERS:
        sent = {"Host": "box.local"} | headers
        answer = client.post("/phone/", data={"theme": "dark"}, headers=sent)
        assert answer.status_code == (303 if own else 403), why
        assert ("Set-Cookie" in answer.headers) == own, why
        assert ("another website" in answer.text) != own


@pytest.mark.parametrize(
    ("path", "headers", "status", "words"),
    [
        ("/", {"Host": "evil.example"}, 421, "the address that the box shows"),
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
    now = [0.0]
    limit = RateLimit(2, clock=lambda: now[0])
    assert [limit("a"), limit("a"), limit("a"), limit("b")] == [True, True, False, True]
    now[0] = 60.0
    assert limit("a")


@pytest.mark.usefixtures("stopped_minute")
def test_the_rate_limit_speaks(client: FlaskClient) -> None:
    answers = [client.post("/hands") for _ in range(MAX_POSTS_PER_MINUTE + 1)]
    assert {a.status_code for a in answers[:-1]} == {400}
    assert answers[-1].status_code == 429
    assert "wait a moment" in answers[-1].text
