"""How much each page takes: photographs where photographs are taken, else a form."""

from __future__ import annotations

import inspect

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.access import remove_pin, set_new_pin
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.server.connection import REFUSED_STATUS_KEY
from device.server.limits import ServerLimits
from device.settings import SettingsLog
from device.store import Store
from device.web import uploads
from device.web.pin import PIN_COOKIE
from device.web.request_guard import (
    MAX_FORM_BYTES,
    MAX_RULES_BYTES,
    MAX_STRANGER_BYTES,
    MAX_UPLOAD_BYTES,
    PHOTO_ENDPOINTS,
    make_body_limit,
)
from tests.device.server.serving import line, serving

TAKERS = {"read_upload", "read_upload_or_sample"}


def test_the_pages_that_take_photographs_are_those_that_ask_for_one(app: Flask) -> None:
    assert {name for name, _ in inspect.getmembers(uploads, inspect.isfunction)} >= TAKERS
    endpoints = {
        endpoint
        for endpoint, view in app.view_functions.items()
        if TAKERS & set(inspect.unwrap(view).__code__.co_names)
    }
    assert endpoints == PHOTO_ENDPOINTS
    posts = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    assert posts >= PHOTO_ENDPOINTS


@pytest.mark.parametrize(
    ("method", "path", "max_bytes", "reason"),
    [
        ("POST", "/hands", MAX_UPLOAD_BYTES, "a hand's photograph"),
        ("POST", "//hands", MAX_UPLOAD_BYTES, "as the server reads it"),
        ("POST", "/hand/12ab/photo", MAX_UPLOAD_BYTES, "another"),
        ("POST", "/table/hand/2", MAX_UPLOAD_BYTES, "at the table"),
        ("GET", "/hands", MAX_FORM_BYTES, "nobody sends a body so"),
        ("POST", "/hand/12ab/tile/0", MAX_FORM_BYTES, "a form"),
        ("POST", "/\xff\xfe", MAX_FORM_BYTES, "no text"),
        ("NONSENSE", "/hands", MAX_FORM_BYTES, "no method"),
    ],
)
def test_what_may_be_sent(app: Flask, method: str, path: str, max_bytes: int, reason: str) -> None:
    assert make_body_limit(app)(method, path, "") == max_bytes, reason


def test_before_the_pin_hardly_anything_may_be_sent(
    app: Flask, client: FlaskClient, hands: HandRepository
) -> None:
    settings_log = SettingsLog(hands.store)
    body_limit = make_body_limit(app)
    assert body_limit("POST", "/hands", "") == MAX_UPLOAD_BYTES
    pin = set_new_pin(settings_log)  # as `tongbox pin` does, from another process
    client.get("/")  # whatever is asked next, the page sees it
    assert body_limit("POST", "/hands", "") == MAX_STRANGER_BYTES
    assert (
        body_limit("POST", "/hands", f"{PIN_COOKIE}=guess; {PIN_COOKIE}2=x; =; ;;")
        == MAX_STRANGER_BYTES
    )
    assert (
        body_limit("POST", "/hands", f'look="a\\"; {PIN_COOKIE}={pin.pin_token}')
        == MAX_UPLOAD_BYTES
    )
    client.get(f"/?pin={pin.pin}")
    remove_pin(settings_log)
    client.get("/")
    assert body_limit("POST", "/hands", "") == MAX_UPLOAD_BYTES


@pytest.mark.parametrize(
    ("cookie", "reason"),
    [
        (b"look=\xff", "bytes that are no text"),
        (PIN_COOKIE.encode() + b"=\xff", "in what lets in"),
    ],
)
def test_a_form_with_odd_cookies_is_answered(app: Flask, cookie: bytes, reason: str) -> None:
    """The server asks for the cookies before it takes the form."""
    other_cookie = b"theme=dark"
    head = (
        b"POST /phone/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: %b\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n"
    )
    with serving(ServerLimits(), app, make_body_limit(app)) as server:
        phone = line(server, "127.0.0.1", head % (cookie, len(other_cookie)) + other_cookie)
        with phone, phone.makefile("rb") as answer:
            assert answer.readline().split()[1:2] == [b"303"], reason


@given(st.text(st.characters(max_codepoint=255), max_size=60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_cookie_keeps_the_server_from_its_answer(app: Flask, cookie: str) -> None:
    assert (
        make_body_limit(app)("POST", "/hands", f"{PIN_COOKIE}={cookie}; look={cookie}")
        == MAX_UPLOAD_BYTES
    )


def test_a_box_whose_log_cannot_be_read_opens_and_takes_little(app: Flask, store: Store) -> None:
    store.close()
    assert make_body_limit(app)("POST", "/hands", "") == MAX_STRANGER_BYTES


def test_what_is_too_large_is_refused_in_words(client: FlaskClient) -> None:
    for path, count, key in (
        ("/hands", MAX_UPLOAD_BYTES + 1, "error.413"),
        ("/match/new", MAX_FORM_BYTES + 1, "error.too-long"),
        ("/settings/rules/bring", MAX_RULES_BYTES + 1, "error.too-long"),
    ):
        for mimetype in ("multipart/form-data", "application/x-www-form-urlencoded"):
            answer = client.post(path, data=bytes(count), content_type=mimetype)
            assert answer.status_code == 413
            assert say(key) in answer.text


@pytest.mark.parametrize("status", [413, 503])
def test_what_the_server_threw_away_is_refused_in_words(client: FlaskClient, status: int) -> None:
    answer = client.post("/hands", environ_base={REFUSED_STATUS_KEY: status})
    assert answer.status_code == status
    assert say(f"error.{status}") in answer.text


def test_a_stranger_whose_body_was_thrown_away_is_asked_for_the_pin(
    client: FlaskClient, hands: HandRepository
) -> None:
    set_new_pin(SettingsLog(hands.store))
    answer = client.post("/hands", environ_base={REFUSED_STATUS_KEY: 413})
    assert answer.status_code == 403
    assert say("pin.title") in answer.text
