"""Ask a box for everything as a stranger would, and see whether it names somebody."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit

from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException
from werkzeug.routing import IntegerConverter, RequestRedirect, Rule
from werkzeug.test import TestResponse

from device.paper.result_files import RESULT_TYPES
from device.server.connection import LISTEN_KEY
from device.web.phone_identity import PLAYER_COOKIE, PhoneIdentity, sign_identity
from tests.device.page import Page
from tests.device.walking.boxes import PlayedBox
from tests.device.walking.walker import ADDRESS_WORDS, PAPER_VIEWS
from tests.pdf_pages import text_of
from tests.spreadsheets import workbook_sheets


class NamedOnPurpose(NamedTuple):
    """A page that names a hidden person to anybody."""

    reason: str
    max_count: int
    """How often at most."""
    address_part: str = ""
    """What stands in its address."""


OPEN_ROUND = "/round/2/"
"""In the addresses of the round that is played (`tests.device.walking.gathering`)."""

NAMING_PAGES: Mapping[str, NamedOnPurpose] = {
    "players.removed": NamedOnPurpose(
        "the organiser's: where a name is shown again; asks for the PIN if there is one", 1
    ),
    "players.names": NamedOnPurpose(
        "the organiser's: under which names somebody plays; asks for the PIN if there is one", 6
    ),
    "tournament.show": NamedOnPurpose("the open round: a player has to find the seat", 1),
    "tournament.round_page": NamedOnPurpose(
        "the open round: a player has to find the seat", 1, OPEN_ROUND
    ),
    "board.show": NamedOnPurpose("the open round: the seat is found from across the room", 1),
    "tournament_table.show": NamedOnPurpose(
        "a table of the open round: whose points are typed", 3, OPEN_ROUND
    ),
    "begin.show": NamedOnPurpose("who is in its own address: that table leads there", 9),
    "join.show": NamedOnPurpose("leads back to an address, which may be that one", 9),
}
"""By endpoint."""

NAMING_ANSWERS: Mapping[str, NamedOnPurpose] = {
    "tournament_table.give": NamedOnPurpose(
        "the same page, with what is wrong in what was typed", 3, OPEN_ROUND
    ),
}
"""Answers to a form that do."""

NUMBERS = ("0", "1", "2")
"""Players, rounds, tables and entries are counted from 0 or 1."""

SLOW_PAPERS = frozenset({f"{paper}" for paper in PAPER_VIEWS} - {"print.hands", "print.tables"})
"""Papers that take a second to set, and tell of nobody."""

ENDLESS_VIEWS = frozenset({"capture.live"})
"""A camera's picture."""

TEACHING = frozenset(
    {"learn", "lessons", "rules", "walls", "practice", "exercises", "card", "register", "aiming"}
)
"""Blueprints that tell of nobody: a short look passes them over."""

SEPARATELY_ANSWERED = frozenset({"players", "off", "updating", "pin", "organiser"})
"""Blueprints whose POSTs would let her be shown, or shut the box or its pages."""

MAX_PAGES = 5000
"""That one phone asks for: more than there are."""


@dataclass(frozen=True, slots=True)
class Looker:
    """A phone that has no business with the names."""

    title: str
    cookie: Callable[[str], str]
    """Returns the Cookie header for a match's id."""


def lookers(name: str) -> tuple[Looker, ...]:
    """Return a stranger, and phones that forge that they are the person's."""

    def sign_elsewhere(match: str) -> str:
        forged_cookie = sign_identity("another box", PhoneIdentity(match, 0, name))
        return f"{PLAYER_COOKIE}={forged_cookie}"

    return (
        Looker("a stranger", lambda _: ""),
        Looker(
            "an unsigned cookie",
            lambda match: f"{PLAYER_COOKIE}=match={match}&number=0&name={name}",
        ),
        Looker("a cookie signed by another box", sign_elsewhere),
    )


def at_table(played_box: PlayedBox) -> Looker:
    """Return a stranger who sits at the first table that is known."""
    return Looker(
        "a stranger at a table", lambda _: f"table=table={played_box.known_ids['table'][0]}&key="
    )


@dataclass(frozen=True, slots=True)
class Naming:
    """A place where the person is named."""

    looker: str
    request: str
    """Method and address."""
    endpoint: str
    times: int
    excerpt: str

    @property
    def is_meant(self) -> bool:
        """Whether the page is one that may name somebody, and names them no more than that."""
        row = NAMING_PAGES.get(self.endpoint) or NAMING_ANSWERS.get(self.endpoint)
        return row is not None and self.times <= row.max_count and row.address_part in self.request

    def __str__(self) -> str:
        return (
            f"{self.looker}: {self.request} ({self.endpoint}, {self.times} times): …{self.excerpt}…"
        )


