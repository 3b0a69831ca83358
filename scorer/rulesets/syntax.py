"""Explain the first error in a ruleset's file that is not valid TOML."""

from __future__ import annotations

import re
import tomllib

from scorer.rulesets.line_numbers import first_bad_statement

UNENDED = "Words must end with the quotation mark that they began with, on the same line."
UNCLOSED = "What begins here in brackets must end with its bracket, with commas between."
TWICE = "This already stands in the same place above: keep one of the two."

MEANINGS = (
    ("Expected '='", "A line must have a key, an equals sign and a value, such as points = 2."),
    (
        "Invalid value",
        'A value must be a number, true or false, words in "straight quotation marks", or a list '
        "in [brackets].",
    ),
    ("Expected newline", "Nothing may follow a value on its line, and no number may begin with 0."),
    ("Illegal character '\\n'", UNENDED),
    ("Found invalid character '\\n'", UNENDED),
    ("Unterminated string", UNENDED),
    ("Expected \"'", UNENDED),
    ("Unclosed", UNCLOSED),
    ("Cannot ", TWICE),
    ("Duplicate", TWICE),
    ("Expected ']", "A heading must be in brackets, such as [chows] or [[rule]]."),
)
"""Beginnings of `tomllib`'s messages, and plain explanations for people who edit rules."""

ON_A_LATER_LINE = ("Unterminated", "Expected \"'", "Unclosed")
"""Messages that name a line after the real mistake."""


def syntax_fault(text: str, failure: Exception) -> tuple[int, str]:
    """Return the line that `tomllib` failed to read, and what is wrong with it."""
    begun = first_bad_statement(text)
    if not isinstance(failure, tomllib.TOMLDecodeError):
        return begun, "This is too long a number, or has too many brackets, to be read."
    reason = re.sub(r" \(at [^()]*\)$", "", str(failure))
    place = re.search(r"\(at line (\d+), [^()]*\)$", str(failure))
    line = int(place[1]) if place else text.rstrip().count("\n") + 1
    meanings = (meaning for start, meaning in MEANINGS if reason.startswith(start))
    message = next(meanings, f"This is not written as TOML must be: {reason}.")
    return (begun if reason.startswith(ON_A_LATER_LINE) else line), message
