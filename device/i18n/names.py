"""What players are called, kept apart from the words of the page."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

_OF_ONE = ("winner", "player", "payer", "by")
_OF_SEVERAL = ("scores", "amounts", "hands")
_PAIRS = "names"
"""Old names and new ones."""


class Name(str):
    """A player's name. It is never translated, though somebody may well be called West."""

    __slots__ = ()


def with_names(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event's data with the players' names in it as such."""
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
"""Marks on one letter: no script needs more, and a heap of them grows into the lines around."""


_BLANK = "\u034f\u115f\u1160\u2800\u3164\uffa0"
"""What counts as a letter or a sign, and shows nothing."""


def tidied(text: str) -> str:
    r"""Return what somebody wrote as it is kept and shown: in one form, of what can be seen alone.

    Letters and their accents are one sign where there is one (NFC); needless spaces go, and so does
    what nobody sees: NUL, what turns the reading direction round, half a sign.

    >>> tidied("  Zoe\u0308 \t Ann\u202e\u200b "), tidied("\u200b\0")
    ('Zoë Ann', '')
    """
    words = unicodedata.normalize("NFC", text).split()
    seen = " ".join(filter(None, ("".join(_seen(word)) for word in words)))
    return unicodedata.normalize("NFC", seen)  # what stood between a letter and its accent is gone


def _seen(word: str) -> Iterator[str]:
    marks = MOST_MARKS  # one needs a letter to stand on
    for sign in word:
        if not sign.isprintable() or sign in _BLANK:
            continue
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        if marks <= MOST_MARKS:
            yield sign


def folded(name: str) -> str:
    """Return a name as it is compared: `ann` is `Ann`, in letters of whichever width."""
    return unicodedata.normalize("NFKC", name).casefold()
