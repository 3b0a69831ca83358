"""The forms of a match: begin one with its players and rules, and correct names while it is on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, render_template
from msgspec import structs
from werkzeug.wrappers import Response as AnyResponse

from device.club.people import PeopleRepository
from device.i18n.words import in_a_row, say, spoken, wind_name
from device.matches.match import Match
from device.store.events import FirstStepsEnded, MatchBegun, PlayersRenamed
from device.web.club.table_choice import ask_for_table, other_table_page
from device.web.contexts import records, room
from device.web.fields import form, query
from device.web.links import redirect_to
from device.web.name_gate import name_gate
from device.web.table.current_match import change_match, current_match, seen_version
from scorer.errors import ScorerError
from scorer.hand import RULESETS
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.tiles import WINDS

begin_pages = Blueprint("begin", __name__, url_prefix="/match")

MAX_PLAYERS = 5
"""Names that the form accepts. Of five players, one sits out (BMJA-N03)."""

DEFAULT_LIMIT_POINTS = 1000
"""The limit in points (BMJA-L01). A table may play without a limit."""

LIMIT_CHOICES = ("1000", "off")
"""The form's values for the limit."""

MAX_NAME_CHARS = 24
"""Characters that fit on a seat."""

FULL_TABLE = 4
"""Players of a usual match. Whoever begins with fewer is asked: a seat may be empty by mistake."""

_REFUSED_STATUS = 422


@begin_pages.get("/new")
def show() -> str | AnyResponse:
    """Show the form. It proposes players and rules in the address, else those of the last match."""
    if choosing := ask_for_table():
        return choosing
    proposal = propose_match()
    players = query().texts("player", MAX_NAME_CHARS, MAX_PLAYERS)
    ruleset = query().word("ruleset")
    if ruleset in offered_rulesets():
        limit = proposal.limit and _limit_of(ruleset)
        names = players or proposal.players
        proposal = structs.replace(proposal, players=names, ruleset=ruleset, limit=limit)
    return _match_page(proposal, "", room().matches.last_begun())


@begin_pages.post("/new")
def begin() -> AnyResponse | tuple[str, int]:
    """Begin the match, or show why not: invalid players, another match, or another table."""
    # The page may have been open since the phone sat at another table.
    page_table = query().word("table")
    if page_table and page_table != room().table:
        return other_table_page(room().tables.get(page_table))
    proposal, seen_seq = _typed_match(), form().seq("seen", default=None)
    count_answer, count = form().word("count"), len(proposal.players)
    is_unasked = count_answer not in ("", str(count)) and 2 <= count < FULL_TABLE
    if count_answer == "back" or is_unasked:
        return _match_page(proposal, "", seen_seq, count_answer=count_answer), 200
    try:
        room().matches.begin(proposal, seen_seq=seen_seq, ends_running=seen_seq is not None)
    except ScorerError as error:
        reasons = in_a_row(p.message for p in error.problems)
        return _match_page(proposal, reasons, seen_seq), _REFUSED_STATUS
    return redirect_to("table.show")


def _typed_match() -> MatchBegun:
    """Return the match that the form describes."""
    names = (form().text(f"player{place}", MAX_NAME_CHARS) for place in range(MAX_PLAYERS))
    players = tuple(filter(None, names))
    return structs.replace(read_rules(), players=players)


def read_rules() -> MatchBegun:
    """Return the rules in the form, as a match without players."""
    ruleset = form().word("ruleset", "bmja")
    options = load_builtin(ruleset).options if ruleset in RULESETS else ()
    house_rules = form().words(f"house-{ruleset}", [option.name for option in options])
    has_limit = form().choice("limit", LIMIT_CHOICES, "1000") != "off"
    return MatchBegun(
        players=(),
        ruleset=ruleset,
        limit=_limit_of(ruleset) if has_limit else None,
        house=tuple(
            f"{option.name}:{'on' if option.name in house_rules else 'off'}"
            for option in options
            if (option.name in house_rules) != option.default
        ),
    )


def _limit_of(ruleset: str) -> int:
    """Return the limit of a ruleset that is offered, or the usual one."""
    rules = offered_rulesets().get(ruleset)
    return (rules.limit if rules else None) or DEFAULT_LIMIT_POINTS


