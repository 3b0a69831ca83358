"""Players' names: kept apart from the page's texts, cleaned and compared."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

_OF_ONE = ("winner", "player", "payer", "by")
_OF_SEVERAL = ("scores", "amounts", "hands")
_PAIRS = "names"
"""The field with old names and new ones."""


class Name(str):
    """A player's name. It is never translated, though somebody may well be called West."""

    __slots__ = ()


def with_names(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event's data with players' names as `Name`."""
    named = dict(data)
    for field in _OF_ONE:
        if isinstance(named.get(field), str):
            named[field] = Name(named[field])
    for field in _OF_SEVERAL:
        if isinstance(named.get(field), Mapping):
            named[field] = {Name(name): value for name, value in named[field].items()}
    if isinstance(named.get(_PAIRS), Mapping):
        named[_PAIRS] = {Name(old): Name(new) for old, new in named[_PAIRS].items()}
    return named


MOST_MARKS = 3
"""Most combining marks on one letter: no script needs more, and a stack grows into other lines.
"""

_BLANK = "\u034f\u115f\u1160\u2800\u3164\uffa0"
"""Characters that count as letters or signs but show nothing."""


def tidied(text: str) -> str:
    r"""Return a text as it is stored and shown: normalised, with visible characters only.

    Letters and accents are combined (NFC). Needless spaces and invisible characters go: NUL,
    direction marks, half of a surrogate pair.

    >>> tidied("  Zoe\u0308 \t Ann\u202e\u200b "), tidied("\u200b\0")
    ('Zoë Ann', '')
    """
    words = unicodedata.normalize("NFC", text).split()
    seen = " ".join(filter(None, ("".join(_seen(word)) for word in words)))
    return unicodedata.normalize("NFC", seen)  # what stood between a letter and its accent is gone


def _seen(word: str) -> Iterator[str]:
    marks = MOST_MARKS  # the first character must not be a mark
    for sign in word:
        if not sign.isprintable() or sign in _BLANK:
            continue
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        if marks <= MOST_MARKS:
            yield sign


def folded(name: str) -> str:
    """Return a name for comparison: without case and letter width."""
    return unicodedata.normalize("NFKC", name).casefold()