@dataclass
class Crawl:
    """What one box says to phones that have no business with some names."""

    played: PlayedBox
    names: tuple[str, ...]
    seen_texts: set[str] = field(default_factory=set)
    """Endpoints that answered with something to read."""
    request_count: int = 0
    found: list[Naming] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.adapter = self.played.app.url_map.bind("localhost")
        self.client: FlaskClient = self.played.app.test_client(use_cookies=False)
        self._name_pattern = re.compile("|".join(self.names), re.IGNORECASE)

    def glance(self, looker: Looker, blueprints: Collection[str] = ()) -> None:
        """Ask every route of these blueprints for all known ids: of all but the teaching pages."""
        all_blueprints = {
            rule.endpoint.partition(".")[0] for rule in self.played.app.url_map.iter_rules()
        }
        skipped_blueprints = all_blueprints.difference(blueprints) if blueprints else TEACHING
        for address in self.addresses("GET", skipped_blueprints):
            self._ask(looker, "GET", address)

    def look(self, looker: Looker, but_for: Collection[str] = ()) -> None:
        """Ask for every page that links lead to, and by every route for all that is known.

        `but_for` are blueprints that are passed over.
        """
        addresses = deque(["/", *self.played.starts, *self.addresses("GET", but_for)])
        met_addresses = set(addresses)
        while addresses and len(met_addresses) < MAX_PAGES:
            address = addresses.popleft()
            answer = self._ask(looker, "GET", address, but_for)
            links = [answer.location] if answer and answer.location else []
            if answer and answer.mimetype == "text/html":
                links += Page(answer.text).addresses
            for link in links:
                target = urljoin(address, link).partition("#")[0]
                if target.startswith("/") and target not in met_addresses:
                    met_addresses.add(target)
                    addresses.append(target)

    def send(self, looker: Looker, prefix: str = "/") -> None:
        """Send an empty form to all under an address that takes one, as from each match's page."""
        for address in filter(lambda address: address.startswith(prefix), self.addresses("POST")):
            for match in ("", *self.played.known_ids["match"]):
                crafted_address = f"{address}?match={match}" if match else address
                self._ask(looker, "POST", crafted_address)

    def addresses(self, method: str, but_for: Collection[str] = ()) -> Iterator[str]:
        """Yield the addresses of all routes, with all that is known in each place.

        `but_for` are blueprints that are passed over.
        """
        for rule in self.played.app.url_map.iter_rules():
            blueprint = rule.endpoint.partition(".")[0]
            if method not in (rule.methods or ()) or rule.endpoint in SLOW_PAPERS | ENDLESS_VIEWS:
                continue
            if blueprint in (but_for or (SEPARATELY_ANSWERED if method == "POST" else ())):
                continue
            names = sorted(rule.arguments)
            for values in product(*(self._values(rule, name) for name in names)):
                yield self._address(rule, dict(zip(names, values, strict=True)))

    def _values(self, rule: Rule, name: str) -> tuple[str, ...]:
        if isinstance(rule._converters.get(name), IntegerConverter):
            return NUMBERS
        return tuple((ADDRESS_WORDS | self.played.known_ids).get(name, ["x"]))

    def _address(self, rule: Rule, values: dict[str, str]) -> str:
        numbers = {n for n in values if isinstance(rule._converters.get(n), IntegerConverter)}
        url_values = {name: int(v) if name in numbers else v for name, v in values.items()}
        return quote(self.adapter.build(rule.endpoint, url_values), safe="/?=&%:")

    def _ask(
        self, looker: Looker, method: str, address: str, but_for: Collection[str] = ()
    ) -> TestResponse | None:
        try:
            rule, _ = self.adapter.match(urlsplit(address).path, method, return_rule=True)
        except (HTTPException, RequestRedirect):
            return None
        if (
            rule.endpoint in SLOW_PAPERS | ENDLESS_VIEWS
            or rule.endpoint.partition(".")[0] in but_for
        ):
            return None
        self.request_count += 1
        matches = self.played.known_ids["match"]
        match = next((each for each in matches if each in address), matches[0])
        answer = self.client.open(
            address,
            method=method,
            headers={"Cookie": looker.cookie(match)},
            # Each hundred requests come from another phone: how many one may send is no question.
            environ_base={
                "REMOTE_ADDR": f"10.0.{self.request_count // 100 % 256}.1",
                LISTEN_KEY: _hears,
            },
        )
        if answer.status_code < 500:
            self.seen_texts.add(rule.endpoint)
        text = unquote(f"{answer.headers} {_words(answer)}")
        if name_matches := list(self._name_pattern.finditer(text)):
            excerpt = " ".join(
                text[max(0, name_matches[0].start() - 40) : name_matches[0].end() + 30].split()
            )
            request = f"{method} {address} {answer.status_code}"
            naming = Naming(looker.title, request, rule.endpoint, len(name_matches), excerpt)
            self.found.append(naming)
        return answer


class _Ear:
    """A listener that hears the first news and closes."""

    def tell(self, words: bytes) -> bool:
        return True

    def end(self) -> None:
        pass


def _hears(_: Callable[[], None]) -> _Ear:
    return _Ear()


def _words(answer: TestResponse) -> str:
    """Return all that an answer says, whatever its form."""
    if answer.mimetype == "application/pdf":
        return " ".join(text_of(answer.data))
    if answer.mimetype == RESULT_TYPES["xlsx"]:
        return str(workbook_sheets(answer.data))
    if (answer.mimetype or "").startswith("image/"):
        return ""
    if answer.mimetype == "text/html":
        return " ".join(Page(answer.text).source_words)
    if answer.is_json:
        return str(answer.json)
    return answer.text
