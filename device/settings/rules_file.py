"""Read a table's own ruleset from a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from scorer.errors import error
from scorer.hand import RULESETS
from scorer.message import plain_text
from scorer.ruleset import Ruleset
from scorer.rulesets.reader import RulesetError, read_ruleset

MAX_RULESET_BYTES = 10**6
"""Limit of a ruleset's file; the British rules take less than 30,000 bytes."""


def load_ruleset(path: Path) -> Ruleset:
    """Read the ruleset in a file; raise RulesetError with everything that is wrong with it.

    Each sentence names the file.
    """
    try:
        return read_ruleset(_read_text(path))
    except RulesetError as failure:
        problems = (
            replace(each, message=plain_text(f"{path}: {each.text}")) for each in failure.problems
        )
        raise RulesetError(tuple(problems)) from failure


def _read_text(path: Path) -> str:
    """Read the text of a file; raise RulesetError if it cannot be a ruleset."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_RULESET_BYTES + 1)
    except OSError as failure:
        message = (
            f"The file cannot be opened: {failure.strerror}. To make one: tongbox rules NAME > "
            f"FILE. NAME is {' or '.join(RULESETS)}."
        )
        raise RulesetError((error("no-file", plain_text(message)),)) from failure
    if len(data) > MAX_RULESET_BYTES:
        message = f"The file is over {MAX_RULESET_BYTES:,} bytes, too large for a ruleset."
        raise RulesetError((error("too-large", plain_text(message)),))
    try:
        return data.decode()
    except UnicodeDecodeError as failure:
        line = data.count(b"\n", 0, failure.start) + 1
        message = f"Line {line}: This is not UTF-8 text; save the file as UTF-8."
        raise RulesetError((error("not-utf-8", plain_text(message)),)) from failure
