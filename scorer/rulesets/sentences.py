"""Sentences of rules that say a figure, with another figure in its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

FIGURE_IN_SENTENCE = {
    "points": r"(?<=score )\b{0}\b|(?<=scores )\b{0}\b",
    "exposed": r"\b{0}(?= exposed)",
    "concealed": r"\b{0}(?= concealed)",
    "doubles": r"\b{0}\b",
}
"""Where a sentence says a figure: `scores 4`, `4 exposed`, `8 concealed`, `doubles once`."""


def follow_figures(row: Mapping[str, Any], new: Mapping[str, object]) -> str:
    """Return the sentence of a row with new figures, where it says the old ones as usual.

    >>> follow_figures({"sentence": "Each scores 4.", "points": 4}, {"points": 8})
    'Each scores 8.'
    """
    sentence = str(row["sentence"])
    for key, pattern in FIGURE_IN_SENTENCE.items():
        old, new_value = row.get(key), new.get(key)
        if isinstance(old, int) and isinstance(new_value, int) and old != new_value:
            old_text, says = (
                (_say_times(old), _say_times(new_value)) if key == "doubles" else (old, new_value)
            )
            sentence = re.sub(pattern.format(old_text), str(says), sentence, count=1)
    return sentence


def mend_sentence(row: Mapping[str, Any], shipped_rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a row's sentence; a shipped one follows figures that were changed in a file."""
    for usual in shipped_rows:
        if usual["id"] == row["id"] and usual["sentence"] == row["sentence"]:
            return follow_figures(usual, row)
    return str(row["sentence"])


def _say_times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
