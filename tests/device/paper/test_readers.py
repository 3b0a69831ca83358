"""Every kind of paper is the same in every PDF reader: the letters that it says, and their picture.

What is expected comes from what was handed to ReportLab, and from the font itself (by FreeType).
"""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from functools import cache

import numpy as np
import numpy.typing as npt
import pypdfium2
import pytest
from flask.testing import FlaskClient
from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfbase import pdfmetrics

from device.paper.fonts import paper_fonts
from tests.device.paper.conftest import KINDS, DrawnLetters
from tests.pdf_pages import Letter, letters_on
from tests.readers import (
    NEEDS_FONT,
    NEEDS_READERS,
    READERS,
    PdfReader,
    Picture,
    can_hide_poppler_data,
)

pytestmark = [pytest.mark.slow, NEEDS_FONT, NEEDS_READERS]

HALVES = "mat on A4"
"""Each sheet of it has all letters, and MuPDF does not read those beyond the sheet's edge."""

DOTS = 240
"""Per inch of the pictures: a letter of ten points is 33 pixels high."""

MIN_LIKENESS, MIN_MEAN_LIKENESS = 0.2, 0.75
"""Correlation with the font's own letters: of each (a blank has none), and of all in the mean.
On the card that is 0.89 to 0.94, and 0.09 with other letters of the card."""

FAINTEST_INK = 200
"""Of 255. What is lighter everywhere shows nothing."""

MAX_COMPARED = 80
"""Letters compared of a paper."""


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=[pytest.mark.prove] * (number % 2))
        for number, kind in enumerate(KINDS)
    ],
)
def test_a_paper_is_the_same_in_every_reader(
    client: FlaskClient, addresses: dict[str, str], drawn_letters: DrawnLetters, kind: str
) -> None:
    if not can_hide_poppler_data():
        pytest.skip("this system gives no process a view of the files of its own (unshare)")
    pdf = client.get(addresses[kind]).data
    for reader in READERS:
        check_paper(pdf, reader, drawn_letters, kind)


def check_paper(pdf: bytes, reader: PdfReader, drawn_letters: DrawnLetters, kind: str) -> None:
    """Hold that a reader reads the letters that were drawn, and shows them."""
    read, papers = Counter("".join(reader.text(pdf).split())), list(drawn_letters.values())
    if kind == HALVES:
        read, papers = Counter(set(read)), [Counter(set(letters)) for letters in papers]
    assert read in papers, f"{reader.name} reads other letters"
    assert set(read) & set("，。的一雀"), "the paper is Chinese"
    comparison = compare_letters(pdf, reader)
    assert [text for text, like in comparison.items() if like < MIN_LIKENESS] == [], reader.name
    assert np.mean(list(comparison.values())) > MIN_MEAN_LIKENESS, f"{reader.name} shows others"


def compare_letters(pdf: bytes, reader: PdfReader) -> dict[str, float]:
    """Return how like the font's own letters those in a picture of the first page are."""
    picture = reader.picture(pdf, DOTS)
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        pairs = [
            (letter.text, shown)
            for letter in letters_on(document[0], loose=False)
            if letter.text.isalpha() and not letter.text.encode("cp1252", "ignore")
            if (shown := cut_letter(letter, picture)).size
        ]
    return {text: likeness(shown, draw_letter(text)) for text, shown in pairs[:MAX_COMPARED]}


def cut_letter(letter: Letter, picture: Picture) -> Picture:
    """Return the part of a page's picture with a letter; nothing if it is off the page."""
    scale = DOTS / 72
    left, right = round(letter.left * scale), round(letter.right * scale)
    high, low = (len(picture) - round(edge * scale) for edge in (letter.top, letter.bottom))
    is_inside = high >= 0 and left >= 0 and low < picture.shape[0] and right < picture.shape[1]
    return picture[high:low, left:right] if is_inside else picture[:0]


def draw_letter(text: str) -> Picture:
    """Return the letter as FreeType draws it from the font's file."""
    picture = Image.new("L", (96, 96), 255)
    font = open_font(paper_fonts().find(text))
    ImageDraw.Draw(picture).text((12, 4), text, fill=0, font=font)
    return np.asarray(picture)


@cache
def open_font(name: str) -> ImageFont.FreeTypeFont:
    """Return a font by the name that ReportLab knows it by."""
    path = pdfmetrics.getFont(name).face.filename
    return ImageFont.truetype(path, 64, index=int(name.rpartition("-")[2]))


def likeness(picture: Picture, other: Picture) -> float:
    """Return the correlation of two pictures of one letter, each cut at its ink."""
    return float(np.corrcoef(_ink(picture).ravel(), _ink(other).ravel())[0, 1])


def _ink(picture: Picture) -> npt.NDArray[np.float64]:
    if not picture.size or picture.min() > FAINTEST_INK:
        return np.arange(576.0) % 2  # nothing is shown
    limit = (float(picture.min()) + 255) / 2  # thin strokes of small grey letters are faint
    rows, columns = (np.flatnonzero((picture < limit).any(axis)) for axis in (1, 0))
    cut = np.pad(
        picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], 1, constant_values=255
    )
    return np.asarray(Image.fromarray(cut).resize((24, 24), Image.Resampling.BOX), np.float64)
