"""What a printer makes of a PDF."""

from __future__ import annotations

import base64
import re
import zlib
from contextlib import closing, suppress
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pypdfium2

MM = 25.4 / 72
"""Of a point, PDF's unit."""


def rendered(pdf: bytes, scale: float) -> list[npt.NDArray[np.uint8]]:
    """Return each page (height, width, 3) in RGB, at so many pixels a millimetre."""
    document = pypdfium2.PdfDocument(pdf)
    pages = [np.asarray(page.render(scale=scale * MM).to_pil().convert("RGB")) for page in document]
    document.close()
    return pages


def sizes(pdf: bytes) -> list[tuple[float, float]]:
    """Return the pages' widths and heights, millimetres."""
    document = pypdfium2.PdfDocument(pdf)
    found = [(width * MM, height * MM) for width, height in (p.get_size() for p in document)]
    document.close()
    return found


def smallest_letters(pdf: bytes) -> float:
    """Return the size of the smallest letters, in points."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        texts = [page.get_textpage() for page in document]
        found = [
            float(pypdfium2.raw.FPDFText_GetFontSize(text, number))
            for text in texts
            for number in range(text.count_chars())
            if text.get_text_range(number, 1).strip()
        ]
    return min(found)


def text_of(pdf: bytes) -> list[str]:
    """Return the words of each page."""
    document = pypdfium2.PdfDocument(pdf)
    found = [str(page.get_textpage().get_text_range()) for page in document]
    document.close()
    return found


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter on a page, with its edges in points from the page's bottom left."""

    text: str
    left: float
    bottom: float
    right: float
    top: float


def letters_on(page: pypdfium2.PdfPage) -> list[Letter]:
    """Return where the letters of a page stand, by the widths in the PDF; no font is needed."""
    text = page.get_textpage()
    return [
        Letter(text.get_text_range(at, 1), *text.get_charbox(at, loose=True))
        for at in range(text.count_chars())
    ]


def letters_of(pdf: bytes) -> str:
    """Return all letters in the order in which they are drawn, whatever founts this machine has.

    pdfium, which `text_of` asks, passes over letters of a fount that is in no file and not
    installed.
    """
    encodings = {
        name[1]: "utf-16-be" if b"UCS2" in found else "cp1252"
        for found in _FOUNT.findall(pdf)
        if (name := re.search(rb"/Name /(F\d+)", found))
    }
    letters, fount = "", b""
    for stream in _STREAM.findall(pdf):
        with suppress(zlib.error, ValueError):  # of a picture
            for name, drawn in _DRAWN.findall(zlib.decompress(base64.a85decode(stream))):
                fount = name or fount
                letters += _ESCAPED.sub(_unescaped, drawn).decode(encodings.get(fount, "cp1252"))
    return letters


_FOUNT = re.compile(rb"<<(?:(?!>>).)*?/BaseFont(?:(?!endobj).)*?endobj", re.DOTALL)
_STREAM = re.compile(rb"stream\r?\n(.*?)~>\s*endstream", re.DOTALL)
_DRAWN = re.compile(rb"/(F\d+) [\d.]+ Tf|\(((?:[^()\\]|\\.)*)\) Tj", re.DOTALL)
_ESCAPED = re.compile(rb"\\(\d{3}|.)", re.DOTALL)


def _unescaped(found: re.Match[bytes]) -> bytes:
    said = found[1]
    if len(said) == 3:
        return bytes([int(said, 8)])
    return {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}.get(said, said)
