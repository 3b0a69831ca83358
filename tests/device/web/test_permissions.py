"""Who may do what: every route that changes something, tried by every kind of phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from werkzeug.routing import Map

from device.access import set_new_pin
from device.hands.repository import HandRepository
from device.settings import SettingsLog
from device.web.app import url_map
from device.web.permissions import (
    PERMISSIONS,
    Role,
    permission_of,
    permissions_by_route,
    permissions_document,
)
from tests.device.web.every_phone import (
    ASKED,
    KINDS,
    STRANGER,
    Route,
    make_club,
    one_of_each_sort,
    routes,
)

SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}

DOCUMENT = Path(__file__).parents[3] / "docs" / "permissions.md"


def without_a_row(urls: Map) -> list[str]:
    """Return the routes that change something and say nowhere who may."""
    return [
        f"{rule.endpoint} ({rule.rule})"
        for rule in urls.iter_rules()
        if (rule.methods or set()) - SAFE_METHODS
        and permission_of(rule.endpoint, {}, changes=True) is None
    ]


def test_every_route_that_changes_something_says_who_may(app: Flask) -> None:
    assert len([rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())]) > 100
    assert without_a_row(app.url_map) == [], "add a row to device/web/permissions/__init__.py"
    app.add_url_rule("/new", "new", lambda: "done", methods=["POST"])
    assert without_a_row(app.url_map) == ["new (/new)"], "the search itself works"


def test_a_route_without_a_row_is_refused(app: Flask) -> None:
    methods = ("POST", "PUT", "DELETE", "PATCH")
    for method in methods:
        app.add_url_rule("/new", method, lambda: "done", methods=[method])
    app.add_url_rule("/look", "look", lambda: "done")
    phone = app.test_client()
    assert [phone.open("/new", method=method).status_code for method in methods] == [404] * 4
    assert phone.get("/look").text == "done", "looking needs no row"


def test_every_row_is_of_a_route(app: Flask) -> None:
    endpoints = {rule.endpoint for rule in app.url_map.iter_rules()}
    by_route = permissions_by_route(app.url_map)
    assert {key.partition(" ")[0] for key in by_route} - endpoints == set()
    whole_pages = {key.partition(".")[0] for key in PERMISSIONS if key.endswith(".*")}
    of_their_page = {key.partition(".")[0] for key in by_route.keys() - PERMISSIONS.keys()}
    assert whole_pages == of_their_page, "each is for a route that has no row of its own"
    assert {rule.endpoint for rule in url_map().iter_rules()} == endpoints, "the page has them all"


@pytest.mark.parametrize(
    ("endpoint", "values", "changes", "expected", "reason"),
    [
        ("capture.adjust", {}, True, Role.TABLE, "a new button of a page is for those it is for"),
        ("capture.take", {}, True, Role.ROOM, "a route's own row comes before its page's"),
        ("capture.live", {}, False, None, "looking is everybody's"),
        ("club_tables.change", {"what": "name"}, True, Role.ORGANISER, "any other change"),
        ("club_tables.change", {"what": "set"}, True, Role.TABLE, "this one has its own row"),
        ("new", {}, True, None, "a route in no row"),
    ],
)
def test_the_nearest_row_holds(
    endpoint: str, values: dict[str, object], changes: bool, expected: Role | None, reason: str
) -> None:
    permission = permission_of(endpoint, values, changes=changes)
    assert (permission.role if permission else None) is expected, reason


def test_the_page_of_the_table_is_as_the_table_is() -> None:
    advice = "run `python -m device.web.permissions > docs/permissions.md`"
    assert DOCUMENT.read_text("utf-8") == "\n".join(permissions_document(url_map())), advice


def do_nothing(app: Flask) -> None:
    """Let no view do anything: what is tried is who is let to it."""
    for endpoint in app.view_functions:
        app.view_functions[endpoint] = lambda **_: "done"


@pytest.mark.parametrize("has_organiser", [False, True], ids=["no PIN", "organiser's PIN"])
def test_every_kind_of_phone_is_told_what_the_role_says(app: Flask, has_organiser: bool) -> None:
    """The prover's `rights` tries every route so, with its view (`make prove`)."""
    club = make_club(app, has_organiser=has_organiser)
    do_nothing(app)
    for route in one_of_each_sort(routes(app)):
        answers = {kind: club.describe_answer(kind, route) for kind in KINDS}
        assert answers == {k: route.expected(k, has_organiser=has_organiser) for k in KINDS}, route


def test_a_stranger_is_asked_for_the_pin_by_all_that_is_an_organisers(app: Flask) -> None:
    club = make_club(app, has_organiser=True)
    do_nothing(app)
    organiser_keys = {each.key for each in routes(app) if each.role in (Role.ORGANISER, Role.OWNER)}
    assert {
        each.key for each in routes(app) if club.describe_answer(STRANGER, each) == ASKED
    } == organiser_keys


def test_before_the_boxs_pin_only_what_tells_of_nobody_is_answered(
    app: Flask, hands: HandRepository
) -> None:
    club = make_club(app, has_organiser=False)
    do_nothing(app)
    set_new_pin(SettingsLog(hands.store))
    phone = app.test_client()
    all_routes = (Route(rule.endpoint, Role.ROOM, rule) for rule in app.url_map.iter_rules())
    answered_routes = {
        route.key for route in all_routes if club.answer(phone, route).text == "done"
    }
    assert answered_routes == {key for key, row in PERMISSIONS.items() if row.role is Role.ANYBODY}
