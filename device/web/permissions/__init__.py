"""Permissions: which phones may use each route that changes something, and why.

The list is enforced before any view runs. A row names a route, `settings.pin`, or all routes of a
page that change something, `hand.*`; a route's own row comes first. A route that changes something
and is in no row is refused. A route that only shows something needs no row: every phone that the
box's PIN lets in may look. It has a row if it is answered without the PIN, shows a secret, or leads
only to a guarded change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial

from flask import Flask, abort, jsonify, make_response, request
from werkzeug.routing import Map, Rule
from werkzeug.wrappers import Response as AnyResponse

from device.club.tables import ClubTable, NoSuchTableError
from device.hands.record import UnknownHandError
from device.i18n.words import say
from device.store import TornEventError
from device.web.club.organiser import ask_for_pin, is_organiser
from device.web.club.table_choice import other_table_page
from device.web.contexts import records, room
from device.web.cookies import may_sit
from device.web.links import redirect_to


class Role(Enum):
    """The phones that may use a route."""

    ANYBODY = "any phone, also one that has not given the box's PIN"
    ROOM = "anybody in the room: whoever the box's PIN lets in, if there is one"
    TABLE = "a phone at the table that it is about"
    ORGANISER = "an organiser: a phone that has given the organiser's PIN, if there is one"
    OWNER = "the box's owner: as an organiser, for what is the whole box's"


@dataclass(frozen=True, slots=True)
class Permission:
    """Who may use a route, and why."""

    role: Role
    why: str


def permission_of(
    endpoint: str, arguments: Mapping[str, object], *, changes: bool
) -> Permission | None:
    """Return the row of a route; None if it has no row. `changes`: whether it changes something.

    If the address names what is changed, that may have its own row, with the key `endpoint what`.
    """
    keys = [*(f"{endpoint} {said}" for said in arguments.values()), endpoint]
    if changes:
        keys.append(_page_key(endpoint))
    return next((PERMISSIONS[key] for key in keys if key in PERMISSIONS), None)


def permissions_by_route(urls: Map) -> dict[str, Permission]:
    """Return the rows of an app with these routes, with each route of a page by itself."""
    found = {key: row for key, row in PERMISSIONS.items() if not key.endswith(_WHOLE_PAGE)}
    for rule in urls.iter_rules():
        changes = _method(rule) not in _SAFE_METHODS
        if row := permission_of(rule.endpoint, {}, changes=changes):
            found[rule.endpoint] = row
    return found


_WHOLE_PAGE = ".*"


def _page_key(endpoint: str) -> str:
    return endpoint.partition(".")[0] + _WHOLE_PAGE


def _permission_rows() -> Iterator[tuple[str, Permission]]:
    for role, groups in _ROUTES_BY_ROLE.items():
        for why, endpoints in groups.items():
            yield from ((each.strip(), Permission(role, why)) for each in endpoints.split(","))


_ANYBODY_ROUTES = {
    "The PIN is typed here.": "pin.enter",
    "Style, scripts and pictures, the same for everybody.": "asset",
    "Programs that watch the box have no PIN; names and hands are not in it.": "setup.health",
    "It leads on to the page that asks.": "aiming.enter",
    "Browsers ask for these without cookies; they tell of no hands.":
        "home_screen.manifest, home_screen.worker, home_screen.no_answer",
}  # fmt: skip

_ROOM_ROUTES = {
    "Choices that the phone itself keeps.": "preferences.*",
    "It judges a picture and keeps nothing.": "aiming.hint",
    "The organiser's PIN is typed here.": "organiser.enter",
    "A table's PIN is typed here.": "at.enter",
    "A hand of one's own belongs to no match.": "home.begin, byhand.begin, capture.take",
    "What are these tiles? Asking is anybody's.": "asking.*",
    "Everybody practises for themselves.":
        "practice.*, quiz.*, exercises.hand_in, evening.finish, play.*",
    "It reads the box's own test photograph and changes nothing.": "setup.read",
    "Players keep their own hands out without asking. Giving them again is the owner's to say.":
        "giving.keep_out",
    "A round's table gives in its own result. Once it is there, the phone that gave it may correct "
    "it while the round is open, and an organiser at any time.": "tournament_table.*",
    "Shows how other phones come in, the box's PIN with it: whoever is in may let others in.":
        "join.show, settings.pin, print.label, print.tables",
    "Shows the table's code; its PIN only to phones that may change it.": "club_tables.of",
    "A code that is scanned leads here. The phone sits at this table from now on, and no more at "
    "another: looking at any other page changes nothing.": "at.sit_down",
}  # fmt: skip

_TABLE_ROUTES = {
    "What is played at a table is changed by the phones there.":
        "begin.*, table.*, names.*, seats.*, deal.*, which.*, settle.*, totals.*, charges.*, "
        "correcting.*, mending.*, over.*, history.*",
    "One photograph of all hands of the table's deal.":
        "whole.*, doubted.accept_table, doubted.retake_table",
    "A hand of a match is its table's; one of no match is anybody's.":
        "hand.*, sheet.*, dispute.*, byhand.*, doubted.accept, doubted.retake",
    "The camera over the table, and how it is used there.":
        "capture.*, settings.choose snap_when_ready, club_tables.change by-itself",
    "Whether the box counts the tiles on the table for somebody who asks during a match.":
        "settings.choose count_waits, club_tables.change count-waits",
    "Which of the sets lies on the table.": "sets.choose, club_tables.change set",
    "Whether the box may learn from tiles is asked once, beside somebody's hand. Changing the "
    "answer is the owner's.": "hand.learn",
    "The table's own PIN and the rules that it plays by; an organiser may change them, too.":
        "club_tables.change pin, club_tables.change rules",
    "What is damaged is cut back by whoever may change it: a match or a hand by its table, a "
    "tournament, a season or a table by an organiser, anything else by the owner.": "damaged.cut",
}  # fmt: skip

_ORGANISER_ROUTES = {
    "The tables of the room: which there are, their names and their cameras.": "club_tables.*",
    "The register of the club's people.": "players.*",
    "Leads only to changes of the register, or shows names that were taken out.":
        "players.names, players.removed",
    "A season is run by organisers.": "season.*",
    "Leads only to changes of a season.": "season.new, season.change, season.match",
    "The rules that are offered at all tables.": "custom_rules.*, tapped_hand.*",
    "A tournament is run by organisers.":
        "tournaments.*, tournament.*, tournament_players.*, tournament_tables.*",
    "Leads only to changes of a tournament.": "tournaments.new, tournament_tables.show",
    "Asks for the PIN, then leads back.": "organiser.lead_back",
}  # fmt: skip

_OWNER_ROUTES = {
    "Shows the organiser's PIN.": "organiser.show",
    "A new PIN puts all other phones out.": "organiser.change, pin.change",
    "It ends everybody's evening.": "off.ask, off.*",
    "Other software on the box; a second upload breaks off the first.": "updating.*",
    "A backup holds every name, photograph and PIN; a restored one replaces them all.":
        "backup.*, backup.show, backup.download, backup.download_set_aside",
    "How the box is set up from new.": "first_steps.*, first_steps.show",
    "The camera of the whole box.": "settings.choose",
    "It deletes photographs.": "settings.free_room",
    "The clock dates everything that is kept.": "clock.take",
    "Whether the club's hands are given away.": "giving.answer",
    "Whether the box learns from tiles, for all tables.": "sets.learning",
    "It deletes what was learnt of a set.": "sets.delete",
    "What the box knows of a set decides what it reads for everybody.": "register.*",
    "Leads only to a registration: nobody lays a whole set out in vain.": "register.show",
    "The warning stays until whoever looks after the box has read it.": "salvaged.read",
}  # fmt: skip

_ROUTES_BY_ROLE: Mapping[Role, Mapping[str, str]] = {
    Role.ANYBODY: _ANYBODY_ROUTES,
    Role.ROOM: _ROOM_ROUTES,
    Role.TABLE: _TABLE_ROUTES,
    Role.ORGANISER: _ORGANISER_ROUTES,
    Role.OWNER: _OWNER_ROUTES,
}

PERMISSIONS: Mapping[str, Permission] = dict(_permission_rows())
"""The rows by endpoint, by endpoint and what it changes, or by page."""


_DOCUMENT_HEAD = """# Who may do what

