"""Read whole numbers from text that people or programs sent.

Python's `int` also accepts digits of other scripts and underscores, and fails above 4,300 digits.
"""

from __future__ import annotations

import re

MAX_PARSED_INT = 10**18 - 1
"""The largest number that is read; no score and no count comes near it."""

_DIGITS_PATTERN = re.compile(r"[+-]?[0-9]{1,18}")


def parse_int(
    text: str, minimum: int = -MAX_PARSED_INT, maximum: int = MAX_PARSED_INT
) -> int | None:
    """Return the whole number in a text; None unless it is one from `minimum` to `maximum`.

    >>> parse_int("12"), parse_int(" -4 "), parse_int("12", 0, 10)
    (12, -4, None)
    >>> parse_int("٣"), parse_int("1_000"), parse_int("9" * 99)
    (None, None, None)
    """
    text = text.strip()
    if not _DIGITS_PATTERN.fullmatch(text):
        return None
    number = int(text)
    return number if minimum <= number <= maximum else None


def is_safe_int(value: object) -> bool:
    """Return whether a JSON value is a whole number that `parse_int` would read.

    >>> is_safe_int(12), is_safe_int(12.0), is_safe_int(True), is_safe_int(10**20)
    (True, False, False, False)
    """
    return (
        isinstance(value, int)
        and not isinstance(value, bool)
        and -MAX_PARSED_INT <= value <= MAX_PARSED_INT
    )
