"""Put together English sentences that only terminals show.

>>> join_words(["East", "West", "North"])
'East, West and North'
"""

from __future__ import annotations

from collections.abc import Sequence


def join_words(words: Sequence[str]) -> str:
    """Join words with commas and `and`."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def capitalise(text: str) -> str:
    """Return the text with a capital first letter, the rest as it is."""
    return text[0].upper() + text[1:]
