"""Read a ruleset from its file, or report every fault in it by line.

>>> read_ruleset("= 4")
Traceback (most recent call last):
scorer.rulesets.reader.RulesetError: Line 1: This is not written as TOML must be: Invalid statement.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from scorer.errors import ScorerError, english_error, error
from scorer.message import Message, message
from scorer.ruleset import Ruleset
from scorer.rulesets.builder import build_ruleset
from scorer.rulesets.checks import Fault, FaultFinder, Faults, find_faults
from scorer.rulesets.line_numbers import find_bad_statement, find_lines
from scorer.rulesets.outside import find_outside_faults
from scorer.unseen_signs import find_unseen, remove_unseen_values

MAX_RULESET_BYTES = 10**6
"""Limit of a ruleset's file; the British rules take less than 40,000 bytes."""

BYTE_ORDER_MARK = "\ufeff"
"""Some editors write it at the start of a file."""


class RulesetError(ScorerError):
    """Raised for a file that is no ruleset; every message begins with its line number."""


def load_ruleset(path: Path) -> Ruleset:
    """Read a table's own ruleset from a file; raise RulesetError with every fault.

    Each sentence names the file.
    """
    try:
        return read_outside_ruleset(read_ruleset_file(path))
    except RulesetError as failure:
        problems = (
            replace(each, message=message("ruleset-file.file", path=str(path), what=each.message))
            for each in failure.problems
        )
        raise RulesetError(tuple(problems)) from failure


def read_ruleset_file(path: Path) -> str:
    """Read the text of a file; raise RulesetError if it cannot be a ruleset."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_RULESET_BYTES + 1)
    except OSError as failure:
        reason = (
            f"The file cannot be opened: {failure.strerror}. `tongbox rules` lists the rulesets "
            "that there are, and `tongbox rules NAME > FILE` makes a file of one."
        )
        raise RulesetError((english_error("no-file", reason),)) from failure
    if len(data) > MAX_RULESET_BYTES:
        reason = f"The file is over {MAX_RULESET_BYTES:,} bytes, too large for a ruleset."
        raise RulesetError((english_error("too-large", reason),))
    try:
        return data.decode()
    except UnicodeDecodeError as failure:
        raise not_utf_8(data, failure) from failure


def not_utf_8(data: bytes, failure: UnicodeDecodeError) -> RulesetError:
    """Return the error of a file whose bytes are no text."""
    line = data.count(b"\n", 0, failure.start) + 1
    return RulesetError((error("not-utf-8", at_line(line, message("ruleset-file.not-utf-8"))),))


def at_line(line: int, text: Message) -> Message:
    """Return a sentence about a line, counted from 1."""
    return message("ruleset-file.line", line=line, what=text)


def read_ruleset(text: str, find_more: FaultFinder | None = None) -> Ruleset:
    """Return the ruleset in a text; raise RulesetError with every fault.

    `find_more` finds faults that only some readers mind.
    """
    text = text.removeprefix(BYTE_ORDER_MARK)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as failure:  # all that tomllib raises
        raise RulesetError((error("syntax", find_syntax_fault(text, failure)),)) from failure
    faults = [*find_faults(data), *(find_more(data) if find_more else ())]
    if faults:
        raise _make_error(text, faults)
    return build_ruleset(remove_unseen_values(data))


def read_outside_ruleset(text: str, find_more: FaultFinder | None = None) -> Ruleset:
    """Return the ruleset in a text that comes from outside, as `read_ruleset` does.

    Raises RulesetError also for what is read of files that a box kept before, but taken no more.
    """
    signs = ((line, find_unseen(each)) for line, each in enumerate(text.split("\n"), 1))
    RulesetError.raise_for(
        error("wrong-value", at_line(line, message("ruleset-file.unseen-sign", sign=sign)))
        for line, sign in signs
        if sign
    )

    def find_all(data: Mapping[str, Any]) -> Faults:
        return chain(find_more(data) if find_more else (), find_outside_faults(data))

    return read_ruleset(text, find_all)


def _make_error(text: str, faults: Iterable[Fault]) -> RulesetError:
    lines = find_lines(text)
    fault_lines = sorted(
        ((lines.find_line(each.path), each) for each in faults), key=lambda pair: pair[0]
    )
    return RulesetError(
        tuple(error(each.code, at_line(line, each.message)) for line, each in fault_lines)
    )


SYNTAX_FAULTS = (
    ("Expected '='", "no-equals-sign"),
    ("Invalid value", "no-value"),
    ("Expected newline", "after-a-value"),
    ("Illegal character '\\n'", "unended-text"),
    ("Found invalid character '\\n'", "unended-text"),
    ("Unterminated string", "unended-text"),
    ("Expected \"'", "unended-text"),
    ("Unclosed", "unclosed-bracket"),
    ("Cannot ", "twice"),
    ("Duplicate", "twice"),
    ("Expected ']", "heading"),
)
"""Beginnings of `tomllib`'s messages, and the keys of sentences for people who edit rules."""

LATE_ERROR_TEXTS = ("Unterminated", "Expected \"'", "Unclosed")
"""Messages that name a line after the real mistake."""


def find_syntax_fault(text: str, failure: Exception) -> Message:
    """Return what is wrong with the line that `tomllib` failed to read."""
    statement = find_bad_statement(text)
    if not isinstance(failure, tomllib.TOMLDecodeError):
        return at_line(statement, message("ruleset-syntax.too-much"))
    reason = re.sub(r" \(at [^()]*\)$", "", str(failure))
    place = re.search(r"\(at line (\d+), [^()]*\)$", str(failure))
    line = int(place[1]) if place else text.rstrip().count("\n") + 1
    keys = (key for start, key in SYNTAX_FAULTS if reason.startswith(start))
    key = next(keys, "in-its-words")
    sentence = message(f"ruleset-syntax.{key}", reason=reason)
    return at_line(statement if reason.startswith(LATE_ERROR_TEXTS) else line, sentence)
