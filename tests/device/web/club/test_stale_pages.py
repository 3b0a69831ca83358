"""A page that lies open stays that of its match: what it sends is refused at any other.

A phone scans the code of another table while a page of its first one is open in another tab; or
another match is begun while somebody's page still shows the last one.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device import web
from device.store import Store
from device.web.app import url_map
from tests.device.club.rooms import AGREEMENT_FORM, begin, lay, phone_at, post
from tests.device.page import Form, Page

PLAYERS = ("Ann", "Bob", "Cy", "Di")
OTHER_PLAYERS = ("Eve", "Flo", "Gus", "Hal")

CASES = [
    ("play", "/table/"),
    ("play", "/table/winner?who=1"),
    ("play", "/table/totals/"),
    ("play", "/table/end"),
    ("hands", "/table/"),
    ("hands", "/table/hand/0"),
    ("settle", "/table/settle"),
]
"""Pages whose forms change the match, and how far it is then."""


def forms(phone: FlaskClient, path: str) -> list[Form]:
    """Return the forms of a page that change the match: it has some."""
    answer = phone.get(path)
    assert answer.status_code == 200, path
    post_forms = [each for each in Page(answer.text).forms if each.method == "POST"]
    post_forms = [each for each in post_forms if each.action.startswith("/table/")]
    assert post_forms
    return post_forms


def send_form(phone: FlaskClient, form: Form) -> tuple[int, str]:
    """Send a form as a player does who presses its first button; return what is said."""
    fields = {name: values[0] for name, values in form.fields.items()}
    name, value, action = (form.buttons or [("", "", "")])[0]
    if name:
        fields[name] = value
    answer = phone.post(action or form.action, data=fields)
    return answer.status_code, Page(answer.text).text


def seat_down(app: Flask, name: str, players: tuple[str, ...], stage: str) -> FlaskClient:
    """Lay a table and play there until a deal is scored, or can be settled; return its phone."""
    phone = phone_at(app, lay(app, name))
    begin(phone, players)
    post(phone, "/table/join", number="0")
    if stage != "play":
        post(phone, "/table/winner", who="1", won_by="wall")
    for number in range(4 if stage == "settle" else 0):
        post(phone, f"/table/hand/{number}/score", score="28")
    return phone


def scan(phone: FlaskClient, other: FlaskClient) -> None:
    """Scan the code of the table at which another phone sits."""
    cookie = other.get_cookie("table")
    assert cookie
    (table,) = parse_qs(cookie.decoded_value)["table"]
    assert phone.get(f"/at/{table}/").status_code == 200


@pytest.mark.parametrize(("stage", "path"), CASES)
def test_a_page_of_the_table_before_changes_nothing_at_the_next(
    app: Flask, store: Store, stage: str, path: str
) -> None:
    """Both tables are as far, so that the other would take it."""
    other_phone = seat_down(app, "Table 2", OTHER_PLAYERS, stage)
    phone = seat_down(app, "Table 1", PLAYERS, stage)
    stale = forms(phone, path)
    returning_phone = phone_at(app, "")
    for cookie in ("table", "player"):
        cookie_value = phone.get_cookie(cookie)
        assert cookie_value
        returning_phone.set_cookie(cookie, cookie_value.value)
    scan(phone, other_phone)
    before = store.newer(-1, 0)
    for form in stale:
        status, text = send_form(phone, form)
        assert status == 409, form.action
        assert "belongs to Table 1" in text, form.action
        assert "Sit at Table 1" in text, "the way to where it counts"
    assert store.newer(-1, 0) == before, "nothing was changed anywhere"
    statuses = [send_form(returning_phone, form)[0] for form in stale]
    assert 303 in statuses, "what was typed counts where it belongs"
    assert 409 not in statuses[:1]


@pytest.mark.parametrize(("stage", "path"), [CASES[0], CASES[-2], CASES[-1]])
def test_a_page_of_the_match_before_changes_nothing_in_the_next(
    app: Flask, store: Store, stage: str, path: str
) -> None:
    phone = seat_down(app, "Table 1", PLAYERS, stage)
    stale = forms(phone, path)
    begin(phone, OTHER_PLAYERS)
    before = store.newer(-1, 0)
    for form in stale:
        status, text = send_form(phone, form)
        assert status == 409, form.action
        assert "another match: Ann · Bob · Cy · Di" in text, form.action
    assert store.newer(-1, 0) == before


def test_a_match_begins_at_the_table_whose_page_it_was(app: Flask, store: Store) -> None:
    other_phone = seat_down(app, "Table 2", OTHER_PLAYERS, "hands")
    phone = phone_at(app, lay(app, "Table 1"))
    (form,) = (f for f in Page(phone.get("/match/new").text).forms if f.method == "POST")
    names = {f"player{n}": name for n, name in enumerate(PLAYERS)}
    scan(phone, other_phone)
    before = store.newer(-1, 0)
    answer = phone.post(form.action, data={**names, **AGREEMENT_FORM})
    assert answer.status_code == 409
    assert "belongs to Table 1" in answer.text
    assert store.newer(-1, 0) == before, "the other table's match goes on"


def test_what_an_older_page_sends_is_taken_as_ever(app: Flask) -> None:
    """It names no match; nor do programs."""
    phone = seat_down(app, "Table 1", PLAYERS, "hands")
    post(phone, "/table/hand/1/score", score="28")


def test_every_address_that_changes_a_match_names_it() -> None:
    """Nothing adds the match by itself, so a form without it would change whichever is on."""
    changing = {
        rule.endpoint
        for rule in url_map().iter_rules()
        if rule.rule.startswith("/table/") and "POST" in (rule.methods or ())
    }
    pages = Path(web.__file__).parent
    form_addresses = [
        (file.name, said)
        for file in (*pages.rglob("*.html"), *pages.rglob("*.py"))
        for endpoint, said in ADDRESS.findall(file.read_text())
        if endpoint in changing
    ]
    assert len(form_addresses) > 30
    assert [each for each in form_addresses if "match=" not in each[1]] == []


ADDRESS = re.compile(r"""(?:url_for|address)\(\s*['"]([a-z_.]+)['"]((?:[^()]|\([^()]*\))*)\)""")
"""The endpoint and the values of an address as the pages' sources write it."""
