"""What players are called: as it is kept and shown, and as it is compared."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from itertools import chain, count

MOST_MARKS = 3
"""Most combining marks on one letter: no script needs more, and a stack grows into other lines.
"""

_BLANK = "\u034f\u115f\u1160\u2800\u3164\uffa0"
"""Characters that count as letters or signs but show nothing."""

_LETTER_PARTS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d"})
"""Letters that Unicode does not divide into a letter and its mark, as lists place them."""


def tidy_name(text: str) -> str:
    r"""Return a text as it is stored and shown: normalised, with visible characters only.

    Letters and accents are combined (NFC). Needless spaces and invisible characters go: NUL,
    direction marks, half of a surrogate pair.

    >>> tidy_name("  Zoe\u0308 \t Ann\u202e\u200b "), tidy_name("\u200b\0")
    ('Zoë Ann', '')
    """
    words = unicodedata.normalize("NFC", text).split()
    visible_text = " ".join(filter(None, ("".join(_visible_characters(word)) for word in words)))
    return unicodedata.normalize(
        "NFC", visible_text
    )  # what stood between a letter and its accent is gone


def _visible_characters(word: str) -> Iterator[str]:
    marks = MOST_MARKS  # the first character must not be a mark
    for sign in word:
        if not sign.isprintable() or sign in _BLANK:
            continue
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        if marks <= MOST_MARKS:
            yield sign


def distinct_name(name: str, taken_names: Iterable[str]) -> str:
    """Return a name with the first number that tells it from those that are taken.

    >>> distinct_name("Autumn", ["autumn", "Autumn 2"]), distinct_name("Spring", ["Autumn"])
    ('Autumn 3', 'Spring')
    """
    used_names = {fold_name(each) for each in taken_names}
    numbered_names = (f"{name} {number}" for number in count(2))
    return next(
        each for each in chain((name,), numbered_names) if fold_name(each) not in used_names
    )


def fold_name(name: str) -> str:
    """Return a name for comparison: without case and letter width."""
    return unicodedata.normalize("NFKC", name).casefold()


def sort_key(name: str) -> tuple[str, str]:
    """Return the place of a name in a list: letters with accents stand with their letters.

    >>> sorted(["Zoë", "emma", "Élodie", "Łucja", "Eve"], key=sort_key)
    ['Élodie', 'emma', 'Eve', 'Łucja', 'Zoë']
    """
    folded_name = fold_name(name)
    return drop_accents(folded_name).translate(_LETTER_PARTS), folded_name


def drop_accents(text: str) -> str:
    """Return a text without the marks of its letters.

    >>> drop_accents("Dernière défausse")
    'Derniere defausse'
    """
    letters = unicodedata.normalize("NFKD", text)
    return "".join(each for each in letters if not unicodedata.combining(each))
