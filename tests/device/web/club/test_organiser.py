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
from device.club.tournament.repository import TournamentRepository
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.settings import Settings, SettingsLog
from device.store import Store
from device.web import permissions
from device.web.club.organiser import ORGANISER_COOKIE
from device.web.club.tournament_tables import RESULT_COOKIE
from device.web.permissions import Permission, Role
from device.web.pin_attempts import FREE_ATTEMPTS
from tests.device.club.tournament.tournament_play import POINTS, play_round, result_form
from tests.device.command import output_of
from tests.device.page import Page

CHANGE = "/club/organiser/pin"
ENTER = "/club/organiser/enter"


@pytest.fixture
def settings(hands: HandRepository) -> SettingsLog:
    return SettingsLog(hands.store)


@pytest.fixture
def guarded_app(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """Give the box a page that everybody sees, and one that changes something."""
    row = {"changed": Permission(Role.ORGANISER, "for this test")}
    monkeypatch.setattr(permissions, "PERMISSIONS", {**permissions.PERMISSIONS, **row})
    app.add_url_rule("/seen", "seen", lambda: "seen")
    app.add_url_rule("/changed", "changed", lambda: "changed", methods=["POST"])
    return app


def token_of(client: FlaskClient) -> str:
    cookie = client.get_cookie(ORGANISER_COOKIE)
    return cookie.value if cookie else ""


WITH_PIN = Settings(organiser_pin="4821", organiser_token="t")  # noqa: S106


@pytest.mark.parametrize(
    ("current_settings", "typed_pin", "token", "is_right", "may", "reason"),
    [
        (Settings(), "", "", False, True, "without a PIN anybody may, and nothing is the PIN"),
        (WITH_PIN, "4821", "t", True, True, "as it should be"),
        (Settings(pin="4821", pin_token="t"), "4821", "", False, True, "the table's is another"),  # noqa: S106
        (Settings(organiser_pin="4821"), "4821", "", True, False, "no token, nobody holds it"),
    ],
)  # fmt: skip
def test_who_may(
    current_settings: Settings, typed_pin: str, token: str, is_right: bool, may: bool, reason: str
) -> None:
    assert (
        is_right_organiser_pin(current_settings, typed_pin),
        may_organise(current_settings, token),
    ) == (is_right, may), reason


def test_with_the_pin_changing_asks_for_it_and_looking_never_does(
    guarded_app: Flask, settings: SettingsLog
) -> None:
    phone = guarded_app.test_client()
    assert phone.post("/changed").text == "changed", "there is no PIN yet"
    pin = set_new_organiser_pin(settings).organiser_pin
    assert phone.get("/seen").text == "seen"
    response = phone.post("/changed", headers={"Referer": "http://localhost/matches?skip=3"})
    assert response.status_code == 403
    assert Page(response.text).all('[name="back"][value="/matches?skip=3"]')
    right = phone.post(ENTER, data={"pin": f" {pin[:2]} {pin[2:]} ", "back": "/matches?skip=3"})
    assert (right.status_code, right.headers["Location"]) == (303, "/matches?skip=3")
    assert phone.post("/changed").text == "changed", "asked once"
    assert guarded_app.test_client().post("/changed").status_code == 403, "another phone"


@pytest.mark.parametrize("referer", ["http://[", "https://elsewhere.example/x"])
def test_who_came_from_nowhere_is_asked_and_led_home(
    guarded_app: Flask, settings: SettingsLog, referer: str
) -> None:
    set_new_organiser_pin(settings)
    headers = {"Origin": "http://localhost"}  # as browsers send with every POST
    response = guarded_app.test_client().post("/changed", headers={"Referer": referer} | headers)
    assert response.status_code == 403
    assert Page(response.text).all('[name="back"][value="/"]')


REFERER_HEADER = {"Referer": "http://localhost/settings/"}

LEAVE = [
    ("POST", "/setup/pin", REFERER_HEADER, "/settings/", "the page that had the form"),
    ("GET", "/first/steps/clock", REFERER_HEADER, "/settings/", "the page that led there"),
    ("GET", "/first/steps/clock", {"Referer": "http://localhost/first/steps/clock"}, "/",
     "not the same page, which would ask again"),
    ("GET", "/first/steps/clock", {}, "/", "the first page, where nobody says"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path", "headers", "leads", "reason"), LEAVE)
def test_who_does_not_know_it_finds_the_way_back(
    client: FlaskClient,
    settings: SettingsLog,
    method: str,
    path: str,
    headers: dict[str, str],
    leads: str,
    reason: str,
) -> None:
    set_new_organiser_pin(settings)
    response = client.open(path, method=method, headers=headers)
    assert response.status_code == 403
    assert Page(response.text).addresses[-1] == leads, reason
    assert client.get(leads, follow_redirects=True).status_code == 200


def test_the_way_to_the_pin_leads_back_to_the_page_that_had_it(
    client: FlaskClient, settings: SettingsLog
) -> None:
    pin = set_new_organiser_pin(settings).organiser_pin
    pin_page = client.get("/club/organiser/enter?back=/matches?skip=3")
    (form,) = Page(pin_page.text).forms
    right = client.post(form.action, data={"pin": pin, "back": form.fields["back"][0]})
    return_page = client.get(right.headers["Location"])
    assert return_page.headers["Location"] == "/matches?skip=3"


def test_who_gave_it_is_led_to_the_box_alone(client: FlaskClient, settings: SettingsLog) -> None:
    pin = set_new_organiser_pin(settings).organiser_pin
    fields = {"pin": pin, "back": "//elsewhere.example"}
    assert client.post(ENTER, data=fields).headers["Location"] == "/"


def test_guessing_at_it_is_slow_and_keeps_nobody_from_the_tables_pin(
    client: FlaskClient, settings: SettingsLog
) -> None:
    pin = set_new_organiser_pin(settings).organiser_pin
    wrong = f"{(int(pin) + 1) % 10000:04}"
    for _ in range(FREE_ATTEMPTS):
        answer = client.post(ENTER, data={"pin": wrong})
        assert answer.status_code == 403
        assert str(escape(say("club.organiser.wrong"))) in answer.text
    response = client.post(ENTER, data={"pin": pin})
    assert response.status_code == 429
    assert response.headers["Retry-After"]
    table = set_new_pin(settings).pin
    assert client.post("/pin", data={"pin": table}).status_code == 200


def sees(phone: FlaskClient, pin: str) -> bool:
    """Return whether a phone's page has a PIN, which a hash in an address may hold by chance."""
    return bool(re.search(rf"\b{pin}\b", phone.get("/club/organiser/").text))


def test_only_who_knows_it_sees_it_makes_another_or_switches_it_off(
    app: Flask, settings: SettingsLog
) -> None:
    owner, other = app.test_client(), app.test_client()
    assert owner.post(CHANGE, data={"pin": "new"}).status_code == 303
    pin = settings.read().organiser_pin
    assert re.fullmatch(r"\d{4}", pin)
    assert sees(owner, pin)
    assert not sees(other, pin)
    for wish in ("new", "off"):
        assert other.post(CHANGE, data={"pin": wish}).status_code == 403
    assert settings.read().organiser_pin == pin
    other.post(ENTER, data={"pin": pin})
    assert other.post(CHANGE, data={"pin": "new"}).status_code == 303
    assert token_of(other) != token_of(owner)
    assert not sees(owner, settings.read().organiser_pin), "put out again"
    assert other.post(CHANGE, data={"pin": "off"}).status_code == 303
    assert settings.read().organiser_pin == ""


def test_both_pins_are_never_the_same(settings: SettingsLog) -> None:
    for _ in range(10):
        new_settings = set_new_organiser_pin(settings) and set_new_pin(settings)
        assert new_settings.pin != new_settings.organiser_pin


def test_who_forgot_it_finds_it_on_the_box(store: Store, settings: SettingsLog) -> None:
    command = ["pin", "--organiser", "--data", str(store.folder)]
    assert output_of(*command) == "Organisers need no PIN.\n"
    output = output_of(*command, "--new")
    assert output == f"The organiser's PIN is {settings.read().organiser_pin}.\n"
    assert not settings.read().pin, "the table's own is another thing"
    output_of(*command, "--off")
    assert not settings.read().organiser_pin


def table_page(tournament_id: str, number: int, table: int) -> str:
    """Return the page on which a table's result of a round is given."""
    return f"/club/tournaments/{tournament_id}/round/{number}/table/{table}/"


def test_with_a_pin_results_are_given_without_it_until_the_round_is_closed(
    client: FlaskClient,
    tournaments: TournamentRepository,
    tournament_id: str,
    settings: SettingsLog,
) -> None:
    play_round(tournaments, tournament_id)
    tournaments.draw(tournament_id, 2)
    set_new_organiser_pin(settings)
    four = result_form()
    assert client.post(table_page(tournament_id, 2, 1), data=four).status_code == 303
    before = tournaments.get(tournament_id)
    closed_round_page = table_page(tournament_id, 1, 1)
    assert client.post(closed_round_page, data={**four, "why": "So"}).status_code == 403
    assert (
        client.post(f"{closed_round_page}take", data={"match": "x", "why": "So"}).status_code == 403
    )
    assert tournaments.get(tournament_id) == before


NEW_POINTS = (10, 20, 30, -60)

REPEATED_RESULTS = [
    ("the phone that gave it", "1", 303, "a slip of the pen is put right where it was made"),
    ("another phone", "1", 403, "a stranger, or somebody who takes it for their own table"),
    ("another phone", "0", 422, "its page showed none yet, and that is said"),
    ("a phone with a cookie of its own making", "1", 403, "nobody can guess what is in it"),
    ("the phone that gave another table's", "1", 403, "it is for one table"),
    ("the phone that gave it", "2", 403, "it gave the first, and no second"),
]


@pytest.mark.parametrize(("who", "seen_count", "status", "reason"), REPEATED_RESULTS)
def test_a_result_that_was_given_is_not_a_strangers_to_overwrite(
    app: Flask,
    settings: SettingsLog,
    tournaments: TournamentRepository,
    tournament_id: str,
    who: str,
    seen_count: str,
    status: int,
    reason: str,
) -> None:
    tournaments.draw(tournament_id, 1)
    set_new_organiser_pin(settings)
    page, four = table_page(tournament_id, 1, 1), result_form()
    giver, next_table = app.test_client(), app.test_client()
    forger = app.test_client()
    forger.set_cookie(RESULT_COOKIE, "0" * 64, path=page)
    for _ in range(2):  # sent once more, where the answer was lost
        assert giver.post(page, data={**four, "seen": "0"}).status_code == 303
    assert next_table.post(table_page(tournament_id, 1, 2), data=four).status_code == 303
    phone = {
        "the phone that gave it": giver,
        "another phone": app.test_client(),
        "a phone with a cookie of its own making": forger,
        "the phone that gave another table's": next_table,
    }[who]
    answer = phone.post(page, data={**result_form(NEW_POINTS), "seen": seen_count})
    assert answer.status_code == status, reason
    result_points = [each.points for each in tournaments.get(tournament_id).drawn[0].given[0]]
    assert result_points == [POINTS] + [NEW_POINTS] * (status == 303)
    shown_page = Page(phone.get(page).text)
    may = who == "the phone that gave it"
    assert (page in [form.action for form in shown_page.forms]) == may, (
        "what it may not is not offered"
    )
    assert (f"/club/organiser/enter?back={page}" in shown_page.addresses) != may, (
        "and the way to it is"
    )


def test_what_the_organiser_put_right_is_the_givers_no_more(
    app: Flask, settings: SettingsLog, tournaments: TournamentRepository, tournament_id: str
) -> None:
    tournaments.draw(tournament_id, 1)
    page, four = table_page(tournament_id, 1, 1), result_form()
    giver, organiser = app.test_client(), app.test_client()
    organiser.set_cookie(ORGANISER_COOKIE, set_new_organiser_pin(settings).organiser_token)
    giver.post(page, data=four)
    assert organiser.post(page, data={**result_form(NEW_POINTS), "seen": "1"}).status_code == 303
    for seen in ("1", "2"):
        assert giver.post(page, data={**four, "seen": seen}).status_code in (403, 422)
    result_points = [each.points for each in tournaments.get(tournament_id).drawn[0].given[0]]
    assert result_points == [POINTS, NEW_POINTS]
    assert giver.get(page).status_code == 200, "it may look"
