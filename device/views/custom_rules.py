"""What the pages of a custom ruleset show: its rows in groups, and one row with its example."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random

from device.i18n.words import LANGUAGES, group_digits, is_said, say, say_count, shipped_texts
from device.views.table_examples import describe_outcome, scene_of
from device.views.tutor.exercise import ShownHand, show_hand
from device.views.tutor.rules import capitalise
from scorer.errors import HandError, error
from scorer.false_examples import find_false_examples
from scorer.hand import RULESETS
from scorer.message import Message, message, rule_text
from scorer.notation import parse_hand
from scorer.patterns.examples import example_groups
from scorer.patterns.frames import compile_pattern
from scorer.patterns.notation import PatternError
from scorer.patterns.wording import describe_pattern
from scorer.ruleset import LAST_TILES, Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.checks import quote_name
from scorer.rulesets.doubtful_figures import find_doubtful_figures
from scorer.rulesets.files import load_builtin_data, load_builtin_text
from scorer.rulesets.link_code import key_rows
from scorer.rulesets.outside import fold_name
from scorer.rulesets.reader import RulesetError
from scorer.rulesets.rows import ROW_KEYS, EditableRow, FieldKind, find_row_lines, list_rows
from scorer.teach.lessons.examples import find_rule_example
from scorer.teach.lessons.figures import DEAREST_HANDS

MAX_SHOWN_CHANGES = 5
"""How many changes of a version are listed; of more, the rest is counted."""

SHOWN_HANDS = 3
"""How many hands of a pattern are shown."""


@dataclass(frozen=True, slots=True)
class RowLine:
    """One row in the list."""

    address: str
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
    kind: FieldKind
    choices: tuple[tuple[str, str], ...] = ()
    """Each value that may be chosen, and its words."""


@dataclass(frozen=True, slots=True)
class ShownPattern:
    """What a special hand's pattern allows."""

    says: str
    hands: tuple[tuple[tuple[str, ...], ...], ...]
    """Some hands at random: the tiles of each, in groups."""


@dataclass(frozen=True, slots=True)
class ExampleScores:
    """What shows a row by two versions of the rules: a hand's score, or what happens at a table."""

    hand: ShownHand | None
    """None for a hand that both refuse, and for what no hand shows."""
    before: str
    after: str
    scene: str = ""
    """What happens at the table; empty for a hand."""

    @property
    def differs(self) -> bool:
        """Whether the change is seen in this hand."""
        return self.before != self.after


GROUPS = ("table", "points", "doubles", "winner", "specials", "options")

ADDED_GROUP = "specials"
"""The group that a form adds rows to, shown though it has none yet."""


def row_groups(text: str) -> tuple[RowGroup, ...]:
    """Return all rows of a custom ruleset's file, in groups."""
    groups: dict[str, list[RowLine]] = {key: [] for key in GROUPS}
    for row in list_rows(text):
        groups[row_group(row)].append(RowLine(row.address, _row_title(row), _describe_worth(row)))
    return tuple(
        RowGroup(key, say(f"custom-rules.group.{key}"), tuple(rows))
        for key, rows in groups.items()
        if rows or key == ADDED_GROUP
    )


def changed_rows(text: str, game: str) -> tuple[RowLine, ...]:
    """Return the rows of a file that differ from the shipped ruleset `game`, and the new ones."""
    shipped_rows = key_rows(load_builtin_text(game))
    return tuple(
        RowLine(row.address, _row_title(row), _describe_worth(row))
        for key, row in key_rows(text).items()
        if key not in shipped_rows or shipped_rows[key].fields != row.fields
    )


def version_changes(before: str, after: str) -> tuple[str, ...]:
    """Return what a version of a file changed in the one before it, in a few lines."""
    old, new = key_rows(before), key_rows(after)
    changes = [_describe_change(old.get(key), new.get(key)) for key in dict.fromkeys((*old, *new))]
    lines = tuple(filter(None, changes)) or (say("custom-rules.other-change"),)
    rest = len(lines) - MAX_SHOWN_CHANGES
    if rest <= 1:  # the line that counts one would take the place of it
        return lines
    return (*lines[:MAX_SHOWN_CHANGES], say_count("custom-rules.more-changes", rest))


