"""The list of permissions: which phones may use each route, and why.

A route that only shows something needs no row: every phone that the box's PIN lets in may look. It
has a row if it is answered without the PIN, shows a secret, or leads only to a guarded change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from werkzeug.routing import Map, Rule


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


def permission_of(endpoint: str, arguments: Mapping[str, object]) -> Permission | None:
    """Return the row of a route; None if it has no row.

    If the address names what is changed, that may have its own row, with the key `endpoint what`.
    """
    keys = (f"{endpoint} {said}" for said in arguments.values())
    return next((PERMISSIONS[key] for key in (*keys, endpoint) if key in PERMISSIONS), None)


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
    "Choices that the phone itself keeps.": "preferences.choose",
    "It judges a picture and keeps nothing.": "aiming.hint",
    "The organiser's PIN is typed here.": "organiser.enter",
    "A table's PIN is typed here.": "at.enter",
    "A hand of one's own belongs to no match.": "home.begin, byhand.begin, capture.take",
    "What are these tiles? Asking is anybody's.":
        "asking.begin, asking.enter, asking.snap, asking.snap_if_due",
    "Everybody practises for themselves.":
        "practice.name, practice.anew, practice.quiz.finish, exercises.hand_in",
    "It reads the box's own test photograph and changes nothing.": "setup.read",
    "Players keep their own hands out without asking. Giving them again is the owner's to say.":
        "giving.keep_out",
    "A round's table gives in its own result. Once it is there, the phone that gave it may correct "
    "it while the round is open, and an organiser at any time.":
        "tournament_table.give, tournament_table.take",
    "Shows how other phones come in, the box's PIN with it: whoever is in may let others in.":
        "join.show, setup.show, print.label, print.tables",
    "Shows the table's code; its PIN only to phones that may change it.": "club_tables.of",
    "A code that is scanned leads here. The phone sits at this table from now on, and no more at "
    "another: looking at any other page changes nothing.": "at.sit_down",
}  # fmt: skip

_TABLE_ROUTES = {
    "What is played at a table is changed by the phones there.":
        "begin.begin, table.join, table.undo, table.redo, names.change, deal.say_winner, "
        "deal.give, deal.snap, deal.snap_if_due, deal.agree, deal.type_score, which.choose, "
        "settle.confirm, totals.keep, charges.write, correcting.confirm, mending.accept, "
        "over.end, over.resume, over.again, history.undo, history.redo",
    "One photograph of all hands of the table's deal.":
        "whole.give, whole.snap, whole.of_hand, whole.agree, whole.again, whole.say_bottom, "
        "doubted.accept_table, doubted.retake_table",
    "A hand of a match is its table's; one of no match is anybody's.":
        "hand.add_photo, hand.move_set, hand.confirm, hand.say_mirrored, hand.say_so, "
        "hand.use_other_set, hand.set_situation, hand.undo, hand.redo, hand.read_again, "
        "doubted.accept, doubted.retake, sheet.add_tile, sheet.correct, sheet.move, "
        "byhand.begin_at_table, byhand.enter, byhand.group, byhand.remove, byhand.undo, "
        "byhand.redo",
    "The camera over the table, and how it is used there.":
        "capture.take_if_due, capture.adjust, capture.choose_by_itself, "
        "setup.choose snap_when_ready, club_tables.change by-itself",
    "Which of the sets lies on the table.": "sets.choose, club_tables.change set",
    "Whether the box may learn from tiles is asked once, beside somebody's hand. Changing the "
    "answer is the owner's.": "hand.learn",
    "The table's own PIN and the rules that it plays by; an organiser may change them, too.":
        "club_tables.change pin, club_tables.change rules",
    "What is damaged is cut back by whoever may change it: a match or a hand by its table, a "
    "tournament, a season or a table by an organiser, anything else by the owner.": "damaged.cut",
}  # fmt: skip

_ORGANISER_ROUTES = {
    "The tables of the room: which there are, their names and their cameras.":
        "club_tables.lay, club_tables.change",
    "The register of the club's people.":
        "players.add, players.rename, players.give_up, players.merge, players.part, "
        "players.remove, players.bring_back",
    "Leads only to changes of the register, or shows names that were taken out.":
        "players.names, players.removed",
    "A season is run by organisers.": "season.begin, season.keep, season.say_match",
    "Leads only to changes of a season.": "season.new, season.change, season.match",
    "A tournament is run by organisers.":
        "tournaments.begin, tournament.draw, tournament.withdraw, tournament.close, "
        "tournament.clock, tournament.length, tournament.end, tournament_players.change, "
        "tournament_tables.choose, tournament_tables.begin",
    "Leads only to changes of a tournament.": "tournaments.new, tournament_tables.show",
    "Asks for the PIN, then leads back.": "organiser.lead_back",
}  # fmt: skip

_OWNER_ROUTES = {
    "Shows the organiser's PIN.": "organiser.show",
    "A new PIN puts all other phones out.": "organiser.change, pin.change",
    "It ends everybody's evening.": "off.ask, off.switch_off",
    "Other software on the box; a second upload breaks off the first.":
        "updating.begin, updating.piece, updating.finish, updating.install, updating.drop",
    "How the box is set up from new.":
        "first_steps.show, first_steps.upload, first_steps.shoot, first_steps.end, "
        "first_steps.skip",
    "The camera of the whole box.": "setup.choose",
    "It deletes photographs.": "setup.free_room",
    "The clock dates everything that is kept.": "clock.take",
    "Whether the club's hands are given away.": "giving.answer",
    "Whether the box learns from tiles, for all tables.": "sets.learning",
    "It deletes what was learnt of a set.": "sets.delete",
    "What the box knows of a set decides what it reads for everybody.":
        "register.begin, register.add_photo, register.read_again, register.name, register.undo, "
        "register.keep",
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
"""The rows by endpoint, or by endpoint and what it changes."""


_DOCUMENT_HEAD = """# Who may do what

A box has up to two PINs. Without the **box's PIN**, whoever is on the network is in the room; with
it, a phone is asked once. Without an **organiser's PIN**, an organiser and the owner are whoever is
in the room; with it, what is theirs asks for it, once a phone. Each table of a club may have a PIN
of its own, which lets a phone sit down there.

Looking needs no row: whoever is in the room may look at a page that only shows something. A route
that changes something and has no row is refused, and `tests/device/web/test_permissions.py` fails
with its name. A word in `<…>` stands for any; an address that says what it changes comes first.

Made by `python -m device.web.permissions > docs/permissions.md` from
`device/web/permissions/catalogue.py`, which is what the box itself goes by.
"""


def permissions_document(urls: Map) -> Iterator[str]:
    """Yield the paragraphs and tables of the document, for an app with these routes."""
    yield _DOCUMENT_HEAD
    for role in Role:
        yield f"## {role.value[0].upper()}{role.value[1:]}\n"
        yield "| Route | Why |\n| --- | --- |"
        for why, keys in _reasons(role).items():
            routes = sorted(route for key in keys for route in _routes(key, urls))
            yield f"| {'<br>'.join(f'`{each}`' for each in routes)} | {why} |"
        yield ""


def _reasons(role: Role) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, row in PERMISSIONS.items():
        if row.role is role:
            found.setdefault(row.why, []).append(key)
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
