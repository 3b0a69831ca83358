"""The one way to read a whole number from words: in plain digits, and no more of them than count.

Python's own `int` also reads digits of other scripts, underlines, and thousands of digits, and
fails with more than 4,300 of them.
"""

from __future__ import annotations

import re

BEYOND = 10**18 - 1
"""The largest number that is read at all: no table, and no box, ever comes so far."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")


def whole(text: str, least: int = -BEYOND, most: int = BEYOND) -> int | None:
    """Return the whole number that a text is, if it is one from `least` to `most`.

    >>> whole("12"), whole(" -4 "), whole("12", 0, 10), whole("٣"), whole("1_000"), whole("9" * 99)
    (12, -4, None, None, None, None)
    """
    text = text.strip()
    if not _WHOLE.fullmatch(text):
        return None
    number = int(text)
    return number if least <= number <= most else None


def is_whole(value: object) -> bool:
    """Whether a value, as JSON has it, is such a number.

    >>> is_whole(12), is_whole(12.0), is_whole(True), is_whole(10**20)
    (True, False, False, False)
    """
    return isinstance(value, int) and not isinstance(value, bool) and -BEYOND <= value <= BEYOND