def _describe_change(old: EditableRow | None, new: EditableRow | None) -> str:
    """Return what became of a row; empty for nothing."""
    if new is None:
        return say("custom-rules.row-removed", row=_row_title(old)) if old else ""
    row, worth = _row_title(new), _describe_worth(new)
    if old is None:
        return say("custom-rules.row-added", row=row, worth=worth)
    if old.data == new.data:
        return ""
    was = _describe_worth(old)
    if was == worth:
        return say("custom-rules.row-reworded", row=row)
    return say("custom-rules.row-changed", row=row, before=was, after=worth)


def check_name(text: str, row: EditableRow, entries: Mapping[str, str]) -> None:
    """Raise RulesetError for the name of a hand by which a language calls another hand or rule."""
    name = fold_name(entries.get("name", ""))
    texts = [shipped_texts(language) for language in LANGUAGES]
    for other in list_rows(text):
        label = str(other.data.get({"rule": "label", "special": "name"}.get(other.block, "")))
        translations = (fold_name(each[label]) for each in texts if label in each)
        if other.address != row.address and name in translations:
            sentence = message(
                "ruleset-file.name-taken", key="name", value=quote_name(entries["name"])
            )
            raise RulesetError((error("declared-twice", sentence),))


def list_doubts(rules: Ruleset, row: EditableRow | None = None) -> tuple[str, ...]:
    """Return the figures of a ruleset that may be a slip, and hands that are not what they show.

    With a row, only those that it is about.
    """
    doubts = [(each.ids, each.message) for each in find_doubtful_figures(rules)]
    doubts += [((each.id,), each.message) for each in find_false_examples(rules, is_custom=True)]
    return tuple(say(said) for ids, said in doubts if row is None or row.id in ids)


def row_group(row: EditableRow) -> str:
    """Return the key of the group that a row is in."""
    if row.block == "rule":
        if "doubles" not in row.data:
            return "points"
        return "winner" if row.data["who"] == "winner" else "doubles"
    return {"special": ADDED_GROUP, "option": "options"}.get(row.block, "table")


def _row_title(row: EditableRow) -> str:
    """Return the title of a row in the list: its heading, or the sentence of a switch."""
    return row_sentence(row) if row.block == "option" else row_heading(row)


def row_heading(row: EditableRow) -> str:
    """Return the heading of a row: its label, its name, or the words for its block.

    A rule that a switch adds to one of the same label is told apart by how the hand was won.
    """
    if row.is_new:
        return say("custom-rules.new-special")
    title_key = {"rule": "label", "special": "name"}.get(row.block)
    if title_key is None:
        return say(f"custom-rules.block.{row.block}")
    heading = capitalise(say(rule_text(capitalise(row.data[title_key]))))
    if "option" in row.data and row.data["label"] in _labels_twice():
        ways = say("listing.comma").join(say(f"won-how.{way}") for way in row.data["ways"])
        return say("punctuation.aside", text=heading, aside=ways)
    return heading


@cache
def _labels_twice() -> frozenset[str]:
    """Return the labels that two rules of a shipped ruleset have: those of a custom one differ."""
    labels = (Counter(each["label"] for each in load_builtin_data(g)["rule"]) for g in RULESETS)
    return frozenset(label for counts in labels for label, count in counts.items() if count > 1)


def row_sentence(row: EditableRow) -> str:
    """Return the sentence of a row, or what a figure that stands by itself means.

    A special hand without a sentence is what its pattern says.
    """
    if "sentence" in row.data:
        return say(rule_text(row.sentence))
    if row.block == "special":
        return say(describe_pattern(row.data["pattern"])) if "pattern" in row.data else ""
    return say(f"custom-rules.meaning.{row.block}")


