"""What the pages of a custom ruleset show: its rows in groups, and one row with its example."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from device.i18n.words import grouped, is_said, say
from device.views.tutor.exercise import ShownHand, show_hand
from device.views.tutor.rules import capitalise
from scorer.errors import HandError
from scorer.message import rule_text
from scorer.notation import parse_hand
from scorer.ruleset import Ruleset
from scorer.rulesets.rows import SWITCH_KEYS, TEXT_KEYS, EditableRow, list_rows
from scorer.teach.lessons.examples import find_rule_example
from scorer.teach.lessons.figures import DEAREST_HANDS


@dataclass(frozen=True, slots=True)
class RowLine:
    """One row in the list."""

    at: str
    title: str
    worth: str
    """What it gives, or whether it is on."""


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows that belong together."""

    key: str
    title: str
    rows: tuple[RowLine, ...]


@dataclass(frozen=True, slots=True)
class RowField:
    """A field of the form of one row."""

    key: str
    label: str
    value: str
    is_switch: bool
    is_text: bool


@dataclass(frozen=True, slots=True)
class ExampleScores:
    """A hand that shows a row, scored by two versions of the rules."""

    hand: ShownHand | None
    """None for a hand that both refuse."""
    before: str
    after: str

    @property
    def differs(self) -> bool:
        """Whether the change is seen in this hand."""
        return self.before != self.after


def row_groups(text: str) -> tuple[RowGroup, ...]:
    """Return all rows of a custom ruleset's file, in groups."""
    groups: dict[str, list[RowLine]] = {}
    for row in list_rows(text):
        groups.setdefault(_group_of(row), []).append(
            RowLine(row.at, _row_title(row), _describe_worth(row))
        )
    return tuple(
        RowGroup(key, say(f"custom-rules.group.{key}"), tuple(rows)) for key, rows in groups.items()
    )


def _group_of(row: EditableRow) -> str:
    if row.block == "rule":
        if "doubles" not in row.data:
            return "points"
        return "winner" if row.data["who"] == "winner" else "doubles"
    return {"special": "specials", "option": "options"}.get(row.block, "table")


def _row_title(row: EditableRow) -> str:
    """Return what a row is called in the list; for a switch, all that it says."""
    return row_sentence(row) if row.block == "option" else row_heading(row)


def row_heading(row: EditableRow) -> str:
    """Return what a row is called: by its label, its name, or by what it is."""
    said = {"rule": "label", "special": "name"}.get(row.block)
    return (
        capitalise(say(rule_text(row.data[said])))
        if said
        else say(f"custom-rules.block.{row.block}")
    )


def row_sentence(row: EditableRow) -> str:
    """Return the sentence of a row, or what a figure that stands by itself means."""
    if "sentence" in row.data:
        return say(rule_text(row.data["sentence"]))
    return say(f"custom-rules.meaning.{row.block}")


def _describe_worth(row: EditableRow) -> str:
    """Return what a row gives: `4 · 8`, `×2`, `1,000 · 400`, or whether it is on."""
    switch = SWITCH_KEYS.get(row.block)
    if switch and not row.fields[switch]:
        return say("custom-rules.off")
    figures = [
        f"×{2**value}" if key == "doubles" and row.block != "two_players" else grouped(value)
        for key, value in row.fields.items()
        if type(value) is int
    ]
    if row.block == "limit" and not figures:
        return say("begin.limit-off")
    return " · ".join(figures) or say("custom-rules.on")


def row_fields(row: EditableRow, typed: dict[str, str] | None = None) -> tuple[RowField, ...]:
    """Return the fields of a row's form, with what was typed if anything was."""
    return tuple(
        RowField(
            key,
            _field_label(row, key),
            (typed or {}).get(key, _field_value(value)),
            is_switch=key == SWITCH_KEYS.get(row.block),
            is_text=key in TEXT_KEYS.get(row.block, ()),
        )
        for key, value in row.fields.items()
    )


def _field_label(row: EditableRow, key: str) -> str:
    own = f"custom-rules.field.{row.block}.{key}"
    return say(own) if is_said(own) else say(f"custom-rules.field.{key}")


def _field_value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def example_scores(row: EditableRow, before: Ruleset, after: Ruleset) -> ExampleScores | None:
    """Return the first hand in which a change of a row is seen, else the first of the row's hands.

    None for a row that no hand shows.
    """
    found = [
        _score_both(text, *(_switched_on(row, rules) for rules in (before, after)))
        for text in _example_texts(row, before)
    ]
    return next((each for each in found if each.differs), found[0] if found else None)


def _example_texts(row: EditableRow, rules: Ruleset) -> Iterable[str]:
    if row.block == "limit":
        return (DEAREST_HANDS[rules.name],)
    if row.block in ("chows", "two_players"):
        return find_rule_example("BMJA-N02").hands if row.block == "two_players" else ()
    own = row.data.get("examples", ())
    return (*own, *(text for text in find_rule_example(row.id).hands if text not in own))


def _switched_on(row: EditableRow, rules: Ruleset) -> Ruleset:
    """Return the ruleset with the option on that a rule needs, so that its example shows it."""
    option = row.data.get("option") if row.block == "rule" else None
    known = option and any(each.name == option for each in rules.options)
    return rules.with_choices((f"{option}:on",)) if known else rules


def _score_both(text: str, before: Ruleset, after: Ruleset) -> ExampleScores:
    was, now = _show(text, before), _show(text, after)
    return ExampleScores(now or was, _total_text(was), _total_text(now))


def _show(text: str, rules: Ruleset) -> ShownHand | None:
    """Return a hand with its score; None if these rules refuse it."""
    try:
        return show_hand(parse_hand(text), rules)
    except HandError:
        return None


def _total_text(shown: ShownHand | None) -> str:
    return grouped(shown.total) if shown else say("custom-rules.refused")
