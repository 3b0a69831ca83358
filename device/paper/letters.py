"""The letters of what is printed: western ones, and Chinese ones beside them.

Neither fount is in the file: every PDF reader brings Helvetica along, and the usual ones a fount
for traditional Chinese (Adobe's character collection CNS1), so a page stays as small as it is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import groupby
from xml.sax.saxutils import escape

from reportlab.lib import textsplit
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph
from reportlab.platypus import paragraph as paragraphs

CHINESE = "MSung-Light"
"""Of reportlab's founts that are in no file the one for traditional Chinese; it is never bold."""

_LIKE = str.maketrans("Łł−", "Ll–")
"""What looks nearly like a letter of the fount that is no part of it."""

_MAY_BREAK = ("zh",)
"""Languages that are written without spaces: a line may end behind any letter."""

pdfmetrics.registerFont(UnicodeCIDFont(CHINESE))

# reportlab knows the Japanese marks that begin no line; these are the Chinese ones besides.
for lines in (textsplit, paragraphs):
    lines.ALL_CANNOT_START += "，；：！？"


def printable(words: str) -> str:
    """Return the words in letters that the founts have, western and Chinese ones.

    Others lose their accents, or are a question mark: reportlab would print black squares.

    >>> printable("Łukasz Dvořák, Zoë – 麻 – ж")
    'Lukasz Dvorák, Zoë – 麻 – ?'
    """
    return "".join(map(_printable, words.translate(_LIKE)))


def _printable(letter: str) -> str:
    for form in (letter, unicodedata.normalize("NFKD", letter)[:1]):
        if _is_western(form) or _is_chinese(form):
            return form
    return "?"


def _is_western(letter: str) -> bool:
    return bool(letter.encode("cp1252", "ignore"))


def _is_chinese(letter: str) -> bool:
    """Whether a letter is of the Chinese fount alone: Big5 also has Greek and Cyrillic."""
    return unicodedata.east_asian_width(letter) in "WF" and bool(letter.encode("big5", "ignore"))


def _runs(words: str) -> Iterator[tuple[bool, str]]:
    """Yield the words piece by piece, each with whether it is Chinese."""
    for chinese, letters in groupby(printable(words), key=_is_chinese):
        yield chinese, "".join(letters)


def paragraph(words: str, style: ParagraphStyle, language: str) -> Paragraph:
    """Return the words as a paragraph in this style, broken into lines as the language is."""
    marked = "".join(
        f'<font name="{CHINESE}">{escape(run)}</font>' if chinese else escape(run)
        for chinese, run in _runs(words)
    )
    if language.startswith(_MAY_BREAK):
        style = ParagraphStyle(f"{style.name}-{language}", style, wordWrap="CJK")
    return Paragraph(marked, style)


def width_of(words: str, fount: str, size: float) -> float:
    """Return how wide the words are in letters of this size, points."""
    return float(
        sum(
            pdfmetrics.stringWidth(run, CHINESE if chinese else fount, size)
            for chinese, run in _runs(words)
        )
    )


def draw(
    canvas: Canvas, at: tuple[float, float], words: str, fount: tuple[str, float], left: float = 0.0
) -> None:
    """Write a line; `left` is the share of it that stands left of the place, 0 to 1.

    The place is in points, the fount a name and a size.
    """
    name, size = fount
    x = at[0] - left * width_of(words, name, size)
    for chinese, run in _runs(words):
        face = CHINESE if chinese else name
        canvas.setFont(face, size)
        canvas.drawString(x, at[1], run)
        x += pdfmetrics.stringWidth(run, face, size)