def _describe_worth(row: EditableRow) -> str:
    """Return what a row gives: `4 · 8`, `×2`, `1,000 · 400`, or whether it is on."""
    switch = {"special": "played", "option": "default"}.get(row.block)
    if switch and not row.fields[switch]:
        return say("custom-rules.off")
    figures = [
        f"×{2**value}" if key == "doubles" and row.block != "two_players" else group_digits(value)
        for key, value in row.fields.items()
        if type(value) is int
    ]
    if row.block == "limit" and not figures:
        return say("begin.limit-off")
    return " · ".join(figures) or say("custom-rules.on")


def row_fields(row: EditableRow, inputs: Mapping[str, str]) -> tuple[RowField, ...]:
    """Return the fields of a row's form, with what was typed if anything was."""
    return tuple(_row_field(row, key, inputs.get(key)) for key in row.fields)


def _row_field(row: EditableRow, key: str, input_text: str | None) -> RowField:
    return RowField(
        key,
        _field_label(row, key),
        shown_value(row, key) if input_text is None else input_text,
        ROW_KEYS[row.block][key].kind,
        tuple((each, say(f"custom-rules.claim.{each}")) for each in LAST_TILES)
        if key == "claim"
        else (),
    )


def _field_label(row: EditableRow, key: str) -> str:
    own_key = f"custom-rules.field.{row.block}.{key}"
    return say(own_key) if is_said(own_key) else say(f"custom-rules.field.{key}")


def shown_value(row: EditableRow, key: str) -> str:
    """Return what a field shows of the file; a sentence that is translated stands as it is said."""
    value = row.fields[key]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if key == "sentence" and value:
        return say(rule_text(row.sentence))
    return "" if value is None else str(value)


def is_own_special(row: EditableRow, rules: Ruleset) -> bool:
    """Whether a row is a special hand that the shipped ruleset of the same game does not have."""
    shipped_ids = {each.id for each in load_builtin(rules.name).every_special}
    return row.block == "special" and not row.is_new and row.id not in shipped_ids


def say_row_fault(text: str, row: EditableRow, fault: Message) -> str:
    """Return what is wrong with a text in which a row was changed.

    What is wrong with the row is said by the names of its form, anything else with its line.
    """
    lines = find_row_lines(text, row)
    if lines and fault.key == "ruleset-file.line" and fault.values["line"] not in lines:
        return say(fault)
    return say(_by_labels(row, fault))


def _by_labels(row: EditableRow, fault: Message) -> Message:
    value_name, reason = fault.values.get("what"), fault.values.get("why")
    if fault.key == "ruleset-file.line" and isinstance(value_name, Message):
        return _by_labels(row, value_name)
    if fault.key == "ruleset-file.pattern" and isinstance(reason, Message):
        return reason  # the form has one pattern
    key = fault.values.get("key")
    is_text = key in row.fields and ROW_KEYS[row.block][str(key)].kind == "text"
    if is_text and fault.key in ("ruleset-file.missing", "ruleset-file.wrong-value"):
        return message("custom-rules.empty-field", key=_field_label(row, str(key)))
    labels = {"key": _field_label(row, str(key))} if key in row.fields else {}
    inner = {"what": _by_labels(row, value_name)} if isinstance(value_name, Message) else {}
    return message(fault.key, **{**fault.values, **labels, **inner})


def show_pattern(text: str, rng: Random) -> ShownPattern | None:
    """Return what a pattern says and some hands of it at random; None for what is no pattern."""
    try:
        pattern = compile_pattern(text)
    except PatternError:
        return None
    hands = example_groups(pattern, SHOWN_HANDS, rng)
    shown_hands = tuple(tuple(group.tiles for group in hand) for hand in hands)
    return ShownPattern(say(describe_pattern(text)), shown_hands) if shown_hands else None


