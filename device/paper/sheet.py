"""Typeset a sheet: title, lead and what stands below, on as many pages of A4 as needed."""

from __future__ import annotations

import io
from collections.abc import Iterable

from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate

from device.i18n.words import language, say
from device.paper.drawing import A4_PORTRAIT_MM, draw_text, make_paragraph

_MARGIN_MM = 18.0
TEXT_WIDTH_MM = A4_PORTRAIT_MM[0] - 2 * _MARGIN_MM - 12 / mm
"""Width of the text: between the margins, less reportlab's own padding."""

PLAIN_STYLE = ParagraphStyle("plain", fontName="Helvetica", fontSize=10, leading=13)
BOLD_STYLE = ParagraphStyle("bold", PLAIN_STYLE, fontName="Helvetica-Bold")
SMALL_STYLE = ParagraphStyle("small", PLAIN_STYLE, fontSize=8.5, leading=11, textColor="#444444")
_HEAD_STYLE = ParagraphStyle("head", BOLD_STYLE, fontSize=18, leading=24)


def print_sheet(title: str, lead: str, story: Iterable[Flowable]) -> bytes:
    """Return the sheet as PDF."""
    buffer = io.BytesIO()
    document = SimpleDocTemplate(
        buffer, pagesize=(A4_PORTRAIT_MM[0] * mm, A4_PORTRAIT_MM[1] * mm), title=title,
        lang=language(), leftMargin=_MARGIN_MM * mm, rightMargin=_MARGIN_MM * mm,
        topMargin=_MARGIN_MM * mm, bottomMargin=_MARGIN_MM * mm, invariant=True,
    )  # fmt: skip
    head = [paragraph(title, _HEAD_STYLE), paragraph(lead, SMALL_STYLE)]
    document.build([*head, *story], onFirstPage=_draw_page_number, onLaterPages=_draw_page_number)
    return buffer.getvalue()


def paragraph(words: str, style: ParagraphStyle) -> Paragraph:
    """Return the words with the line breaks of the language in use."""
    return make_paragraph(words, style, language())


def _draw_page_number(canvas: Canvas, document: SimpleDocTemplate) -> None:
    number = say("paper.page", number=document.page)
    draw_text(
        canvas, ((A4_PORTRAIT_MM[0] - _MARGIN_MM) * mm, 10 * mm), number, ("Helvetica", 8.5), 1.0
    )
