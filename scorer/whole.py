"""Read whole numbers from text that people or programs sent.

Python's `int` also accepts digits of other scripts and underscores, and fails above 4,300 digits.
"""

from __future__ import annotations

import re

BEYOND = 10**18 - 1
"""The largest number that is read; no score and no count comes near it."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")


def whole(text: str, least: int = -BEYOND, most: int = BEYOND) -> int | None:
    """Return the whole number in a text; None unless it is one from `least` to `most`.

    >>> whole("12"), whole(" -4 "), whole("12", 0, 10)
    (12, -4, None)
    >>> whole("٣"), whole("1_000"), whole("9" * 99)
    (None, None, None)
    """
    text = text.strip()
    if not _WHOLE.fullmatch(text):
        return None
    number = int(text)
    return number if least <= number <= most else None


def is_whole(value: object) -> bool:
    """Return whether a JSON value is a whole number that `parse_int` would read.

    >>> is_whole(12), is_whole(12.0), is_whole(True), is_whole(10**20)
    (True, False, False, False)
    """
    return isinstance(value, int) and not isinstance(value, bool) and -BEYOND <= value <= BEYOND
