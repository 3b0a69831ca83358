"""What a printer makes of a PDF."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt
import pypdfium2

MM = 25.4 / 72
"""Of a point, PDF's unit."""


def render_pages(pdf: bytes, scale: float, pages: int | None = None) -> list[npt.NDArray[np.uint8]]:
    """Return each page, or the first, (height, width, 3) in RGB, at so many pixels a millimetre."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        pictures = (page.render(scale=scale * MM) for page in islice(document, pages))
        return [np.asarray(picture.to_pil().convert("RGB")) for picture in pictures]


def sizes(pdf: bytes) -> list[tuple[float, float]]:
    """Return the pages' widths and heights, millimetres."""
    document = pypdfium2.PdfDocument(pdf)
    page_sizes = [(width * MM, height * MM) for width, height in (p.get_size() for p in document)]
    document.close()
    return page_sizes


def smallest_letters(pdf: bytes) -> float:
    """Return the size of the smallest letters, in points."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        texts = [page.get_textpage() for page in document]
        letter_sizes = [
            float(pypdfium2.raw.FPDFText_GetFontSize(text, number))
            for text in texts
            for number in range(text.count_chars())
            if text.get_text_range(number, 1).strip()
        ]
    return min(letter_sizes)


def text_of(pdf: bytes) -> list[str]:
    """Return the words of each page."""
    document = pypdfium2.PdfDocument(pdf)
    texts = [str(page.get_textpage().get_text_range()) for page in document]
    document.close()
    return texts


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter on a page, with its edges in points from the page's bottom left."""

    text: str
    left: float
    bottom: float
    right: float
    top: float


def letters_on(page: pypdfium2.PdfPage, *, loose: bool = True) -> list[Letter]:
    """Return where the letters of a page stand: by the widths in the PDF, or around their ink."""
    text = page.get_textpage()
    return [
        Letter(text.get_text_range(at, 1), *text.get_charbox(at, loose=loose))
        for at in range(text.count_chars())
    ]
