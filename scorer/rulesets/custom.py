"""A custom ruleset: a table's own file, by which matches are played.

Besides what every ruleset needs, it must say whose game it changes, and leave alone what the box
reads tiles by. `stamp` writes who made it and which version it is; `compute_digest` tells two of
them apart.

>>> from scorer.rulesets.files import load_builtin_text
>>> ours = stamp(load_builtin_text("bmja"), title="Our rules", author="Ann", version=2)
>>> rules = read_custom_ruleset(ours)
>>> rules.name, rules.author, rules.version
('bmja', 'Ann', 2)
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from scorer.cache_sizes import MAX_CACHED_TABLES
from scorer.errors import NotationError, error
from scorer.hand import RULESETS
from scorer.message import message
from scorer.notation import parse_hand
from scorer.ruleset import Ruleset
from scorer.rulesets.checks import Fault, Faults, find_rows, quote
from scorer.rulesets.editing import write_values
from scorer.rulesets.files import load_builtin_data
from scorer.rulesets.line_numbers import KeyPath
from scorer.rulesets.reader import RulesetError, not_utf_8, read_outside_ruleset, read_ruleset
from scorer.rulesets.schema import RULESET_FORMAT, quote_words
from scorer.unseen_signs import remove_marks

STAMP_KEYS = ("author", "version", "digest", "format")
"""The keys that say where a file comes from, and nothing of its rules."""

DIGEST_CHARS = 16

MAX_CUSTOM_CHARS = 60_000
"""Limit of a custom ruleset's file without its stamp; each match keeps it. The British rules take
40,000."""

MAX_STAMP_CHARS = 300
"""Limit of what `stamp` adds: an author, not longer than a title, and three short keys."""


def decode_custom_file(data: bytes) -> str:
    """Return the text of a file; raise RulesetError if it is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as failure:
        raise not_utf_8(data, failure) from failure


def tidy_custom_text(text: str) -> str:
    """Return a text from outside as it is read: with plain line ends, without marks of no width.

    Raises RulesetError if it is too long.
    """
    text = remove_marks(text).replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_CUSTOM_CHARS + MAX_STAMP_CHARS:
        raise _too_long()
    return text if text.endswith("\n") else f"{text}\n"


def check_stamped_text(text: str) -> None:
    """Raise RulesetError for a stamped text that is too long to be kept.

    What is kept is brought back by anybody: so its stamp, which it gets anew, does not count.
    """
    if len(write_values(text, {(key,): None for key in STAMP_KEYS})) > MAX_CUSTOM_CHARS:
        raise _too_long()


def _too_long() -> RulesetError:
    text = message("ruleset-file.too-long", most=MAX_CUSTOM_CHARS)
    return RulesetError((error("too-large", text),))


@lru_cache(maxsize=MAX_CACHED_TABLES)
def read_custom_ruleset(text: str) -> Ruleset:
    """Return the custom ruleset in a text, the same object for the same text.

    Raises RulesetError with every fault.
    """
    return read_ruleset(text, find_custom_faults)


def read_new_ruleset(text: str) -> Ruleset:
    """Return the custom ruleset in a text that comes from outside; raise RulesetError."""
    return read_outside_ruleset(text, find_custom_faults)


def find_custom_faults(data: Mapping[str, Any]) -> Faults:
    """Yield what a ruleset of its own may say, but not one by which the box plays a match."""
    name = data.get("name")
    if name in RULESETS:
        yield from _find_changed_layings(data, name)
    elif isinstance(name, str):
        first, other = quote_words(RULESETS)
        text = message("ruleset-file.unknown-game", value=quote(name), first=first, other=other)
        yield Fault(("name",), "unknown-name", text)
    for block in ("rule", "special", "option", "elsewhere"):
        for at, row in find_rows(data, block):
            for key in ("examples", "misses"):
                yield from _find_bad_hands((*at, key), row.get(key))
    for at, row in find_rows(data, "special"):
        if "when" in row and "examples" not in row:  # its page shows the first
            yield Fault(at, "missing-key", message("ruleset-file.no-examples"))


def _find_changed_layings(data: Mapping[str, Any], name: str) -> Faults:
    if data.get("laying", []) != load_builtin_data(name).get("laying", []):
        text = message("ruleset-file.changed-layings", name=name)
        yield Fault(("laying",), "wrong-value", text)


def _find_bad_hands(path: KeyPath, texts: object) -> Faults:
    for text in texts if isinstance(texts, list) else ():
        try:
            parse_hand(text if isinstance(text, str) else "")
        except NotationError as failure:
            sentence = message(
                "ruleset-file.no-hand",
                key=str(path[-1]),
                value=quote(text),
                why=failure.problems[0].message,
            )
            yield Fault(path, "wrong-value", sentence)


@lru_cache(maxsize=MAX_CACHED_TABLES)
def compute_digest(text: str) -> str:
    """Return what identifies the rules of a file, however it is laid out and whoever made it."""
    data = tomllib.loads(text)
    rules = {key: value for key, value in data.items() if key not in STAMP_KEYS}
    plain = json.dumps(rules, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(plain.encode()).hexdigest()[:DIGEST_CHARS]


def stamp(text: str, *, title: str, author: str, version: int) -> str:
    """Return the file of a ruleset with its title, who made it, its version and its digest."""
    file_text = write_values(text, {("title",): title})
    return write_values(
        file_text,
        {
            ("author",): author or None,
            ("version",): version,
            ("digest",): compute_digest(file_text),
            ("format",): RULESET_FORMAT,
        },
    )
