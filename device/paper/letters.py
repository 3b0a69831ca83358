"""Say which letters a paper can show, and in which font.

Western letters are in Helvetica, which every PDF reader has. Others come from a font that is found
on this computer, and are embedded. A letter that no font has is printed as its number in Unicode.
So is a letter that must be joined to its neighbours, as in Arabic. Thus no two names print alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import groupby

from device.paper.fonts import has_letter, paper_fonts

_NUMBER_MARKS = "‹›"
"""Around the number of a letter that cannot be printed. They get numbers themselves."""

_SPACES = str.maketrans("\u202f", "\xa0")
"""The narrow space of French texts. Names have no such space (`device.i18n.names.tidied`)."""

_SCRIPTS_WITHOUT_JOINING = (
    "LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "GEORGIAN", "CJK", "IDEOGRAPHIC", "BOPOMOFO",
    "HIRAGANA", "KATAKANA", "HANGUL SYLLABLE", "FULLWIDTH", "HALFWIDTH", "MODIFIER",
)  # fmt: skip
"""How Unicode's names begin for letters that stand by themselves, from left to right."""

_LAST_CODE_POINT = 0xFFFF
"""ReportLab 5.1 writes a higher one into its table for copying and searching cut short."""


def make_printable(words: str) -> str:
    """Return words with a number for each letter that cannot be printed.

    What comes out differs wherever two words do.

    >>> make_printable("Łukasz, Zoë – ش, ‹")
    'Łukasz, Zoë – ‹634›, ‹2039›'
    """
    printable = "".join(map(_printable_form, words.translate(_SPACES)))
    return printable.replace("›‹", " ")


def find_lost(texts: Iterable[str]) -> dict[str, str]:
    """Return what cannot be printed as it is written, each with what is printed for it."""
    forms = {text: make_printable(text) for text in texts}
    return {text: form for text, form in forms.items() if form != text.translate(_SPACES)}


def split_by_font(words: str, western: str) -> Iterator[tuple[str, str]]:
    """Yield runs of printable words, each with its font: a western one, or one that is embedded.

    A word with a letter such as `ł` is in one font, for two would look like a mistake.
    """
    fonts = (
        font_letter
        for word in re.split(r"(\s+)", make_printable(words))
        for font_letter in _letter_fonts(word, western)
    )
    for font, letters in groupby(fonts, key=lambda font_letter: font_letter[0]):
        yield font, "".join(letter for _, letter in letters)


def _letter_fonts(word: str, western: str) -> Iterator[tuple[str, str]]:
    narrow = filter(_is_narrow, word)
    embedded_font = next(
        (paper_fonts().find(letter) for letter in narrow if not _is_western(letter)), ""
    )
    for letter in word:
        if embedded_font and has_letter(embedded_font, letter):
            yield embedded_font, letter
        else:
            yield western if _is_western(letter) else paper_fonts().find(letter), letter


def _is_narrow(letter: str) -> bool:
    return letter.isalpha() and unicodedata.east_asian_width(letter) not in "WF"


def _printable_form(letter: str) -> str:
    if _is_printable(letter):
        return letter
    return f"{_similar_letter(letter)}‹{ord(letter):X}›"


def _is_printable(letter: str) -> bool:
    if letter in _NUMBER_MARKS:
        return False
    return _is_western(letter) or (_stands_alone(letter) and bool(paper_fonts().find(letter)))


def _is_western(letter: str) -> bool:
    return bool(letter.encode("cp1252", "ignore"))


def _stands_alone(letter: str) -> bool:
    """Return whether a letter looks the same beside any other."""
    if ord(letter) > _LAST_CODE_POINT:
        return False
    if unicodedata.category(letter).startswith("L"):
        return unicodedata.name(letter, "").startswith(_SCRIPTS_WITHOUT_JOINING)
    return unicodedata.category(letter)[0] in "NPSZ" and unicodedata.bidirectional(letter) not in (
        "R", "AL", "AN",
    )  # fmt: skip


def _similar_letter(letter: str) -> str:
    """Return the letter without its accents if that can be printed, else nothing.

    >>> _similar_letter("Đ"), _similar_letter("麻")
    ('D', '')
    """
    base, accents, _ = unicodedata.name(letter, "").partition(" WITH ")
    try:
        similar = unicodedata.lookup(base) if accents else ""
    except KeyError:
        return ""
    return similar if similar and _is_printable(similar) else ""
