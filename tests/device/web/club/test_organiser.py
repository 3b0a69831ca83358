"""The organiser's PIN: what it keeps shut, that looking needs none, and how it is given."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from markupsafe import escape

from device.access import (
    is_right_organiser_pin,
    may_organise,
    set_new_organiser_pin,
    set_new_pin,
)
from device.cli import main
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.settings import Settings, SettingsLog
from device.store import Store
from device.web import permissions
from device.web.club.organiser import ORGANISER_COOKIE
from device.web.permissions import Permission, Role
from device.web.pin_attempts import FREE_ATTEMPTS
from tests.device.page import Page

CHANGE = "/club/organiser/pin"
ENTER = "/club/organiser/enter"


@pytest.fixture
def settings(hands: HandRepository) -> SettingsLog:
    return SettingsLog(hands.store)


@pytest.fixture
def guarded(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """Give the box a page that everybody sees, and one that changes something."""
    row = {"changed": Permission(Role.ORGANISER, "for this test")}
    monkeypatch.setattr(permissions, "PERMISSIONS", {**permissions.PERMISSIONS, **row})
    app.add_url_rule("/seen", "seen", lambda: "seen")
    app.add_url_rule("/changed", "changed", lambda: "changed", methods=["POST"])
    return app


def token_of(client: FlaskClient) -> str:
    found = client.get_cookie(ORGANISER_COOKIE)
    return found.value if found else ""


WITH_PIN = Settings(organiser_pin="4821", organiser_token="t")  # noqa: S106


@pytest.mark.parametrize(
    ("now", "tried", "token", "is_right", "may", "why"),
    [
        (Settings(), "", "", False, True, "without a PIN anybody may, and nothing is the PIN"),
        (WITH_PIN, "4821", "t", True, True, "as it should be"),
        (Settings(pin="4821", pin_token="t"), "4821", "", False, True, "the table's is another"),  # noqa: S106
        (Settings(organiser_pin="4821"), "4821", "", True, False, "no token, nobody holds it"),
    ],
)  # fmt: skip
def test_who_may(
    now: Settings, tried: str, token: str, is_right: bool, may: bool, why: str
) -> None:
    assert (is_right_organiser_pin(now, tried), may_organise(now, token)) == (is_right, may), why


def test_with_the_pin_changing_asks_for_it_and_looking_never_does(
    guarded: Flask, settings: SettingsLog
) -> None:
    phone = guarded.test_client()
    assert phone.post("/changed").text == "changed", "there is no PIN yet"
    pin = set_new_organiser_pin(settings).organiser_pin
    assert phone.get("/seen").text == "seen"
    asked = phone.post("/changed", headers={"Referer": "http://localhost/matches?skip=3"})
    assert asked.status_code == 403
    assert Page(asked.text).all('[name="back"][value="/matches?skip=3"]')
    right = phone.post(ENTER, data={"pin": f" {pin[:2]} {pin[2:]} ", "back": "/matches?skip=3"})
    assert (right.status_code, right.headers["Location"]) == (303, "/matches?skip=3")
    assert phone.post("/changed").text == "changed", "asked once"
    assert guarded.test_client().post("/changed").status_code == 403, "another phone"


@pytest.mark.parametrize("referer", ["http://[", "https://elsewhere.example/x"])
def test_who_came_from_nowhere_is_asked_and_led_home(
    guarded: Flask, settings: SettingsLog, referer: str
) -> None:
    set_new_organiser_pin(settings)
    own = {"Origin": "http://localhost"}  # as browsers send with every POST
    asked = guarded.test_client().post("/changed", headers={"Referer": referer} | own)
    assert asked.status_code == 403
    assert Page(asked.text).all('[name="back"][value="/"]')


FROM = {"Referer": "http://localhost/settings/"}

LEAVE = [
    ("POST", "/setup/pin", FROM, "/settings/", "the page that had the form"),
    ("GET", "/first/steps/clock", FROM, "/settings/", "the page that led there"),
    ("GET", "/first/steps/clock", {"Referer": "http://localhost/first/steps/clock"}, "/",
     "not the same page, which would ask again"),
    ("GET", "/first/steps/clock", {}, "/", "the first page, where nobody says"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path", "headers", "leads", "why"), LEAVE)
def test_who_does_not_know_it_finds_the_way_back(
    client: FlaskClient,
    settings: SettingsLog,
    method: str,
    path: str,
    headers: dict[str, str],
    leads: str,
    why: str,
) -> None:
    set_new_organiser_pin(settings)
    asked = client.open(path, method=method, headers=headers)
    assert asked.status_code == 403
    assert Page(asked.text).addresses[-1] == leads, why
    assert client.get(leads, follow_redirects=True).status_code == 200


def test_the_way_to_the_pin_leads_back_to_the_page_that_had_it(
    client: FlaskClient, settings: SettingsLog
) -> None:
    pin = set_new_organiser_pin(settings).organiser_pin
    asked = client.get("/club/organiser/enter?back=/matches?skip=3")
    (form,) = Page(asked.text).forms
    right = client.post(form.action, data={"pin": pin, "back": form.fields["back"][0]})
    back = client.get(right.headers["Location"])
    assert back.headers["Location"] == "/matches?skip=3"


def test_who_gave_it_is_led_to_the_box_alone(client: FlaskClient, settings: SettingsLog) -> None:
    pin = set_new_organiser_pin(settings).organiser_pin
    sent = {"pin": pin, "back": "//elsewhere.example"}
    assert client.post(ENTER, data=sent).headers["Location"] == "/"


def test_guessing_at_it_is_slow_and_keeps_nobody_from_the_tables_pin(
    client: FlaskClient, settings: SettingsLog
) -> None:
    pin = set_new_organiser_pin(settings).organiser_pin
    wrong = f"{(int(pin) + 1) % 10000:04}"
    for _ in range(FREE_ATTEMPTS):
        answer = client.post(ENTER, data={"pin": wrong})
        assert answer.status_code == 403
        assert str(escape(say("club.organiser.wrong"))) in answer.text
    late = client.post(ENTER, data={"pin": pin})
    assert late.status_code == 429
    assert late.headers["Retry-After"]
    table = set_new_pin(settings).pin
    assert client.post("/pin", data={"pin": table}).status_code == 200


def test_only_who_knows_it_sees_it_makes_another_or_switches_it_off(
    app: Flask, settings: SettingsLog
) -> None:
    one, other = app.test_client(), app.test_client()
    assert one.post(CHANGE, data={"pin": "new"}).status_code == 303
    pin = settings.now().organiser_pin
    assert re.fullmatch(r"\d{4}", pin)
    assert pin in one.get("/club/organiser/").text
    assert pin not in other.get("/club/organiser/").text
    for wish in ("new", "off"):
        assert other.post(CHANGE, data={"pin": wish}).status_code == 403
    assert settings.now().organiser_pin == pin
    other.post(ENTER, data={"pin": pin})
    assert other.post(CHANGE, data={"pin": "new"}).status_code == 303
    assert token_of(other) != token_of(one)
    assert settings.now().organiser_pin not in one.get("/club/organiser/").text, "put out again"
    assert other.post(CHANGE, data={"pin": "off"}).status_code == 303
    assert settings.now().organiser_pin == ""


def test_both_pins_are_never_the_same(settings: SettingsLog) -> None:
    for _ in range(10):
        now = set_new_organiser_pin(settings) and set_new_pin(settings)
        assert now.pin != now.organiser_pin


def test_who_forgot_it_finds_it_on_the_box(
    store: Store, settings: SettingsLog, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["pin", "--organiser", "--data", str(store.folder)]
    assert main(command) == 0
    assert capsys.readouterr().out == "Organisers need no PIN.\n"
    assert main([*command, "--new"]) == 0
    pin = settings.now().organiser_pin
    assert capsys.readouterr().out == f"The organiser's PIN is {pin}.\n"
    assert not settings.now().pin, "the table's own is another thing"
    assert main([*command, "--off"]) == 0
    assert not settings.now().organiser_pin