def propose_match() -> MatchBegun:
    """Return the proposal for a new match: players and rules of the last one, else defaults.

    Newer answers from the first steps, and newer rules of the table, take precedence.
    """
    last, answers = room().matches.newest_start(), _first_steps_answers()
    table = room().table_here
    table_ruleset = table.ruleset if table and table.rules_at > room().matches.last_begun() else ""
    like = last or MatchBegun(
        players=(), ruleset=room().rules, limit=DEFAULT_LIMIT_POINTS, house=()
    )
    ruleset = table_ruleset or (
        answers.ruleset if answers and answers.ruleset in RULESETS else like.ruleset
    )
    ruleset_key = records().rulesets.offered_key(ruleset)
    players = (answers.players if answers else ()) or like.players
    return MatchBegun(
        players=PeopleRepository(records().store).filter_suggested(players),
        ruleset=ruleset_key,
        limit=like.limit and _limit_of(ruleset_key),
        house=like.house if records().rulesets.pin_version(ruleset_key) == like.ruleset else (),
    )


def suggested_names() -> tuple[str, ...]:
    """Return the names that a field offers while one is typed: who has played lately first."""
    return PeopleRepository(records().store).suggested_names()


def _first_steps_answers() -> FirstStepsEnded | None:
    """Return the answers from the first steps if they are newer than every match."""
    store = records().store
    answers = store.latest(FirstStepsEnded)
    last_match = store.latest(MatchBegun) if answers else None
    return answers.event if answers and not (last_match and last_match.seq > answers.seq) else None


def _match_page(
    proposal: MatchBegun, wrong: str, seen_seq: int | None, *, count_answer: str = ""
) -> str:
    rulesets = ruleset_choices(proposal.house)
    return render_template(
        "table/begin.html",
        names=[*proposal.players, *[""] * MAX_PLAYERS][:MAX_PLAYERS],
        known=suggested_names(),
        rulesets=rulesets,
        winds=[wind_name(wind) for wind in WINDS],
        title=next((each["title"] for each in rulesets if each["name"] == proposal.ruleset), ""),
        asked=proposal,
        wrong=wrong,
        longest=MAX_NAME_CHARS,
        running=room().matches.current() is not None,
        seen=seen_seq,
        count_answer=count_answer,
    )


def ruleset_choices(house: Sequence[str]) -> list[dict[str, Any]]:
    """Return all rulesets to choose from, with their options set as in `house`."""
    return [_ruleset_choice(key, rules, house) for key, rules in offered_rulesets().items()]


def offered_rulesets() -> dict[str, Ruleset]:
    """Return every ruleset that is offered, by its key: first the shipped ones."""
    gate = name_gate()
    custom = {each.id: gate.ruleset(each).rules for each in records().rulesets.list_offered()}
    return {name: load_builtin(name) for name in RULESETS} | custom


def _ruleset_choice(name: str, ruleset: Ruleset, house: Sequence[str]) -> dict[str, Any]:
    """Return one ruleset; a shipped one with its options, set as in `house`.

    A custom ruleset says itself what its table plays differently.
    """
    differs = {word.partition(":")[0] for word in house}
    options = [
        {
            "name": o.name,
            "says": say(o.sentence),
            "rule": o.rule,
            "on": o.default != (o.name in differs),
        }
        for o in (ruleset.options if name in RULESETS else ())
    ]
    return {
        "name": name,
        "title": say(ruleset.title),
        "is_custom": name not in RULESETS,
        "limit": ruleset.limit,
        "notice": spoken(ruleset.notice),
        "least": min(ruleset.players),
        "most": max(ruleset.players),
        "options": options,
    }


name_pages = Blueprint("names", __name__, url_prefix="/table/names")

_INVALID_NAMES_STATUS = 422


@name_pages.get("/", endpoint="show")
def show_names() -> str:
    """Show the form with the players' names."""
    match = current_match()
    return _names_page(match, match.game.players, "")


@name_pages.post("/")
def change() -> AnyResponse | tuple[str, int]:
    """Save the changed names, or show what is wrong. An empty field changes nothing."""
    match = current_match()
    players = match.game.players
    typed_names = tuple(
        form().text(f"player{place}", MAX_NAME_CHARS) or player
        for place, player in enumerate(players)
    )
    names = {old: new for old, new in zip(players, typed_names, strict=True) if old != new}
    try:
        if names:
            change_match(match, PlayersRenamed(names), seen_version())
    except ScorerError as error:
        return _names_page(
            match, typed_names, in_a_row(p.message for p in error.problems)
        ), _INVALID_NAMES_STATUS
    return redirect_to("table.show")


def _names_page(match: Match, names: tuple[str, ...], wrong: str) -> str:
    return render_template(
        "table/names.html",
        match=match,
        names=names,
        known=suggested_names(),
        wrong=wrong,
        longest=MAX_NAME_CHARS,
    )
