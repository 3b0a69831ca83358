"""Fonts for western and Chinese letters.

No font is embedded, which keeps the files small. Every PDF reader has Helvetica, and the usual
ones have a font for traditional Chinese (Adobe's character collection CNS1).
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
"""reportlab's unembedded font for traditional Chinese; it has no bold face."""

_LIKE = str.maketrans("Łł−", "Ll–")
"""Replacements for letters that the western font lacks."""

_MAY_BREAK = ("zh",)
"""Languages written without spaces: a line may break after any letter."""

pdfmetrics.registerFont(UnicodeCIDFont(CHINESE))

# reportlab knows the Japanese marks that may not begin a line; add the Chinese ones.
for lines in (textsplit, paragraphs):
    lines.ALL_CANNOT_START += "，；：！？"


def printable(words: str) -> str:
    """Replace letters that neither font has.

    They lose their accents or become a question mark. reportlab would print black squares.

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
    """Return whether only the Chinese font has a letter: Big5 also has Greek and Cyrillic."""
    return unicodedata.east_asian_width(letter) in "WF" and bool(letter.encode("big5", "ignore"))


def _runs(words: str) -> Iterator[tuple[bool, str]]:
    """Yield runs of one script, each with whether it is Chinese."""
    for chinese, letters in groupby(printable(words), key=_is_chinese):
        yield chinese, "".join(letters)


def paragraph(words: str, style: ParagraphStyle, language: str) -> Paragraph:
    """Return the words as a paragraph with the line breaks of the language."""
    marked = "".join(
        f'<font name="{CHINESE}">{escape(run)}</font>' if chinese else escape(run)
        for chinese, run in _runs(words)
    )
    if language.startswith(_MAY_BREAK):
        style = ParagraphStyle(f"{style.name}-{language}", style, wordWrap="CJK")
    return Paragraph(marked, style)


def width_of(words: str, font: str, size: float) -> float:
    """Return the width of the words in points."""
    return float(
        sum(
            pdfmetrics.stringWidth(run, CHINESE if chinese else font, size)
            for chinese, run in _runs(words)
        )
    )


def draw(
    canvas: Canvas, at: tuple[float, float], words: str, font: tuple[str, float], left: float = 0.0
) -> None:
    """Write a line at a place in points; `left` is the share of it left of the place, 0 to 1.

    The font is a name and a size.
    """
    name, size = font
    x = at[0] - left * width_of(words, name, size)
    for chinese, run in _runs(words):
        face = CHINESE if chinese else name
        canvas.setFont(face, size)
        canvas.drawString(x, at[1], run)
        x += pdfmetrics.stringWidth(run, face, size)
