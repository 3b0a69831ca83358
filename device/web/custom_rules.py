"""The rules that the box knows: copy them, bring a file, change it, and hand it on.

A file is checked before anything of it is kept. What was typed stays in the form until it is right.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from random import SystemRandom

from flask import Blueprint, Response, abort, render_template, request
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

_Page = tuple[str, int]
_Answer = AnyResponse | _Page


@dataclass(frozen=True, slots=True)
class VersionLine:
    """One version of a ruleset in the list."""

    number: int
    day: str
    source: str
    """The number of the version that it brought back; empty for a new one."""
    changes: tuple[str, ...]
    """What it changed in the version before it."""


@pages.get("/")
def show() -> _Page:
    """List the rulesets, with the forms that add one."""
    return _list_page()


@pages.post("/copy")
def copy() -> _Answer:
    """Copy a ruleset under a title."""
    title, author = (form().text(field, MAX_TITLE_CHARS) for field in ("title", "author"))
    source = form().word("of", None)
    if not title:
        return _list_page(source, problem=say("field.empty"))
    try:
        result = records().rulesets.copy(source, title, author, phone_player_name())
    except TitleTakenError:
        return _list_page(source, title, say("custom-rules.taken", title=title))
    except RulesetError as failure:
        return _list_page(failure=failure)
    return redirect_to("custom_rules.ruleset", ruleset=result)


@pages.post("/bring")
def bring() -> _Answer:
    """Keep a file, or show every fault in it."""
    text = ""
    try:
        text = _sent_text()
        result = records().rulesets.keep_file(text, phone_player_name())
    except RulesetError as failure:
        return _list_page(text=text, failure=failure)
    return _redirect_to_ruleset(result)


@pages.get("/<id:ruleset>/", endpoint="ruleset")
def show_ruleset(ruleset: str) -> _Page:
    """Show a custom ruleset: its versions, its file, and what can be done with it."""
    custom = records().rulesets.get(ruleset)
    return _ruleset_page(custom, notice=query().choice("done", ("kept", "same", ""), default=""))


@pages.post("/<id:ruleset>/text")
def change_text(ruleset: str) -> _Answer:
    """Keep the changed file as the next version, or show every fault in it."""
    text, seen_seq = form().word("text", None), form().seq("seen")
    custom = records().rulesets.get(ruleset)
    new_text = name_gate().restore(text, custom.newest.text)
    try:
        return _redirect_to_ruleset(_keep_version(custom, new_text, seen_seq))
    except RulesetError as failure:
        return _ruleset_page(custom, text, seen_seq, failure=failure)
    except ConcurrentChangeError:
        return _ruleset_page(records().rulesets.get(ruleset), text, notice="stale")


@pages.get("/<id:ruleset>/change/<id:address>", endpoint="row")
def show_row(ruleset: str, address: str) -> _Page:
    """Show the form of one row, and what a change that is tried does to its example."""
    custom = records().rulesets.get(ruleset)
    return _row_page(custom, _find_row(custom, address), query())


@pages.post("/<id:ruleset>/change/<id:address>")
def change_row(ruleset: str, address: str) -> _Answer:
    """Keep a changed row as the next version, or show what is wrong with it."""
    custom = records().rulesets.get(ruleset)
    row = _find_row(custom, address)
    if form().seq("seen") != custom.seen:
        return _row_page(custom, row, form(), is_stale=True)
    try:
        text = _change(custom.newest.text, row, _typed_fields(row, form()))
        return keep_rows(custom, text, row_group(row))
    except RulesetError as failure:
        return _row_page(custom, row, form(), failure=failure)
    except ConcurrentChangeError:
        return _row_page(records().rulesets.get(ruleset), row, form(), is_stale=True)


@pages.post("/<id:ruleset>/change/<id:address>/remove")
def remove_row(ruleset: str, address: str) -> _Answer:
    """Take out a special hand that the table added."""
    custom = records().rulesets.get(ruleset)
    row = _find_row(custom, address)
    if form().seq("seen") != custom.seen:
        return _row_page(custom, row, form(), is_stale=True)
    if not is_own_special(row, custom.rules):
        abort(404)
    text = rows.remove_row(custom.newest.text, row)
    try:
        return keep_rows(custom, text, row_group(row))
    except RulesetError as failure:
        return _ruleset_page(custom, text, failure=failure)


def _keep_version(custom: CustomRuleset, text: str, seen_seq: int) -> KeptFile:
    """Keep a text as the next version; raise RulesetError or ConcurrentChangeError."""
    return records().rulesets.keep_version(custom.id, text, seen_seq, phone_player_name())


def keep_rows(custom: CustomRuleset, text: str, group: str) -> AnyResponse:
    """Keep changed rows of a group as the next version; lead to the group, or to a new match.

    Raises RulesetError or ConcurrentChangeError.
    """
    result = _keep_version(custom, text, custom.seen)
    if form().word("then") == "play":
        return redirect_to("begin.show", ruleset=custom.id)
    return _redirect_to_ruleset(result, group)


def _change(text: str, row: rows.EditableRow, entries: dict[str, str]) -> str:
    """Return a text with a changed row; raise RulesetError, also for a name that is taken."""
    check_name(text, row, entries)
    return rows.change_row(text, row, entries)


def _find_row(custom: CustomRuleset, address: str) -> rows.EditableRow:
    return rows.find_row(custom.newest.text, address) or abort(404)


def _typed_fields(row: rows.EditableRow, fields: FieldsSent) -> dict[str, str]:
    """Return the fields that were sent; those shown with "somebody" are as they were.

    A sentence that nobody changed is the file's, not its translation.
    """
    texts = {key: fields.text(key, MAX_FIELD_CHARS) for key in row.fields if key in fields}
    gate, data = name_gate(), row.data
    entries = {key: gate.restore(text, str(data.get(key, ""))) for key, text in texts.items()}
    if "sentence" in {*texts} & {*data} and texts["sentence"] == shown_value(row, "sentence"):
        entries["sentence"] = str(data["sentence"])
    return entries


def _row_page(
    custom: CustomRuleset,
    row: rows.EditableRow,
    fields: FieldsSent,
    *,
    is_stale: bool = False,
    failure: RulesetError | None = None,
) -> _Page:
    """Return the page of a row, with what was typed, and what that would do or why it cannot be.

    `failure` says why the change was not kept.
    """
    custom = name_gate().ruleset(custom)
    row = _find_row(custom, row.address)
    entries, text, new_text = _typed_fields(row, fields), custom.newest.text, custom.newest.text
    try:
        if entries:
            new_text = _change(text, row, entries)
        if failure:
            raise failure
        if entries:
            records().rulesets.check_version(custom.id, new_text)
            text = new_text
    except RulesetError as error:
        failure = error
    problems = failure.problems if failure else ()
    faults = [say_row_fault(new_text, row, problem.message) for problem in problems]
    tried_row, rules = rows.find_changed_row(text, row) or row, read_custom_ruleset(text)
    pattern = entries.get("pattern", row.data.get("pattern", ""))
    page = render_template(
        "settings/rule_change.html",
        custom=custom,
        address=row.address,
        group=row_group(row),
        title=row_heading(row),
        sentence=row_sentence(tried_row),
        rule=row.id,
        fields=row_fields(row, entries),
        pattern=show_pattern(pattern, SystemRandom()) if pattern else None,
        samples=explain_notation() if "pattern" in row.fields else (),
        example=None if faults else example_scores(tried_row, custom.rules, rules),
        faults=faults,
        doubts=list_doubts(rules, tried_row),
        stale=describe_change(custom, "stale-row") if is_stale else "",
        longest=MAX_FIELD_CHARS,
        is_new=row.is_new,
        is_own=is_own_special(row, custom.rules),
    )
    return page, _CONFLICT_STATUS if is_stale else _INVALID_STATUS if faults else HTTPStatus.OK


@pages.post("/<id:ruleset>/restore")
def restore_version(ruleset: str) -> _Answer:
    """Keep an earlier version as the newest."""
    number, seen_seq = form().place("version", MAX_RULESET_VERSION, min_value=1), form().seq("seen")
    custom = records().rulesets.get(ruleset)
    try:
        return _redirect_to_ruleset(
            records().rulesets.restore_version(ruleset, number, seen_seq, phone_player_name())
        )
    except RulesetError as failure:
        version = records().rulesets.find_version(f"{ruleset}@{number}")
        text = name_gate().for_everybody.rules_text(version.text if version else "")
        return _ruleset_page(custom, text, failure=failure)
    except ConcurrentChangeError:
        return _ruleset_page(records().rulesets.get(ruleset), notice="stale-version")


@pages.post("/<id:ruleset>/retire")
def retire(ruleset: str) -> AnyResponse:
    """Offer a ruleset for new matches no more."""
    records().rulesets.retire(ruleset, phone_player_name())
    return redirect_to("custom_rules.ruleset", ruleset=ruleset)


@pages.post("/<id:ruleset>/bring-back")
def bring_back(ruleset: str) -> AnyResponse:
    """Offer it again."""
    records().rulesets.bring_back(ruleset, phone_player_name())
    return redirect_to("custom_rules.ruleset", ruleset=ruleset)


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
    file = request.files.get("file")
    return decode_custom_file(file.read()) if file and file.filename else form().word("text")


def _redirect_to_ruleset(result: KeptFile, group: str = "") -> AnyResponse:
    """Lead to the ruleset; the group of the row that was changed is open."""
    notice = "kept" if result.is_new else "same"
    return redirect_to("custom_rules.ruleset", ruleset=result.id, done=notice, group=group or None)


def describe_change(custom: CustomRuleset, notice: str) -> str:
    """Return what has become of a change, or why it was not kept."""
    if custom.retired and notice.startswith("stale"):
        return say("custom-rules.stale-retired")
    return say(f"custom-rules.{notice}", version=custom.newest.number)


def _list_page(
    source: str = "",
    title: str = "",
    problem: str = "",
    text: str = "",
    failure: RulesetError | None = None,
) -> _Page:
    """Return the page; `problem` says why the copy of a ruleset cannot have this title."""
    customs = [name_gate().ruleset(each) for each in records().rulesets.list_all()]
    page = render_template(
        "settings/rules.html",
        customs=[(custom, describe_version(custom.rules)) for custom in customs],
        shipped={name: load_builtin(name) for name in RULESETS},
        source=source,
        title=title,
        problem=problem,
        text=text,
        faults=[spoken(each.message) for each in failure.problems] if failure else [],
        longest=MAX_TITLE_CHARS,
    )
    return page, _INVALID_STATUS if problem or failure else HTTPStatus.OK


def describe_version(rules: Ruleset) -> str:
    """Return the version, and who made it."""
    version = say("custom-rules.version", version=rules.version)
    author = say("custom-rules.author", author=rules.author) if rules.author else ""
    return " · ".join(filter(None, (version, author)))


def _version_lines(custom: CustomRuleset) -> list[VersionLine]:
    """Return every version, the newest first; of the newest few also what they changed."""
    lines = []
    for place, version in enumerate(custom.versions):
        is_recent = place >= max(1, len(custom.versions) - MAX_COMPARED_VERSIONS)
        before = custom.versions[place - 1].text if is_recent else ""
        changes = version_changes(before, version.text) if is_recent else ()
        base, _, number = version.origin.partition("@")
        source = number if base == custom.id else ""
        lines.append(VersionLine(version.number, day_of(version.kept_at), source, changes))
    return lines[::-1]


def _ruleset_page(
    custom: CustomRuleset,
    text: str | None = None,
    seen_seq: int | None = None,
    *,
    notice: str = "",
    failure: RulesetError | None = None,
) -> _Page:
    """Return the page of a ruleset; `text` stands in the form, made when `seen_seq` was the last.

    Without a text, that of the newest version does.
    """
    custom = name_gate().ruleset(custom)
    page = render_template(
        "settings/ruleset.html",
        custom=custom,
        says=describe_version(custom.rules),
        game=say(load_builtin(custom.rules.name).title),
        versions=_version_lines(custom),
        digest=custom.newest.digest,
        doubts=list_doubts(custom.rules),
        groups=row_groups(custom.newest.text),
        open_group=query().word("group"),
        text=custom.newest.text if text is None else text,
        seen=custom.seen if seen_seq is None else seen_seq,
        notice=describe_change(custom, notice) if notice else "",
        faults=[spoken(each.message) for each in failure.problems] if failure else [],
    )
    is_stale = notice.startswith("stale")
    return page, _CONFLICT_STATUS if is_stale else _INVALID_STATUS if failure else HTTPStatus.OK