A box has up to two PINs. Without the **box's PIN**, whoever is on the network is in the room; with
it, a phone is asked once. Without an **organiser's PIN**, an organiser and the owner are whoever is
in the room; with it, what is theirs asks for it, once a phone. Each table of a club may have a PIN
of its own, which lets a phone sit down there.

Looking needs no row: whoever is in the room may look at a page that only shows something. A route
that changes something and is in no row is refused, and `tests/device/web/test_permissions.py` fails
with its name. A word in `<…>` stands for any; an address that says what it changes comes first.

Made by `python -m device.web.permissions > docs/permissions.md` from
`device/web/permissions/__init__.py`, which is what the box itself goes by.
"""


def permissions_document(urls: Map) -> Iterator[str]:
    """Yield the paragraphs and tables of the document, for an app with these routes."""
    yield _DOCUMENT_HEAD
    for role in Role:
        yield f"## {role.value[0].upper()}{role.value[1:]}\n"
        yield "| Route | Why |\n| --- | --- |"
        for why, keys in _reasons(role, urls).items():
            routes = sorted(route for key in keys for route in _routes(key, urls))
            yield f"| {'<br>'.join(f'`{each}`' for each in routes)} | {why} |"
        yield ""


def _reasons(role: Role, urls: Map) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {row.why: [] for row in PERMISSIONS.values() if row.role is role}
    for key, row in permissions_by_route(urls).items():
        if row.role is role:
            found[row.why].append(key)
    return found


def _routes(key: str, urls: Map) -> Iterator[str]:
    """Yield the method and path of each route of a row."""
    endpoint, _, what = key.partition(" ")
    for rule in urls.iter_rules(endpoint):
        path = re.sub(r"<(?:[^<>:]*:)?(\w+)>", r"<\1>", rule.rule)
        if what:
            path = re.sub(r"<\w+>$", what, path)
        yield f"{_method(rule)} {path}"


def _method(rule: Rule) -> str:
    (method,) = (rule.methods or set()) - {"HEAD", "OPTIONS"}
    return method


Refusal = Callable[[], AnyResponse]
"""Returns the page for a phone that may not use a route."""

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

_SCRIPT_ENDPOINTS = frozenset({"updating.begin", "updating.piece", "updating.finish"})
"""The endpoints that scripts call. Scripts show the `words` of the answer."""


def init_app(app: Flask) -> None:
    """Refuse routes that the phone may not use. Give templates the test `may`."""
    app.jinja_env.globals["may"] = may_use

    @app.before_request
    def check() -> AnyResponse | None:
        if request.endpoint is None:
            return None  # no such page: answered with 404 as usual
        refused = _refusal_of(request.endpoint, request.view_args or {}, request.method)
        return refused() if refused else None


def may_use(endpoint: str, **arguments: object) -> bool:
    """Whether the phone that asks may use a route that changes something."""
    return _refusal_of(endpoint, arguments, "POST") is None


def require_role(role: Role, **arguments: object) -> None:
    """Abort the request with a refusal, unless the phone has this role.

    For views that must decide the role themselves. The arguments name a match, a hand or a table,
    like those of an address.
    """
    if refused := _refusal(role, arguments):
        abort(refused())


def _refusal_of(endpoint: str, arguments: Mapping[str, object], method: str) -> Refusal | None:
    changes = method not in _SAFE_METHODS
    found = permission_of(endpoint, arguments, changes=changes)
    if found is None:
        return partial(abort, 404) if changes else None
    return _refusal(found.role, arguments)


def _refusal(role: Role, arguments: Mapping[str, object]) -> Refusal | None:
    """Return the refusal for the phone; None if it has the role."""
    if role in (Role.ANYBODY, Role.ROOM):
        return None
    if role is not Role.TABLE and not is_organiser():
        return _ask_for_pin
    if isinstance(table := arguments.get("table"), str):
        return _refusal_at(room().tables.get(table))
    return _refusal_in_match(arguments) if role is Role.TABLE else None


def _refusal_at(table: ClubTable) -> Refusal | None:
    """Return the refusal for changing a table; None for a phone that may sit there.

    If there is an organiser's PIN, only an organiser may change the table, or a phone that sits
    there.
    """
    is_organised = bool(records().settings.read().organiser_pin)
    if is_organised and is_organiser():
        return None
    if not may_sit(table):
        return lambda: redirect_to("at.sit_down", table=table.id)
    return partial(other_table_page, table) if is_organised and room().table != table.id else None


def _refusal_in_match(arguments: Mapping[str, object]) -> Refusal | None:
    """Return the refusal for changing a match, or a hand in it, of another table."""
    match = str(arguments.get("match", "")) or _match_of(arguments.get("hand"))
    table = room().matches.table_of(match) if match else ""
    if not table or table == room().table:
        return None
    found = room().tables.find_even_cleared(table)
    if found is None or found.cleared:
        if "match" in arguments:  # the table is gone, so nobody can continue the match
            raise NoSuchTableError
        return None
    return partial(other_table_page, found)


def _match_of(hand: object) -> str:
    """Return the id of a hand's match; empty for a single hand or an unreadable one."""
    if not hand:
        return ""
    try:
        return records().hands.by_itself(str(hand)).match
    except (TornEventError, UnknownHandError):  # the view itself reports this
        return ""


def _ask_for_pin() -> AnyResponse:
    if request.endpoint in _SCRIPT_ENDPOINTS:
        return make_response(jsonify(words=say("club.organiser.ask")), 403)
    return ask_for_pin()
