"""The forms of a match: begin one with its players and rules, and correct names while it is on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, redirect, render_template, url_for
from msgspec import structs
from werkzeug.wrappers import Response as AnyResponse

from device.club.people_repository import PeopleRepository
from device.i18n.names import Name
from device.i18n.words import in_a_row
from device.store.events import FirstStepsEnded, MatchBegun
from device.web.box import box
from device.web.club.choosing import table_to_choose
from device.web.club.elsewhere import elsewhere
from device.web.fields import form, query
from scorer.errors import ScorerError
from scorer.hand import RULESETS
from scorer.rulesets.builtin import load_builtin

pages = Blueprint("begin", __name__, url_prefix="/match")

SEATS = 5
"""Names that the form accepts. Of five players, one sits out (BMJA-N03)."""

LIMIT = 1000
"""The limit in points (BMJA-L01). A table may play without a limit."""

LIMITS = ("1000", "off")
"""The form's values for the limit."""

LONGEST_NAME = 24
"""Characters that fit on a seat."""

_UNPLAYABLE = 422


@pages.get("/new")
def show() -> str | AnyResponse:
    """Show the form. It proposes the players in the address, else those of the last match."""
    if choosing := table_to_choose():
        return choosing
    asked = proposed()
    players = query().texts("player", LONGEST_NAME, SEATS)
    ruleset = query().word("ruleset")
    if players and ruleset in RULESETS:
        asked = structs.replace(asked, players=tuple(map(Name, players)), ruleset=ruleset)
    return _form(asked, "")


@pages.post("/new")
def begin() -> AnyResponse | tuple[str, int]:
    """Begin the match, or show why not: invalid players, another match, or another table."""
    of = query().word("table")  # the page may have been open since the phone sat at another table
    if of and of != box().table:
        return elsewhere(box().tables.get(of))
    asked = _asked()
    try:
        box().matches.begin(asked, seen=form().seq("seen", default=None))
    except ScorerError as error:
        return _form(asked, in_a_row(p.message for p in error.problems)), _UNPLAYABLE
    return redirect(url_for("table.show"), 303)


def _asked() -> MatchBegun:
    """Return the match that the form describes."""
    players = tuple(name for name in map(_name, range(SEATS)) if name)
    return structs.replace(rules_asked(), players=players)


def rules_asked() -> MatchBegun:
    """Return the rules in the form, as a match without players."""
    ruleset = form().word("ruleset", "bmja")
    options = load_builtin(ruleset).options if ruleset in RULESETS else ()
    on = form().words(f"house-{ruleset}", [option.name for option in options])
    return MatchBegun(
        players=(),
        ruleset=ruleset,
        limit=None if form().choice("limit", LIMITS, "1000") == "off" else LIMIT,
        house=tuple(
            f"{option.name}:{'on' if option.name in on else 'off'}"
            for option in options
            if (option.name in on) != option.default
        ),
    )


def _name(place: int) -> Name:
    return Name(form().text(f"player{place}", LONGEST_NAME))


def proposed() -> MatchBegun:
    """Return the proposal for a new match: players and rules of the last one, else defaults.

    Newer answers from the first steps, and newer rules of the table, take precedence.
    """
    last, said = box().matches.newest_begun(), _said_first()
    table = box().table_here
    since = table.ruleset if table and table.rules_at > box().matches.last_begun() else ""
    like = last or MatchBegun(players=(), ruleset="bmja", limit=LIMIT, house=())
    ruleset = since or (said.ruleset if said and said.ruleset in RULESETS else like.ruleset)
    players = (said.players if said else ()) or like.players
    return MatchBegun(
        players=PeopleRepository(box().hands.store).still_offered(players),
        ruleset=ruleset,
        limit=like.limit,
        house=like.house if ruleset == like.ruleset else (),
    )


def known_names() -> tuple[Name, ...]:
    """Return the names that a field suggests while one is typed, recent players first."""
    return PeopleRepository(box().hands.store).offered()


def _said_first() -> FirstStepsEnded | None:
    """Return the answers from the first steps if they are newer than every match."""
    store = box().hands.store
    said = store.latest(FirstStepsEnded)
    begun = store.latest(MatchBegun) if said else None
    return said.event if said and not (begun and begun.seq > said.seq) else None


def _form(asked: MatchBegun, wrong: str) -> str:
    return render_template(
        "table/begin.html",
        names=[*asked.players, *[""] * SEATS][:SEATS],
        known=known_names(),
        rulesets=rulesets(asked.house),
        asked=asked,
        wrong=wrong,
        longest=LONGEST_NAME,
        running=box().matches.current() is not None,
        seen=box().matches.last_begun(),
    )


def rulesets(house: Sequence[str]) -> list[dict[str, Any]]:
    """Return all rulesets to choose from, with their options set as in `house`."""
    return [_ruleset(name, house) for name in RULESETS]


def _ruleset(name: str, house: Sequence[str]) -> dict[str, Any]:
    """Return one ruleset, with its options set as in `house`."""
    differs = {word.partition(":")[0] for word in house}
    ruleset = load_builtin(name)
    options = [
        {"name": o.name, "says": o.sentence, "rule": o.rule, "on": o.default != (o.name in differs)}
        for o in ruleset.options
    ]
    return {"name": name, "title": ruleset.title, "notice": ruleset.notice, "options": options}
