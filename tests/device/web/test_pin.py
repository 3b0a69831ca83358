"""The table's PIN: what it keeps shut, who is let in, and who is put out again."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from markupsafe import escape

from device.access import (
    has_access,
    is_qr_code_secret,
    is_right_pin,
    qr_code_secret,
    remove_pin,
    set_new_pin,
)
from device.hands.repository import HandRepository
from device.i18n.words import say, say_count
from device.matches.repository import MatchRepository
from device.settings import Settings, SettingsLog
from device.store import Store
from device.store.events import MatchEnded
from device.web.links import local_url
from device.web.pin import PIN_COOKIE
from device.web.pin_attempts import FREE_ATTEMPTS
from tests.device.command import output_of, refusal_of
from tests.device.match_play import AGREED_TERMS
from tests.device.page import Page, get_page


@pytest.fixture
def settings(hands: HandRepository) -> SettingsLog:
    return SettingsLog(hands.store)


@pytest.fixture
def pin(settings: SettingsLog) -> str:
    return set_new_pin(settings).pin


def cookie_of(client: FlaskClient) -> str:
    cookie = client.get_cookie(PIN_COOKIE)
    return cookie.value if cookie else ""


WITH_PIN = Settings(pin="4821", pin_token="t")  # noqa: S106


def wrong(pin: str) -> str:
    return f"{(int(pin) + 1) % 10000:04}"


def test_a_pin_is_four_digits_and_a_new_one_is_another(settings: SettingsLog) -> None:
    pins = [set_new_pin(settings) for _ in range(30)]
    assert all(re.fullmatch(r"\d{4}", each.pin) for each in pins)
    assert all(a.pin != b.pin for a, b in pairwise(pins))
    assert len({each.pin_token for each in pins}) == 30
    remove_pin(settings)
    assert settings.read().pin == ""


@pytest.mark.parametrize(
    ("settings_now", "typed_pin", "token", "is_right", "is_in", "reason"),
    [
        (Settings(), "", "", False, True, "without a PIN all are in, and nothing is the PIN"),
        (WITH_PIN, "4821", "t", True, True, "as it should be"),
        (WITH_PIN, "4812", "u", False, False, "neither"),
        (WITH_PIN, "", "", False, False, "nothing"),
        (WITH_PIN, "４８２１", "ť", False, False, "other digits"),
        (Settings(pin="4821"), "4821", "", True, False, "a token that was never made lets none in"),
        (WITH_PIN, "t", "4821", False, False, "one is not the other"),
    ],
)
def test_who_is_let_in(
    settings_now: Settings, typed_pin: str, token: str, is_right: bool, is_in: bool, reason: str
) -> None:
    assert is_right_pin(settings_now, typed_pin) == is_right, reason
    assert has_access(settings_now, token) == is_in, reason


def test_everything_but_health_and_static_files_asks_for_it(
    app: Flask, client: FlaskClient, pin: str, read_hand: str
) -> None:
    free = {"/health": 200, "/assets/nothing.css": 404, "/pin": 400, "/manifest.webmanifest": 200,
            "/service-worker.js": 200, "/no-answer": 200, "/camera/phone/enter": 200}  # fmt: skip
    values = {"hand": read_hand, "place": 0, "number": 0, "registration": "x", "name": "x"}
    shut = 0
    for rule in app.url_map.iter_rules():
        path = rule.rule
        for argument in rule.arguments:
            path = re.sub(rf"<[^>]*{argument}>", str(values.get(argument, "a4")), path)
        method = "POST" if "POST" in (rule.methods or ()) else "GET"
        phone = {"REMOTE_ADDR": f"10.0.0.{shut}"}  # each may send so much in a minute
        answer = client.open(path, method=method, environ_base=phone)
        # By itself: any four digits may stand within the name of a file.
        assert not re.search(rf"(?<!\w){pin}(?!\w)", answer.text), path
        if path in free or rule.endpoint == "asset":
            continue
        assert answer.status_code == 403, path
        assert read_hand not in answer.text.replace(path, ""), path
        shut += 1
    assert shut > 25, "the search itself works"
    for path, status in free.items():
        assert client.open(path, method="POST" if path == "/pin" else "GET").status_code == status


def test_a_page_that_is_not_there_asks_too(client: FlaskClient, pin: str) -> None:
    assert client.get("/nowhere").status_code == 403, "which pages there are is nobody's business"


def test_the_code_lets_in_and_its_address_does_not_stay(client: FlaskClient, pin: str) -> None:
    answer = client.get(f"/?pin={pin}")
    assert answer.status_code == 200
    assert Page(answer.text).all('[http-equiv="refresh"][content="0; url=/"]')
    cookie_header = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie_header
    assert "SameSite=Strict" in cookie_header
    assert pin not in cookie_header
    assert client.get("/").status_code == 200
    response = client.get(f"/?pin={pin}")
    assert (response.status_code, response.headers["Location"]) == (302, "/"), "in already"


def test_the_code_of_new_labels_lets_in(
    client: FlaskClient, settings: SettingsLog, pin: str
) -> None:
    code = qr_code_secret(settings.read())
    assert client.get("/?code=").status_code == 403
    assert client.get(f"/?code={code[:-1]}").status_code == 403
    assert client.get(f"/sets/?code={code}").status_code == 403, "it is for the first page"
    answer = client.get(f"/?code={code}")
    assert Page(answer.text).all('[http-equiv="refresh"][content="0; url=/"]')
    assert client.get("/sets/").status_code == 200
    set_new_pin(settings)
    assert client.get(f"/?code={code}").status_code == 403, "the PIN is another now"


def test_the_code_tells_nothing_and_cannot_be_guessed(settings: SettingsLog) -> None:
    pins = [set_new_pin(settings) for _ in range(20)]
    codes = {qr_code_secret(each) for each in pins}
    assert len(codes) == 20
    assert all(len(code) == 22 for code in codes), "128 bits"
    assert all(is_qr_code_secret(each, qr_code_secret(each)) for each in pins)
    assert not any(
        is_qr_code_secret(each, each.pin_token) or is_qr_code_secret(each, "") for each in pins
    )
    assert qr_code_secret(Settings(pin="4821")) == "", "made of no token, it could be guessed"
    assert qr_code_secret(Settings(pin_token="t")) == "", "without a PIN nobody is asked"  # noqa: S106
    assert not is_qr_code_secret(Settings(pin="4821"), "")


def test_without_a_pin_an_old_code_still_leads_to_the_page(client: FlaskClient) -> None:
    answer = client.get("/?pin=4821")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")


@pytest.mark.parametrize(
    ("return_url", "leads_to", "reason"),
    [
        ("/hand/12ab/?x=1", "/hand/12ab/?x=1", "where the player was going"),
        ("", "/", "nowhere"),
        ('/sets/?x="><script>', "/sets/?x=%22%3E%3Cscript%3E", "what is not is made so"),
        ("/sets/#part", "/sets/", "the part is the browser's affair"),
        ("/nowhere", "/", "a page that the box has not"),
        ("/setup/pin", "/", "which is for forms alone"),
        ("/sets", "/", "but nearly an address"),
        ("sets/", "/", "not from the root"),
        ("https://evil.example/", "/", "another site"),
        ("//evil.example/", "/", "another site"),
        ("////evil.example/", "/", "another site, to some browsers"),
        ("/\\evil.example/", "/", "another site, as browsers read it"),
        ("/\t/evil.example/", "/", "browsers leave the tab out"),
        ("/\r\n/evil.example/", "/", "both"),
        ("\0//evil.example/", "/", "and what is like a blank"),
        ("javascript:alert(1)", "/", "a program"),
        ("//[", "/", "half an address"),
    ],
)
def test_a_way_back_leads_to_the_box_alone(
    return_url: str, leads_to: str, reason: str, app: Flask
) -> None:
    with app.test_request_context():
        assert local_url(return_url) == leads_to, reason


def test_the_pin_may_be_typed(client: FlaskClient, pin: str) -> None:
    fields = {"pin": f" {pin[:2]} {pin[2:]} ", "back": "/hand/12ab/?x=1"}
    answer = client.post("/pin", data=fields)
    assert answer.status_code == 200
    assert Page(answer.text).all('[content="0; url=/hand/12ab/?x=1"]')
    assert client.get("/setup/").status_code == 200
    client.post("/setup/pin", data={"pin": "new"})


@pytest.mark.parametrize("asked_path", ["/%09/evil.example/", "/%5Cevil.example/"])
def test_where_the_player_was_going_is_no_other_site(
    client: FlaskClient, pin: str, asked_path: str
) -> None:
    assert Page(client.get(asked_path).text).value("back") == "/"


def test_a_wrong_pin_lets_nobody_in_and_remembers_where_they_were_going(
    client: FlaskClient, pin: str
) -> None:
    response = client.get("/sets/?x=1")
    assert Page(response.text).all('[name="back"][value="/sets/?x=1"]')
    answer = client.post("/pin", data={"pin": wrong(pin), "back": "/sets/?x=1"})
    assert answer.status_code == 403
    assert say("pin.wrong") in answer.text
    assert Page(answer.text).all('[name="back"][value="/sets/?x=1"]')
    assert cookie_of(client) == ""


def test_guessing_is_slow_for_a_phone(client: FlaskClient, pin: str) -> None:
    tries = [
        client.post("/pin", data={"pin": wrong(pin)}).status_code for _ in range(FREE_ATTEMPTS + 1)
    ]
    assert tries == [403] * FREE_ATTEMPTS + [429]
    answer = client.get(f"/?pin={pin}")
    assert answer.status_code == 429, "the right one must wait, too"
    assert answer.headers["Retry-After"] == "30"
    assert str(escape(say_count("pin.wait", 1))) in answer.text


def test_switching_it_on_keeps_the_phone_that_did_so_and_puts_others_out(app: Flask) -> None:
    own_phone, other = app.test_client(), app.test_client()
    assert say("pin.switch-on") in own_phone.get("/settings/pin/").text
    assert own_phone.post("/setup/pin", data={"pin": "new"}).status_code == 303
    pin = get_page(own_phone, "/settings/pin/").single(".pin").text  # the phone is still in
    assert other.get("/").status_code == 403
    other.get(f"/?pin={pin}")
    assert other.get("/").status_code == 200
    own_phone.post("/setup/pin", data={"pin": "new"})
    assert own_phone.get("/").status_code == 200
    assert other.get("/").status_code == 403, "the PIN is another now"
    own_phone.post("/setup/pin", data={"pin": "off"})
    assert other.get("/").status_code == 200
    assert own_phone.post("/setup/pin", data={"pin": "1234"}).status_code == 400, "the box chooses"


def test_phones_that_play_stay_in_when_it_is_switched_on(
    app: Flask, matches: MatchRepository
) -> None:
    own_phone, playing_phone, stranger = (app.test_client() for _ in range(3))
    match = matches.begin(AGREED_TERMS)
    playing_phone.post("/table/join", data={"number": "1"})
    own_phone.post("/setup/pin", data={"pin": "new"})
    assert stranger.get("/table/").status_code == 403
    assert playing_phone.get("/table/").status_code == 200
    matches.change(match, MatchEnded())
    assert playing_phone.get("/").status_code == 200, "it has the PIN's cookie by now"
    own_phone.post("/setup/pin", data={"pin": "new"})
    assert playing_phone.get("/").status_code == 403, "a new PIN is for phones that know it"


def test_the_owner_finds_it_again_while_the_box_runs(store: Store) -> None:
    settings, folder = SettingsLog(store), str(store.folder)

    def say_it(*options: str) -> str:
        return output_of("pin", "--data", folder, *options).strip()

    assert say_it() == "Phones need no PIN."
    output = say_it("--new")
    assert output == f"The PIN is {settings.read().pin}."
    assert say_it() == output
    assert say_it("--off") == "Phones need no PIN."
    assert settings.read().pin == ""


def test_where_no_box_is_there_is_no_pin(tmp_path: Path) -> None:
    assert "No box keeps its data" in refusal_of("pin", "--data", str(tmp_path / "none"))
