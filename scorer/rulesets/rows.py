"""The rows of a ruleset's file that a table edits by forms: figures, switches and special hands.

A row is a block of the file, or a figure that stands by itself, such as the limit. What is typed is
put into the file as it is, so that the file's own check says what is wrong with it.

>>> from scorer.rulesets.files import load_builtin_text
>>> text = load_builtin_text("bmja")
>>> row = find_row(text, "rule-19")
>>> row.id, row.fields["doubles"]
('BMJA-D05', 1)
>>> find_row(change_row(text, row, {"doubles": "2"}), "rule-19").fields["sentence"]
"The season with the number of the player's seat doubles the score twice."
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Any, Literal, NamedTuple

from scorer.cache_sizes import MAX_CACHED_TABLES
from scorer.errors import error
from scorer.hand import RULESETS
from scorer.message import message
from scorer.parsing import MAX_PARSED_INT, parse_int
from scorer.rulesets.editing import TomlValue, add_block, remove_block, write_values
from scorer.rulesets.files import load_builtin_data
from scorer.rulesets.line_numbers import KeyPath, find_lines
from scorer.rulesets.reader import RulesetError, at_line
from scorer.rulesets.schema import LIMIT_KEYS
from scorer.rulesets.sentences import follow_figures, mend_sentence
from scorer.unseen_signs import remove_unseen_values

FieldValue = TomlValue | None
"""None for a figure or a sentence that the row does not have, and may have."""

FieldKind = Literal["figure", "switch", "text", "choice"]


class RowKey(NamedTuple):
    """A key that forms change, and what it means where the file does not have it."""

    kind: FieldKind
    default: FieldValue = None


_FIGURE, _TEXT = RowKey("figure"), RowKey("text", "")

ROW_KEYS: Mapping[str, Mapping[str, RowKey]] = {
    "rule": {
        **dict.fromkeys(("points", "exposed", "concealed", "doubles"), _FIGURE),
        "sentence": _TEXT,
    },
    "special": {
        "played": RowKey("switch", default=True),
        "name": _TEXT,
        "pattern": _TEXT,
        "concealed": RowKey("switch", default=False),
        "claim": RowKey("choice", "any"),
        **dict.fromkeys(("value", "fishing", "doubles"), _FIGURE),
        "sentence": RowKey("text"),
    },
    "option": {"default": RowKey("switch", default=False)},
    "chows": dict.fromkeys(("2", "3", "4", "5"), _FIGURE),
    "kong_box": dict.fromkeys(("2", "3", "4", "5"), _FIGURE),
    "payments": dict.fromkeys(("tallies", "misnamed", "false_mah_jong"), _FIGURE),
    "two_players": dict.fromkeys(("doubles", "points"), _FIGURE),
    "limit": dict.fromkeys(LIMIT_KEYS, _FIGURE),
}
"""The keys of each block that forms change, in the order of the forms."""

NEW_SPECIAL = "special-new"
"""What names the special hand that a form adds."""

_NEW_SPECIAL_KEYS = ("name", "pattern", "concealed", "claim", "value", "fishing", "sentence")


@dataclass(frozen=True, slots=True)
class EditableRow:
    """One row as the file has it."""

    address: str
    """What names it in a form: its block and, where there are many, its place in the file."""
    block: str
    path: KeyPath
    data: Mapping[str, Any]

    @property
    def id(self) -> str:
        """The rule that it is about; empty for a figure that stands by itself."""
        return str(self.data.get("id", self.data.get("rule", "")))

    @property
    def sentence(self) -> str:
        """The sentence of a rule or hand; a shipped one has the figures that the file gives it."""
        games = RULESETS if self.block == "rule" else ()
        shipped_rows = (each for game in games for each in load_builtin_data(game)["rule"])
        return mend_sentence(self.data, shipped_rows)

    @property
    def is_new(self) -> bool:
        """Whether the file does not have it yet."""
        return self.address == NEW_SPECIAL

    @property
    def fields(self) -> dict[str, FieldValue]:
        """The figures, switches and words that a form changes, by their keys."""
        hidden_keys = ("pattern", "claim") if "variants" in self.data else ()
        known_keys = {*self.data, *self._keys_to_add()}
        return {
            key: self.data.get(key, found.default)
            for key, found in ROW_KEYS[self.block].items()
            if key in known_keys and key not in hidden_keys
        }

    def _keys_to_add(self) -> Collection[str]:
        """Return the keys that a form may add to the row."""
        if self.block == "payments":
            return ROW_KEYS["payments"]
        if self.block != "special":
            return ()
        if self.is_new:
            return _NEW_SPECIAL_KEYS
        of_a_pattern = ("concealed", "claim", "sentence") if "pattern" in self.data else ()
        fishing = ("fishing",) if of_a_pattern and "value" in self.data else ()
        return ("played", *of_a_pattern, *fishing)


@lru_cache(maxsize=MAX_CACHED_TABLES)
def list_rows(text: str) -> tuple[EditableRow, ...]:
    """Return every row of a text that is a ruleset, in the order of the forms."""
    return tuple(_read_rows(remove_unseen_values(tomllib.loads(text))))


def _read_rows(data: Mapping[str, Any]) -> Iterator[EditableRow]:
    yield EditableRow("limit", "limit", (), {key: data.get(key) for key in LIMIT_KEYS})
    for block in ("payments", "chows", "two_players", "kong_box"):
        if block in data:
            yield EditableRow(block.replace("_", "-"), block, (block,), data[block])
    for block in ("rule", "special", "option"):
        for place, row in enumerate(data.get(block, ())):
            yield EditableRow(f"{block}-{place}", block, (block, place), row)


def find_row(text: str, address: str) -> EditableRow | None:
    """Return the row that a form names so; None if there is none."""
    if address == NEW_SPECIAL:
        return new_specials(text, 1)[0]
    return next((row for row in list_rows(text) if row.address == address), None)


def new_specials(text: str, count: int) -> tuple[EditableRow, ...]:
    """Return rows for `count` new special hands, in the order in which they are added."""
    first = sum(row.block == "special" for row in list_rows(text))
    places = range(first, first + count)
    return tuple(EditableRow(NEW_SPECIAL, "special", ("special", place), {}) for place in places)


def find_changed_row(text: str, row: EditableRow) -> EditableRow | None:
    """Return a row in a text in which it was changed or added; None if that text lacks it."""
    return find_row(text, f"special-{row.path[-1]}" if row.is_new else row.address)


def change_row(text: str, row: EditableRow, inputs: Mapping[str, str]) -> str:
    """Return the text with what was typed into fields of a row; an empty figure is taken out.

    Raises RulesetError for a file that writes the row in a way that forms cannot change.
    """
    return change_rows(text, [(row, inputs)])


def change_rows(text: str, changes: Iterable[tuple[EditableRow, Mapping[str, str]]]) -> str:
    """Return the text with what was typed into some rows; new rows are added in this order."""
    read = [(row, read_typed(row, typed)) for row, typed in changes]
    values = {
        (*row.path, key): value
        for row, new in read
        for key, value in new.items()
        if key in row.data or value != _default(row, key)
    }
    try:
        new_text = text
        for row, _ in read:
            if row.is_new:
                new_text = add_block(new_text, "special", {"id": _free_id(new_text)})
        new_text = write_values(new_text, values)
        wrong = (row for row, new in read if not _says(find_changed_row(new_text, row), new))
        unchanged_value = next(wrong, None)
    except (KeyError, ValueError):  # the block stands in one line, or under another key
        unchanged_value = read[0][0]
    if unchanged_value:
        sentence = at_line(
            find_lines(text).find_line(unchanged_value.path), message("ruleset-file.laid-out")
        )
        raise RulesetError((error("laid-out", sentence),))
    return new_text


def _says(row: EditableRow | None, new: Mapping[str, FieldValue]) -> bool:
    return row is not None and all(
        row.data.get(key, _default(row, key)) == value for key, value in new.items()
    )


def read_typed(row: EditableRow, inputs: Mapping[str, str]) -> dict[str, FieldValue]:
    """Return the values that a form's inputs give the fields of a row.

    A sentence that nobody edited gets the new figures if it has the old ones in the usual words.
    A new pattern removes the sentence.
    """
    keys = ROW_KEYS[row.block]
    new = {key: _parse(keys[key], inputs[key]) for key in row.fields if key in inputs}
    if row.block == "rule" and new.get("sentence") in (None, row.data["sentence"]):
        new["sentence"] = follow_figures(row.data, new)
    if new.get("pattern", row.data.get("pattern")) != row.data.get("pattern"):
        new |= _drop_what_shows_the_old_pattern(row, new)
    return new


def find_row_lines(text: str, row: EditableRow) -> range | None:
    """Return the lines of a row in a text; None where they cannot be told."""
    try:
        lines = find_lines(text)
        return lines.find_block(row.path) if row.path else lines.find_statement((row.block,))
    except (KeyError, ValueError):  # the block stands in one line, or under another key
        return None


def remove_row(text: str, row: EditableRow) -> str:
    """Return the text without a row, which is a block of its own."""
    return remove_block(text, row.path)


def _default(row: EditableRow, key: str) -> FieldValue:
    keys = ROW_KEYS[row.block]
    return keys[key].default if key in keys else None


def _drop_what_shows_the_old_pattern(
    row: EditableRow, new: Mapping[str, FieldValue]
) -> dict[str, FieldValue]:
    """Return the keys that go with the pattern that they are about."""
    old = row.data.get("sentence")
    stale = ["examples", "misses"] + ["sentence"] * (old is not None and new.get("sentence") == old)
    return dict.fromkeys(stale)


def _free_id(text: str) -> str:
    """Return an id for a special hand of the table's own that no row of the file has."""
    used_ids = {row.id for row in list_rows(text)}
    return next(each for each in (f"OURS-{number}" for number in count(1)) if each not in used_ids)


def _parse(key: RowKey, typed_text: str) -> FieldValue:
    """Return what was typed as a value of the file, words included that should be a figure."""
    if key.kind == "switch":
        return typed_text == "yes"
    if key.kind != "figure":
        return typed_text or key.default
    number = parse_int(typed_text, -MAX_PARSED_INT, MAX_PARSED_INT)
    return number if number is not None else typed_text or None
