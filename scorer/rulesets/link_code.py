"""Put a custom ruleset into the short text of a QR code, as what forms change of its game.

A code holds no file but what was typed into the forms of a shipped ruleset: so it stays short, and
a box with newer wording still reads it. It has capital letters and digits alone, which a QR code
packs closest. What forms cannot change does not go into a code.

>>> ours = load_builtin_text("bmja").replace("limit = 1000", "limit = 500", 1)
>>> ours = stamp(ours, title="Our rules", author="Ann", version=2)
>>> read_link_code(write_link_code(ours)).text == ours
True
"""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count

from scorer.errors import error
from scorer.hand import RULESETS
from scorer.message import message, to_english
from scorer.rulesets.custom import compute_digest, read_custom_ruleset, stamp
from scorer.rulesets.editing import write_values
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.reader import RulesetError
from scorer.rulesets.rows import (
    NEW_SPECIAL,
    EditableRow,
    FieldValue,
    change_rows,
    list_rows,
    read_typed,
)
from scorer.rulesets.schema import MAX_RULESET_VERSION

CODE_FORMAT = 1
"""The newest form of codes that this program reads."""

MAX_UNPACKED_BYTES = 20_000
"""Limit of what a code unpacks to; a QR code of the largest size holds less than a tenth of it."""

_FormInput = dict[str, str]


class NoCodeError(ValueError):
    """Raised for a ruleset that differs from its game by more than forms can change."""


@dataclass(frozen=True, slots=True)
class LinkedRules:
    """The ruleset in a code."""

    text: str
    """Its whole file, not yet checked."""
    is_exact: bool
    """Whether it has the digest of the ruleset that the code was made of."""


def key_rows(text: str) -> dict[str, EditableRow]:
    """Return the rows of a file by names that all versions of it share: `limit`, `BMJA-D05`."""
    counts = Counter[str]()
    rows: dict[str, EditableRow] = {}
    for row in list_rows(text):
        name = str(row.data["name"]) if row.block == "option" else row.id or row.block
        counts[name] += 1
        rows[name if counts[name] == 1 else f"{name}#{counts[name]}"] = row
    return rows


def write_link_code(text: str) -> str:
    """Return the code of a custom ruleset's file; raise NoCodeError for one that has none."""
    rules, digest = read_custom_ruleset(text), compute_digest(text)
    shipped_rows, custom_rows = key_rows(load_builtin_text(rules.name)), key_rows(text)
    changes = {key: _find_typed(shipped_rows.get(key), row) for key, row in custom_rows.items()}
    changes = {key: typed for key, typed in changes.items() if typed}
    title, author = to_english(rules.title), rules.author
    parts = [CODE_FORMAT, rules.name, title, author, rules.version, digest, changes]
    plain = json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()
    code = base64.b32encode(zlib.compress(plain, 9)).decode().rstrip("=")
    try:
        if read_link_code(code).is_exact:
            return code
    except RulesetError:
        pass
    raise NoCodeError(rules.name)


def read_link_code(code: str) -> LinkedRules:
    """Return the ruleset in a code; raise RulesetError for one that cannot be read.

    What it says is not checked here, but as the file that it makes.
    """
    try:
        packed_bytes = base64.b32decode(code.upper() + "=" * (-len(code) % 8))
        unpacking = zlib.decompressobj()
        plain = unpacking.decompress(packed_bytes, MAX_UNPACKED_BYTES)
        if not unpacking.eof:
            raise ValueError("it unpacks to too much")
        parts = json.loads(plain)
        json.dumps(parts, ensure_ascii=False).encode()  # half of a letter is none
        if parts[0] != CODE_FORMAT and isinstance(parts[0], int):
            raise _refuse("newer")
        _, game, title, author, version, digest, changes = parts
        if game not in RULESETS or not 0 <= int(version) <= MAX_RULESET_VERSION:
            raise ValueError("no such game or version")
        inputs = {key: {str(k): str(v) for k, v in row.items()} for key, row in changes.items()}
    except (
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        RecursionError,
        zlib.error,
    ) as failure:
        raise _refuse("damaged") from failure
    file_text = stamp(
        load_builtin_text(game), title=str(title), author=str(author), version=version
    )
    text = stamp(_change(file_text, inputs), title=str(title), author=str(author), version=version)
    return LinkedRules(text, compute_digest(text) == digest)


def _refuse(reason: str) -> RulesetError:
    return RulesetError((error("code", message(f"ruleset-code.{reason}")),))


def _change(text: str, inputs: Mapping[str, _FormInput]) -> str:
    """Return a shipped ruleset's file as these forms change it."""
    rows = key_rows(text)
    new = [key for key in inputs if key not in rows]
    if any("pattern" not in inputs[key] for key in new):
        raise _refuse("unknown-row")  # not a special hand, but a rule that this box does not have
    numbers = count(sum(row.block == "special" for row in rows.values()))
    new_rows = {
        key: EditableRow(NEW_SPECIAL, "special", ("special", next(numbers)), {}) for key in new
    }
    text = change_rows(text, [(new_rows.get(key) or rows[key], inputs[key]) for key in inputs])
    return write_values(text, {(*row.path, "id"): key for key, row in new_rows.items()})


def _find_typed(shipped_row: EditableRow | None, custom_row: EditableRow) -> _FormInput:
    """Return what was typed into the form of a row that makes it what it is now."""
    if shipped_row is None:
        before = EditableRow(NEW_SPECIAL, custom_row.block, (), {})
        fields = custom_row.fields if custom_row.block == "special" else before.fields
        return {k: _type(v) for k, v in fields.items() if v != before.fields.get(k)}
    inputs = {k: _type(v) for k, v in custom_row.fields.items() if v != shipped_row.fields.get(k)}
    other_inputs = {k: v for k, v in inputs.items() if k != "sentence"}
    follows = read_typed(shipped_row, other_inputs).get("sentence") == custom_row.data.get(
        "sentence"
    )
    return other_inputs if follows and other_inputs else inputs


def _type(value: FieldValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
