"""A club with a phone of every kind, and what each is told by each route that has a row.

What a role means is said here once more, and simply, for the tests to hold the box to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from types import MappingProxyType

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from device.access import set_new_organiser_pin
from device.club.tables import ClubTables
from device.matches.repository import MatchRepository
from device.web.club import organiser
from device.web.contexts import Records, find_context
from device.web.permissions import Role, permissions_by_route
from tests.device.club.rooms import phone_at
from tests.device.match_play import AGREED_TERMS
from tests.device.page import Page

STRANGER, SITS, SITS_ELSEWHERE, ORGANISER = "stranger", "sits here", "sits elsewhere", "organiser"
KINDS = (STRANGER, SITS, SITS_ELSEWHERE, ORGANISER)

ADMITTED, ASKED, TO_ITS_TABLE = "admitted", "asked for the PIN", "sent to its table"

Fields = Mapping[str, str]

NO_FIELDS: Fields = MappingProxyType({})

_addresses = count()


@dataclass(frozen=True)
class Club:
    """A box with two tables, a match with a hand at the first, and phones."""

    app: Flask
    phones: dict[str, FlaskClient]
    known_values: dict[str, str]
    """What stands in addresses, by the name of the part."""

    def describe_answer(self, kind: str, route: Route, fields: Fields = NO_FIELDS) -> str:
        """Return in a word what a route tells a phone of this kind."""
        with self.answer(self.phones[kind], route, fields) as answer:  # or a download never ends
            assert answer.status_code < 500, route
            return told_by(answer.get_data().decode("utf-8", "replace"))

    def answer(self, phone: FlaskClient, route: Route, fields: Fields = NO_FIELDS) -> TestResponse:
        """Return what a phone is answered, from an address of its own: none sends too often."""
        values: dict[str, object] = {
            name: self.known_values.get(name, "x") for name in route.rule.arguments
        }
        values |= {name: 1 for name in values if f"int:{name}" in route.rule.rule}
        if route.what:
            values[next(iter(route.rule.arguments - self.known_values.keys()))] = route.what
        path = route.rule.build(values)
        assert path, route
        number = next(_addresses)
        address = {"REMOTE_ADDR": f"10.0.{number // 250 % 250}.{number % 250}"}
        form = dict(fields) if route.method == "POST" else None
        return phone.open(path[1], method=route.method, data=form, environ_overrides=address)


@dataclass(frozen=True)
class Route:
    """A route that has a row."""

    key: str
    role: Role
    rule: Rule

    @property
    def what(self) -> str:
        """What of it the row is about; empty for all."""
        return self.key.partition(" ")[2]

    @property
    def method(self) -> str:
        """The one by which it is asked for."""
        (method,) = (self.rule.methods or set()) - {"HEAD", "OPTIONS"}
        return str(method)

    @property
    def about(self) -> frozenset[str]:
        """What its address says of which table it is about."""
        numbers = {each for each in self.rule.arguments if f"int:{each}" in self.rule.rule}
        return frozenset(({"match", "hand", "table"} & self.rule.arguments) - numbers)

    def expected(self, kind: str, *, has_organiser: bool) -> str:
        """Return what it is to tell a phone of this kind."""
        role, subjects = self.role, self.about
        if role in (Role.ORGANISER, Role.OWNER):
            return ASKED if has_organiser and kind != ORGANISER else ADMITTED
        if role is Role.TABLE and subjects & {"match", "hand"}:
            return ADMITTED if kind == SITS else TO_ITS_TABLE
        if role is Role.TABLE and subjects and has_organiser:
            return ADMITTED if kind in (SITS, ORGANISER) else TO_ITS_TABLE
        return ADMITTED


def routes(app: Flask) -> Iterator[Route]:
    """Yield every route that has a row."""
    for key, row in permissions_by_route(app.url_map).items():
        for rule in app.url_map.iter_rules(key.partition(" ")[0]):
            yield Route(key, row.role, rule)


def one_of_each_sort(all_routes: Iterable[Route]) -> list[Route]:
    """Return one route of each sort that is enforced in its own way."""
    sorts = {
        (route.role, route.method, route.about, bool(route.what)): route for route in all_routes
    }
    return list(sorts.values())


def make_club(app: Flask, *, has_organiser: bool) -> Club:
    """Lay the tables, begin a match at one, and give an organiser a PIN, if there is to be one."""
    records = find_context(Records, app)
    tables = ClubTables(records.store)
    first_table, second_table = tables.lay("Here"), tables.lay("There")
    match = MatchRepository(records.store, first_table).begin(AGREED_TERMS)
    hand = records.hands.begin_by_hand("bmja", match, first_table)
    phones = {
        STRANGER: app.test_client(),
        SITS: phone_at(app, first_table),
        SITS_ELSEWHERE: phone_at(app, second_table),
        ORGANISER: app.test_client(),
    }
    if has_organiser:
        token = set_new_organiser_pin(records.settings).organiser_token
        phones[ORGANISER].set_cookie(organiser.ORGANISER_COOKIE, token)
    values = {"exercise": "tile", "paper": "a4", "table": first_table, "match": match, "hand": hand}
    return Club(app, phones, values)


def told_by(page: str) -> str:
    """Return what a page tells the phone: anything but a refusal is that it was admitted."""
    shown_page = Page(page)
    is_told = page.startswith("{") and "organiser" in page  # as a script is, in words
    if is_told or any(form.action == "/club/organiser/enter" for form in shown_page.forms):
        return ASKED
    is_other_table = (
        any(link.startswith("/at/") for link in shown_page.addresses) and "belongs to" in page
    )
    return TO_ITS_TABLE if is_other_table else ADMITTED
