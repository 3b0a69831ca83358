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

_Typed = dict[str, str]


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
    seen = Counter[str]()
    rows: dict[str, EditableRow] = {}
    for row in list_rows(text):
        name = str(row.data["name"]) if row.block == "option" else row.id or row.block
        seen[name] += 1
        rows[name if seen[name] == 1 else f"{name}#{seen[name]}"] = row
    return rows


def write_link_code(text: str) -> str:
    """Return the code of a custom ruleset's file; raise NoCodeError for one that has none."""
    rules, digest = read_custom_ruleset(text), compute_digest(text)
    shipped, ours = key_rows(load_builtin_text(rules.name)), key_rows(text)
    changes = {key: _find_typed(shipped.get(key), row) for key, row in ours.items()}
    changes = {key: typed for key, typed in changes.items() if typed}
    title, author = to_english(rules.title), rules.author
    said = [CODE_FORMAT, rules.name, title, author, rules.version, digest, changes]
    plain = json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()
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
        packed = base64.b32decode(code.upper() + "=" * (-len(code) % 8))
        unpacking = zlib.decompressobj()
        plain = unpacking.decompress(packed, MAX_UNPACKED_BYTES)
        if not unpacking.eof:
            raise ValueError("it unpacks to too much")
        said = json.loads(plain)
        json.dumps(said, ensure_ascii=False).encode()  # half of a letter is none
        if said[0] != CODE_FORMAT and isinstance(said[0], int):
            raise _refuse("newer")
        _, game, title, author, version, digest, changes = said
        if game not in RULESETS or not 0 <= int(version) <= MAX_RULESET_VERSION:
            raise ValueError("no such game or version")
        typed = {key: {str(k): str(v) for k, v in row.items()} for key, row in changes.items()}
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, zlib.error) as why:
        raise _refuse("damaged") from why
    named = stamp(load_builtin_text(game), title=str(title), author=str(author), version=version)
    text = stamp(_change(named, typed), title=str(title), author=str(author), version=version)
    return LinkedRules(text, compute_digest(text) == digest)


def _refuse(why: str) -> RulesetError:
    return RulesetError((error("code", message(f"ruleset-code.{why}")),))


def _change(text: str, typed: Mapping[str, _Typed]) -> str:
    """Return a shipped ruleset's file as these forms change it."""
    rows = key_rows(text)
    new = [key for key in typed if key not in rows]
    if any("pattern" not in typed[key] for key in new):
        raise _refuse("unknown-row")  # not a special hand, but a rule that this box does not have
    at = count(sum(row.block == "special" for row in rows.values()))
    added = {key: EditableRow(NEW_SPECIAL, "special", ("special", next(at)), {}) for key in new}
    text = change_rows(text, [(added.get(key) or rows[key], typed[key]) for key in typed])
    return write_values(text, {(*row.path, "id"): key for key, row in added.items()})


def _find_typed(shipped: EditableRow | None, ours: EditableRow) -> _Typed:
    """Return what was typed into the form of a row that makes it what it is now."""
    if shipped is None:
        before = EditableRow(NEW_SPECIAL, ours.block, (), {})
        fields = ours.fields if ours.block == "special" else before.fields
        return {k: _type(v) for k, v in fields.items() if v != before.fields.get(k)}
    typed = {k: _type(v) for k, v in ours.fields.items() if v != shipped.fields.get(k)}
    without = {k: v for k, v in typed.items() if k != "sentence"}
    follows = read_typed(shipped, without).get("sentence") == ours.data.get("sentence")
    return without if follows and without else typed


def _type(value: FieldValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