NOTATION_SAMPLES = (
    "4 pungs/kongs x, pair x",
    "x1-9, pung y, pair z",
    "x11, x2-9, each wind",
    "B1111, pair each B23468",
    "pung/kong xn, pung/kong yn, pung/kong zn, pung/kong any, pair any",
    "4 pungs/kongs B1579/DR, pair B1579/DR",
    "chow x, chow y, chow z, each wind, tile wind",
    "x1-9, pung dragon, pair wind; x1-9, pung wind, pair dragon",
)
"""Patterns that between them use nearly all of the notation."""


def explain_notation() -> tuple[tuple[str, str], ...]:
    """Return some patterns, and what each says."""
    return tuple((each, say(describe_pattern(each))) for each in NOTATION_SAMPLES)


def example_scores(row: EditableRow, before: Ruleset, after: Ruleset) -> ExampleScores | None:
    """Return the first hand in which a change of a row is seen, else the first of the row's hands.

    None for a row that no hand and no table shows.
    """
    shows = str(row.data["name"]) if row.block == "option" else row.block
    if scene := scene_of(shows):
        was, new_outcome = (describe_outcome(shows, rules) for rules in (before, after))
        return ExampleScores(None, was, new_outcome, scene)
    scored_examples = [
        _score_both(text, *(_switch_on(row, rules) for rules in (before, after)))
        for text in _example_texts(row, before, after)
    ]
    return next(
        (each for each in scored_examples if each.differs),
        scored_examples[0] if scored_examples else None,
    )


def _example_texts(row: EditableRow, before: Ruleset, after: Ruleset) -> Iterable[str]:
    if row.block == "limit":
        return DEAREST_HANDS[before.name], _DEAR_ORDINARY_HAND
    if row.block == "chows":
        return _chow_hands(row, before.name)
    if row.block == "two_players":
        return find_rule_example("BMJA-N02").hands
    if row.block == "special":
        return _special_examples(row, before, after)
    own_examples = row.data.get("examples", ())
    return (
        *own_examples,
        *(text for text in find_rule_example(row.id).hands if text not in own_examples),
    )


_DEAR_ORDINARY_HAND = "| [WEEEE] [DRRRR] C999 B666 B88 | F1234 won=loose"
"""A hand that is no special hand, above any usual limit."""

_CHOW_HANDS = (
    "B234 WNNN DRRR DGGG B88",
    "B234 B567 WNNN DRRR B88",
    "B123 B456 B789 WNNN B11",
    "B123 B345 B567 B789 WNN",
)
"""Hands of one chow, two, three and four."""


def _chow_hands(row: EditableRow, name: str) -> Iterable[str]:
    """Yield hands with chows, for each number of players."""
    for players in row.fields:
        for tiles in _CHOW_HANDS:
            yield f"| {tiles} | won=wall with={tiles[-3:-1]} players={players} rules={name}"


def _special_examples(row: EditableRow, before: Ruleset, after: Ruleset) -> tuple[str, ...]:
    """Return the examples of a special hand as it is now, or as it was where it is played no more.

    One that was changed is shown as it was, too.
    """
    specials_played = [rules.specials_by_id.get(row.id) for rules in (after, before)]
    return tuple(dict.fromkeys(text for each in specials_played if each for text in each.examples))


def _switch_on(row: EditableRow, rules: Ruleset) -> Ruleset:
    """Return the ruleset with the option on that a rule needs, so that its example shows it."""
    option = row.data.get("option") if row.block == "rule" else None
    is_known = option and any(each.name == option for each in rules.options)
    return rules.with_choices((f"{option}:on",)) if is_known else rules


def _score_both(text: str, before: Ruleset, after: Ruleset) -> ExampleScores:
    was, new_hand = _show(text, before), _show(text, after)
    return ExampleScores(new_hand or was, _total_text(was), _total_text(new_hand))


def _show(text: str, rules: Ruleset) -> ShownHand | None:
    """Return a hand with its score; None if these rules refuse it."""
    try:
        return show_hand(parse_hand(text), rules)
    except HandError:
        return None


def _total_text(shown_hand: ShownHand | None) -> str:
    return group_digits(shown_hand.total) if shown_hand else say("custom-rules.refused")
