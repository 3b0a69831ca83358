"""The rows of a ruleset's file that a table edits by forms: figures, switches and special hands.

A row is a block of the file, or a figure that stands by itself, such as the limit. What is typed is
put into the file as it is, so that the file's own check says what is wrong with it.

>>> from scorer.rulesets.builtin import load_builtin_text
>>> text = load_builtin_text("bmja")
>>> row = find_row(text, "rule-19")
>>> row.id, row.fields["doubles"]
('BMJA-D05', 1)
>>> find_row(change_row(text, row, {"doubles": "2"}), "rule-19").fields["sentence"]
"The season with the number of the player's seat doubles the score twice."
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorer.errors import error
from scorer.message import plain_text
from scorer.parsing import MAX_PARSED_INT, parse_int
from scorer.rulesets.editing import TomlValue, write_values
from scorer.rulesets.line_numbers import KeyPath, Lines
from scorer.rulesets.reader import RulesetError

FIGURE_KEYS = {
    "rule": ("points", "exposed", "concealed", "doubles"),
    "special": ("value", "fishing", "doubles"),
    "option": (),
    "chows": ("2", "3", "4", "5", "goulash"),
    "two_players": ("doubles", "points"),
    "limit": ("limit",),
}
"""The figures of each block that a form changes."""

SWITCH_KEYS = {"special": "played", "option": "default"}
TEXT_KEYS = {"rule": ("sentence",), "special": ("name",)}

FieldValue = TomlValue | None
"""None for a figure that the row does not have, and may have."""


@dataclass(frozen=True, slots=True)
class EditableRow:
    """One row as the file has it."""

    at: str
    """What names it in a form: its block and, where there are many, its place in the file."""
    block: str
    path: KeyPath
    data: Mapping[str, Any]

    @property
    def id(self) -> str:
        """The rule that it is about; empty for a figure that stands by itself."""
        return str(self.data.get("id", self.data.get("rule", "")))

    @property
    def fields(self) -> dict[str, FieldValue]:
        """The figures, switches and words that a form changes, by their keys."""
        return dict(self._fields())

    def _fields(self) -> Iterator[tuple[str, FieldValue]]:
        switch = SWITCH_KEYS.get(self.block)
        if switch:
            yield switch, self.data.get(switch, True)
        for key in FIGURE_KEYS[self.block]:
            if key in self.data or (self.block, key) == ("limit", "limit"):
                yield key, self.data.get(key)
            elif key == "fishing" and "value" in self.data and "pattern" in self.data:
                yield key, None
        for key in TEXT_KEYS.get(self.block, ()):
            yield key, self.data.get(key)


def list_rows(text: str) -> Iterator[EditableRow]:
    """Yield every row of a text that is a ruleset, in the order of the forms."""
    data = tomllib.loads(text)
    yield EditableRow("limit", "limit", (), {"limit": data.get("limit")})
    for block in ("chows", "two_players"):
        if block in data:
            yield EditableRow(block.replace("_", "-"), block, (block,), data[block])
    for block in ("rule", "special", "option"):
        for place, row in enumerate(data.get(block, ())):
            yield EditableRow(f"{block}-{place}", block, (block, place), row)


def find_row(text: str, at: str) -> EditableRow | None:
    """Return the row that a form names so; None if there is none."""
    return next((row for row in list_rows(text) if row.at == at), None)


def change_row(text: str, row: EditableRow, typed: Mapping[str, str]) -> str:
    """Return the text with what was typed into fields of a row; an empty figure is taken out.

    A sentence that was left as it is follows the figures, where it says them in the usual words.
    Raises RulesetError for a file that writes the row in a way that forms cannot change.
    """
    new = {key: _parse(row, key, typed[key]) for key in row.fields if key in typed}
    if "sentence" in row.fields and new.get("sentence") in (None, row.data["sentence"]):
        new["sentence"] = _follow_figures(row, new)
    try:
        changed = write_values(text, {(*row.path, key): value for key, value in new.items()})
        found = find_row(changed, row.at)
    except (KeyError, ValueError):  # the block stands in one line, or under another key
        found = None
    if found is None or any(found.data.get(key) != value for key, value in new.items()):
        line = Lines(text).find_line(row.path)
        what = f"Line {line}: This is written in a way that only the file itself can change."
        raise RulesetError((error("laid-out", plain_text(what)),))
    return changed


def _parse(row: EditableRow, key: str, typed: str) -> FieldValue:
    """Return what was typed as a value of the file, words included that should be a figure."""
    if key == SWITCH_KEYS.get(row.block):
        return typed == "yes"
    if key in TEXT_KEYS.get(row.block, ()):
        return typed
    number = parse_int(typed, -MAX_PARSED_INT, MAX_PARSED_INT)
    return number if number is not None else typed or None


def _follow_figures(row: EditableRow, new: Mapping[str, FieldValue]) -> str:
    """Return the sentence of a row with the figures that it gives now."""
    sentence = str(row.data["sentence"])
    for key, pattern in _FIGURE_IN_SENTENCE.items():
        old, now = row.data.get(key), new.get(key)
        if isinstance(old, int) and isinstance(now, int) and old != now:
            said, says = (_say_times(old), _say_times(now)) if key == "doubles" else (old, now)
            sentence = re.sub(pattern.format(said), str(says), sentence, count=1)
    return sentence


_FIGURE_IN_SENTENCE = {
    "points": r"(?<=score )\b{0}\b|(?<=scores )\b{0}\b",
    "exposed": r"\b{0}(?= exposed)",
    "concealed": r"\b{0}(?= concealed)",
    "doubles": r"\b{0}\b",
}
"""Where a sentence says a figure: `scores 4`, `4 exposed`, `8 concealed`, `doubles once`."""


def _say_times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
