"""The rules that the box knows: copy them, bring a file, change it, and hand it on.

A file is checked before anything of it is kept. What was typed stays in the form until it is right.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from random import SystemRandom

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import day_of, say, spoken
from device.rulesets.repository import (
    MAX_TITLE_CHARS,
    CustomRuleset,
    KeptFile,
    TitleTakenError,
)
from device.store.errors import ConcurrentChangeError
from device.views.custom_rules import (
    check_name,
    example_scores,
    explain_notation,
    is_own_special,
    list_doubts,
    row_fields,
    row_group,
    row_groups,
    row_heading,
    row_sentence,
    say_row_fault,
    show_pattern,
    shown_value,
    version_changes,
)
from device.web.contexts import records
from device.web.fields import FieldsSent, form, query
from device.web.links import redirect_to
from device.web.name_gate import name_gate
from device.web.phone_identity import phone_player_name
from device.web.printing import attachment_response
from scorer.hand import RULESETS
from scorer.ruleset import Ruleset
from scorer.rulesets import rows
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.custom import decode_custom_file, read_custom_ruleset
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.reader import RulesetError
from scorer.rulesets.schema import MAX_RULESET_VERSION

pages = Blueprint("custom_rules", __name__, url_prefix="/settings/rules")

MAX_FIELD_CHARS = 400
"""Longest sentence that a form takes; the British rules have none over 150."""

MAX_COMPARED_VERSIONS = 10
"""How many versions are compared with those before them; each costs a few milliseconds."""

_INVALID_STATUS, _CONFLICT_STATUS = 422, 409

_Answer = AnyResponse | tuple[str, int]


@dataclass(frozen=True, slots=True)
class RulesetLine:
    """One ruleset in the list."""

    key: str
    title: str
    says: str
    """Its notice, or its version and author."""
    is_custom: bool
    retired: bool = False


@dataclass(frozen=True, slots=True)
class VersionLine:
    """One version of a ruleset in the list."""

    number: int
    day: str
    of: str
    """The number of the version that it brought back; empty for a new one."""
    changes: tuple[str, ...]
    """What it changed in the version before it."""


@pages.get("/")
def show() -> str:
    """List the rulesets, with the forms that add one."""
    return _list_page()


@pages.post("/copy")
def copy() -> _Answer:
    """Copy a ruleset under a title."""
    title, author = (form().text(each, MAX_TITLE_CHARS) for each in ("title", "author"))
    of = form().word("of", None)
    if not title:
        return _list_page(copied=of, problem=say("field.empty")), _INVALID_STATUS
    try:
        kept = records().rulesets.copy(of, title, author, phone_player_name())
    except TitleTakenError:
        taken = say("custom-rules.taken", title=title)
        return _list_page(copied=of, title=title, problem=taken), _INVALID_STATUS
    except RulesetError as failure:
        return _list_page(failure=failure), _INVALID_STATUS
    return _redirect_to_ruleset(kept)


@pages.post("/bring")
def bring() -> _Answer:
    """Keep a file, or show every fault in it."""
    text = ""
    try:
        text = _sent_text()
        kept = records().rulesets.keep_file(text, phone_player_name())
    except RulesetError as failure:
        return _list_page(text=text, failure=failure), _INVALID_STATUS
    return _redirect_after(kept)


@pages.get("/<id:ruleset>/", endpoint="ruleset")
def show_ruleset(ruleset: str) -> str:
    """Show a custom ruleset: its versions, its file, and what can be done with it."""
    found = name_gate().ruleset(records().rulesets.get(ruleset))
    done = query().choice("done", ("kept", "same", ""), default="")
    return _ruleset_page(found, found.newest.text, done=done)


@pages.post("/<id:ruleset>/text")
def change_text(ruleset: str) -> _Answer:
    """Keep the changed file as the next version, or show every fault in it."""
    text, seen = form().word("text", None), form().seq("seen")
    found = records().rulesets.get(ruleset)
    restored = name_gate().restore(text, found.newest.text)
    try:
        kept = records().rulesets.keep_version(ruleset, restored, seen, phone_player_name())
    except RulesetError as failure:
        shown = name_gate().ruleset(found)
        return _ruleset_page(shown, text, seen, failure=failure), _INVALID_STATUS
    except ConcurrentChangeError:
        shown = name_gate().ruleset(records().rulesets.get(ruleset))
        return _ruleset_page(shown, text, done="stale"), _CONFLICT_STATUS
    return _redirect_after(kept)


@pages.get("/<id:ruleset>/change/<id:at>")
def row(ruleset: str, at: str) -> str | tuple[str, int]:
    """Show the form of one row, and what a change that is tried does to its example."""
    found = records().rulesets.get(ruleset)
    return _try_row(found, _find_row(found, at), query())


@pages.post("/<id:ruleset>/change/<id:at>")
def change_row(ruleset: str, at: str) -> _Answer:
    """Keep a changed row as the next version, or show what is wrong with it."""
    found = records().rulesets.get(ruleset)
    wanted = _find_row(found, at)
    if form().seq("seen") != found.seen:
        return _try_row(found, wanted, form(), is_stale=True)[0], _CONFLICT_STATUS
    try:
        text = _change(found.newest.text, wanted, _typed_fields(wanted, form()))
        return _keep_rows(found, text, wanted)
    except RulesetError as failure:
        return _try_row(found, wanted, form(), failure=failure)
    except ConcurrentChangeError:
        now = records().rulesets.get(ruleset)
        return _try_row(now, wanted, form(), is_stale=True)[0], _CONFLICT_STATUS


@pages.post("/<id:ruleset>/change/<id:at>/remove")
def remove_row(ruleset: str, at: str) -> _Answer:
    """Take out a special hand that the table added."""
    found = records().rulesets.get(ruleset)
    wanted = _find_row(found, at)
    if form().seq("seen") != found.seen:
        return _try_row(found, wanted, form(), is_stale=True)[0], _CONFLICT_STATUS
    if not is_own_special(wanted, found.rules):
        abort(404)
    text = rows.remove_row(found.newest.text, wanted)
    try:
        return _keep_rows(found, text, wanted)
    except RulesetError as failure:
        return _ruleset_page(found, text, failure=failure), _INVALID_STATUS


def _keep_rows(found: CustomRuleset, text: str, wanted: rows.EditableRow) -> _Answer:
    kept = records().rulesets.keep_version(found.id, text, found.seen, phone_player_name())
    if form().word("then") == "play":
        return redirect_to("begin.show", ruleset=found.id)
    return _redirect_after(kept, row_group(wanted))


def _change(text: str, wanted: rows.EditableRow, typed: dict[str, str]) -> str:
    """Return a text with a changed row; raise RulesetError, also for a name that is taken."""
    check_name(text, wanted, typed)
    return rows.change_row(text, wanted, typed)


def _find_row(found: CustomRuleset, at: str) -> rows.EditableRow:
    wanted = rows.find_row(found.newest.text, at)
    return abort(404) if wanted is None else wanted


def _typed_fields(wanted: rows.EditableRow, sent: FieldsSent) -> dict[str, str]:
    """Return the fields that were sent; those shown with "somebody" are as they were.

    A sentence that nobody changed is the file's, not its translation.
    """
    typed = {key: sent.text(key, MAX_FIELD_CHARS) for key in wanted.fields if key in sent}
    gate, stored = name_gate(), wanted.data
    restored = {key: gate.restore(text, str(stored.get(key, ""))) for key, text in typed.items()}
    if "sentence" in {*typed} & {*stored} and typed["sentence"] == shown_value(wanted, "sentence"):
        restored["sentence"] = str(stored["sentence"])
    return restored


def _try_row(
    found: CustomRuleset,
    wanted: rows.EditableRow,
    sent: FieldsSent,
    *,
    is_stale: bool = False,
    failure: RulesetError | None = None,
) -> tuple[str, int]:
    """Return the page of a row, with what was typed, and what that would do or why it cannot be.

    `failure` says why the change was not kept.
    """
    found = name_gate().ruleset(found)
    wanted = _find_row(found, wanted.address)
    typed, text, changed = _typed_fields(wanted, sent), found.newest.text, found.newest.text
    try:
        if typed:
            changed = _change(text, wanted, typed)
        if failure:
            raise failure
        if typed:
            records().rulesets.check_version(found.id, changed)
            text = changed
    except RulesetError as refused:
        failure = refused
    problems = failure.problems if failure else ()
    faults = [say_row_fault(changed, wanted, each.message) for each in problems]
    shown, rules = rows.find_changed_row(text, wanted) or wanted, read_custom_ruleset(text)
    pattern = typed.get("pattern", wanted.data.get("pattern", ""))
    page = render_template(
        "settings/rule_change.html",
        found=found,
        at=wanted.address,
        group=row_group(wanted),
        title=row_heading(wanted),
        sentence=row_sentence(shown),
        rule=wanted.id,
        fields=row_fields(wanted, typed),
        pattern=show_pattern(pattern, SystemRandom()) if pattern else None,
        samples=explain_notation() if "pattern" in wanted.fields else (),
        example=None if faults else example_scores(shown, found.rules, rules),
        faults=faults,
        doubts=list_doubts(rules, shown),
        stale=describe_change(found, "stale-row") if is_stale else "",
        longest=MAX_FIELD_CHARS,
        is_new=wanted.is_new,
        is_own=is_own_special(wanted, found.rules),
    )
    return page, _INVALID_STATUS if faults else HTTPStatus.OK


@pages.post("/<id:ruleset>/restore")
def restore_version(ruleset: str) -> _Answer:
    """Keep an earlier version as the newest."""
    number, seen = form().place("version", MAX_RULESET_VERSION, min_value=1), form().seq("seen")
    found = records().rulesets.get(ruleset)
    try:
        result = records().rulesets.restore_version(ruleset, number, seen, phone_player_name())
    except RulesetError as failure:
        version = records().rulesets.find_version(f"{ruleset}@{number}")
        shown, text = name_gate().ruleset(found), version.text if version else ""
        text = name_gate().for_everybody.rules_text(text)
        return _ruleset_page(shown, text, failure=failure), _INVALID_STATUS
    except ConcurrentChangeError:
        shown = name_gate().ruleset(records().rulesets.get(ruleset))
        return _ruleset_page(shown, shown.newest.text, done="stale-version"), _CONFLICT_STATUS
    return _redirect_after(result)


@pages.post("/<id:ruleset>/retire")
def retire(ruleset: str) -> AnyResponse:
    """Offer a ruleset for new matches no more."""
    records().rulesets.retire(ruleset, phone_player_name())
    return _redirect_to_ruleset(ruleset)


@pages.post("/<id:ruleset>/bring-back")
def bring_back(ruleset: str) -> AnyResponse:
    """Offer it again."""
    records().rulesets.bring_back(ruleset, phone_player_name())
    return _redirect_to_ruleset(ruleset)


@pages.get("/<id:ruleset>/file")
def file(ruleset: str) -> Response:
    """Return the file of a ruleset, of its newest version or of one that is asked for."""
    number = query().place("version", MAX_RULESET_VERSION, default=0)
    key = f"{ruleset}@{number}" if number else ruleset
    version = records().rulesets.find_version(key)
    text = version.text if version else load_builtin_text(ruleset)
    text = name_gate().for_everybody.rules_text(text)
    name = f"{ruleset}-{version.number}.toml" if version else f"{ruleset}.toml"
    return attachment_response(text.encode(), "application/toml; charset=utf-8", name)


def _sent_text() -> str:
    """Return the text of the chosen file, else the one that was typed; raise RulesetError."""
    sent = request.files.get("file")
    return decode_custom_file(sent.read()) if sent and sent.filename else form().word("text")


def _redirect_to_ruleset(ruleset: str, done: str | None = None, group: str = "") -> AnyResponse:
    where = url_for("custom_rules.ruleset", ruleset=ruleset, done=done, group=group or None)
    return redirect(where, 303)


def _redirect_after(kept: KeptFile, group: str = "") -> AnyResponse:
    """Lead to the ruleset; the group of the row that was changed is open."""
    return _redirect_to_ruleset(kept.id, "kept" if kept.is_new else "same", group)


def describe_change(found: CustomRuleset, done: str) -> str:
    """Return what has become of a change, or why it was not kept."""
    if found.retired and done.startswith("stale"):
        return say("custom-rules.stale-retired")
    return say(f"custom-rules.{done}", version=found.newest.number)


def _list_page(
    copied: str = "",
    title: str = "",
    problem: str = "",
    text: str = "",
    failure: RulesetError | None = None,
) -> str:
    """Return the page; `problem` says why the copy of a ruleset cannot have this title."""
    shipped = [_shipped_line(name) for name in RULESETS]
    custom = [_custom_line(name_gate().ruleset(each)) for each in records().rulesets.list_all()]
    return render_template(
        "settings/rules.html",
        shipped=shipped,
        custom=custom,
        copied=copied,
        title=title,
        problem=problem,
        text=text,
        faults=[spoken(each.message) for each in failure.problems] if failure else [],
        longest=MAX_TITLE_CHARS,
    )


def _shipped_line(name: str) -> RulesetLine:
    rules = load_builtin(name)
    return RulesetLine(name, say(rules.title), spoken(rules.notice), is_custom=False)


def _custom_line(found: CustomRuleset) -> RulesetLine:
    says = describe_version(found.rules)
    return RulesetLine(found.id, found.title, says, is_custom=True, retired=found.retired)


def describe_version(rules: Ruleset) -> str:
    """Return the version, and who made it."""
    version = say("custom-rules.version", version=rules.version)
    author = say("custom-rules.author", author=rules.author) if rules.author else ""
    return " · ".join(filter(None, (version, author)))


def _version_lines(found: CustomRuleset) -> list[VersionLine]:
    """Return every version, the newest first; of the newest few also what they changed."""
    lines = []
    for place, version in enumerate(found.versions):
        is_recent = place >= max(1, len(found.versions) - MAX_COMPARED_VERSIONS)
        before = found.versions[place - 1].text if is_recent else ""
        changes = version_changes(before, version.text) if is_recent else ()
        base, _, number = version.origin.partition("@")
        base_version = number if base == found.id else ""
        lines.append(VersionLine(version.number, day_of(version.kept_at), base_version, changes))
    return lines[::-1]


def _ruleset_page(
    found: CustomRuleset,
    text: str,
    seen: int | None = None,
    *,
    done: str = "",
    failure: RulesetError | None = None,
) -> str:
    """Return the page of a ruleset; `text` stands in the form, made when `seen` was the last."""
    return render_template(
        "settings/ruleset.html",
        found=found,
        says=describe_version(found.rules),
        game=say(load_builtin(found.rules.name).title),
        versions=_version_lines(found),
        digest=found.newest.digest,
        doubts=list_doubts(found.rules),
        groups=row_groups(found.newest.text),
        changed=query().word("group"),
        text=text,
        seen=found.seen if seen is None else seen,
        done=describe_change(found, done) if done else "",
        faults=[spoken(each.message) for each in failure.problems] if failure else [],
    )
