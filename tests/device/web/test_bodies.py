"""How much each page takes: photographs where photographs are taken, else a form."""

from __future__ import annotations

import inspect

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.hands.repository import HandRepository
from device.i18n.words import say
from device.server.connection import REFUSED
from device.settings.pin import make_pin, no_pin
from device.settings.settings import SettingsLog
from device.store import Store
from device.web import uploads
from device.web.bodies import FORM, PHOTOGRAPH, STRANGER, TAKE_PHOTOGRAPHS, may_send
from device.web.pin import COOKIE

TAKERS = {"uploaded", "uploaded_or_sample"}


def test_the_pages_that_take_photographs_are_those_that_ask_for_one(app: Flask) -> None:
    assert {name for name, _ in inspect.getmembers(uploads, inspect.isfunction)} >= TAKERS
    found = {
        endpoint
        for endpoint, view in app.view_functions.items()
        if TAKERS & set(inspect.unwrap(view).__code__.co_names)
    }
    assert found == TAKE_PHOTOGRAPHS
    posts = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    assert posts >= TAKE_PHOTOGRAPHS


@pytest.mark.parametrize(
    ("method", "path", "most", "why"),
    [
        ("POST", "/hands", PHOTOGRAPH, "a hand's photograph"),
        ("POST", "//hands", PHOTOGRAPH, "as the server reads it"),
        ("POST", "/hand/12ab/photo", PHOTOGRAPH, "another"),
        ("POST", "/table/hand/2", PHOTOGRAPH, "at the table"),
        ("GET", "/hands", FORM, "nobody sends a body so"),
        ("POST", "/hand/12ab/tile/0", FORM, "a form"),
        ("POST", "/nowhere", FORM, "no page"),
        ("POST", "/sets", FORM, "which only leads to another"),
        ("POST", "/\xff\xfe", FORM, "no text"),
        ("NONSENSE", "/hands", FORM, "no method"),
    ],
)
def test_what_may_be_sent(app: Flask, method: str, path: str, most: int, why: str) -> None:
    assert may_send(app)(method, path, "") == most, why


def test_before_the_pin_hardly_anything_may_be_sent(
    app: Flask, client: FlaskClient, hands: HandRepository
) -> None:
    settings = SettingsLog(hands.store)
    most = may_send(app)
    assert most("POST", "/hands", "") == PHOTOGRAPH
    made = make_pin(settings)  # as `tongbox pin` does, from another process
    client.get("/")  # whatever is asked next, the page sees it
    assert most("POST", "/hands", "") == STRANGER
    assert most("POST", "/hands", f"{COOKIE}=guess; {COOKIE}2=x; =; ;;") == STRANGER
    assert most("POST", "/hands", f'look="a\\"; {COOKIE}={made.pin_token}') == PHOTOGRAPH
    client.get(f"/?pin={made.pin}")
    no_pin(settings)
    client.get("/")
    assert most("POST", "/hands", "") == PHOTOGRAPH


def test_a_box_whose_log_cannot_be_read_opens_and_takes_little(app: Flask, store: Store) -> None:
    store.close()
    assert may_send(app)("POST", "/hands", "") == STRANGER


def test_what_is_too_large_is_refused_in_words(client: FlaskClient) -> None:
    for path, count in (("/hands", PHOTOGRAPH + 1), ("/match/new", FORM + 1)):
        answer = client.post(path, data=bytes(count), content_type="multipart/form-data")
        assert answer.status_code == 413
        assert say("error.413") in answer.text


@pytest.mark.parametrize("status", [413, 503])
def test_what_the_server_threw_away_is_refused_in_words(client: FlaskClient, status: int) -> None:
    answer = client.post("/hands", environ_base={REFUSED: status})
    assert answer.status_code == status
    assert say(f"error.{status}") in answer.text


def test_a_stranger_whose_body_was_thrown_away_is_asked_for_the_pin(
    client: FlaskClient, hands: HandRepository
) -> None:
    make_pin(SettingsLog(hands.store))
    answer = client.post("/hands", environ_base={REFUSED: 413})
    assert answer.status_code == 403
    assert say("pin.title") in answer.text
