"""Print the reference card on one sheet of A4, in the largest letters that fit."""

from __future__ import annotations

import io
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Paragraph, Table

from device.i18n.words import language
from device.paper.drawing import (
    A4_PORTRAIT_MM,
    SPRITE_TILE_HEIGHT,
    SPRITE_TILE_WIDTH,
    draw_text,
    draw_tile,
    make_paragraph,
)
from device.views.tiles import symbol
from device.views.tutor.card import CardPart, CardRow, CardView, card_view
from scorer.ruleset import Ruleset

_MARGIN_MM, _COLUMN_GAP_MM, _HEAD_HEIGHT_MM = 11.0, 6.0, 16.0
"""The outer margin, the gap between the two columns, and the height of the head."""

_COLUMN_WIDTH_MM = (A4_PORTRAIT_MM[0] - 2 * _MARGIN_MM - _COLUMN_GAP_MM) / 2
_AMOUNT_WIDTH_MM_PER_POINT = 1.95
"""Width of a column of figures, in millimetres per point of letter size."""

_LAID_SET_WIDTH_MM_PER_POINT = 2.4
"""Width of a kong as laid on the table, in millimetres per point of letter size."""

_LETTER_SIZES = tuple(quarter / 4 for quarter in range(16, 49))
"""The letter sizes to try, in points."""


@dataclass(frozen=True, slots=True)
class _Styles:
    """The paragraph styles of one card."""

    plain: ParagraphStyle
    bold: ParagraphStyle
    small: ParagraphStyle
    amount: ParagraphStyle
    column: ParagraphStyle
    head: ParagraphStyle


def print_card(rules: Ruleset) -> bytes:
    """Return the card of these rules as PDF, in the current language."""
    view = card_view(rules)
    card_by_size: dict[float, bytes] = {}

    def is_too_large(size: float) -> bool:
        card_by_size[size], pages = _typeset(view, _styles(size))
        return pages > 1

    fitting = bisect_left(_LETTER_SIZES, True, key=is_too_large)
    return card_by_size[_LETTER_SIZES[max(fitting - 1, 0)]]


def _styles(size: float) -> _Styles:
    plain = ParagraphStyle("plain", fontName="Helvetica", fontSize=size, leading=size * 1.2)
    bold = ParagraphStyle("bold", plain, fontName="Helvetica-Bold")
    small = ParagraphStyle("small", plain, fontSize=size * 0.88, leading=size * 1.04)
    return _Styles(
        plain=plain,
        bold=bold,
        small=small,
        amount=ParagraphStyle("amount", bold, alignment=TA_RIGHT),
        column=ParagraphStyle("column", small, alignment=TA_RIGHT, textColor="#444444"),
        head=ParagraphStyle(
            "head", bold, fontSize=size * 1.2, leading=size * 1.5, spaceBefore=size * 0.5
        ),
    )


def _typeset(view: CardView, styles: _Styles) -> tuple[bytes, int]:
    """Return the card as PDF with these styles, and its number of pages."""
    buffer = io.BytesIO()
    document = BaseDocTemplate(
        buffer, pagesize=(A4_PORTRAIT_MM[0] * mm, A4_PORTRAIT_MM[1] * mm), title=view.title,
        lang=language(), invariant=True,
    )  # fmt: skip
    height = (A4_PORTRAIT_MM[1] - 2 * _MARGIN_MM - _HEAD_HEIGHT_MM) * mm
    frames = [
        Frame(left * mm, _MARGIN_MM * mm, _COLUMN_WIDTH_MM * mm, height, 0, 0, 0, 0)
        for left in (_MARGIN_MM, _MARGIN_MM + _COLUMN_WIDTH_MM + _COLUMN_GAP_MM)
    ]

    def head(canvas: Canvas, _: BaseDocTemplate) -> None:
        _draw_head(canvas, view)

    document.addPageTemplates(PageTemplate(frames=frames, onPage=head))
    document.build([each for part in view.parts for each in _part_flowables(part, styles)])
    return buffer.getvalue(), document.page


def _draw_head(canvas: Canvas, view: CardView) -> None:
    top = A4_PORTRAIT_MM[1] - _MARGIN_MM
    draw_text(canvas, (_MARGIN_MM * mm, (top - 5) * mm), view.title, ("Helvetica-Bold", 16))
    right = (A4_PORTRAIT_MM[0] - _MARGIN_MM) * mm
    draw_text(canvas, (right, (top - 5) * mm), view.lead, ("Helvetica-Bold", 11), 1.0)
    notice = _paragraph(view.notice, ParagraphStyle("notice", fontSize=7.5, leading=8.5))
    _, height = notice.wrapOn(canvas, right - _MARGIN_MM * mm, _HEAD_HEIGHT_MM * mm)
    notice.drawOn(canvas, _MARGIN_MM * mm, (top - 6.5) * mm - height)
    canvas.line(_MARGIN_MM * mm, (top - 13.5) * mm, right, (top - 13.5) * mm)


def _part_flowables(part: CardPart, styles: _Styles) -> Iterator[Flowable]:
    heading = _paragraph(part.title, styles.head)
    heading.keepWithNext = 1
    columns = len(part.rows[0].amounts)
    if not columns:
        yield heading
        yield from (_sentence(row, styles) for row in part.rows)
        return
    rows: list[list[Flowable | str]] = []
    look: list[tuple[object, ...]] = list(_AMOUNT_TABLE_STYLE)
    if part.columns:
        rows.append([heading, *(_paragraph(column, styles.column) for column in part.columns)])
    else:
        yield heading
    for row in part.rows:
        amounts = (_paragraph(each, styles.amount) for each in row.amounts)
        rows.append([_paragraph(row.words, styles.bold if row.shape else styles.plain), *amounts])
        if row.shape:  # on its own line below, across the whole width
            row_number = len(rows)
            rows.append([_paragraph(row.shape, styles.small), *[""] * columns])
            look += [
                ("SPAN", (0, row_number), (-1, row_number)),
                ("NOSPLIT", (0, row_number - 1), (-1, row_number)),
            ]
        look.append(("LINEBELOW", (0, len(rows) - 1), (-1, len(rows) - 1), 0.25, "#bbbbbb"))
    amount = _AMOUNT_WIDTH_MM_PER_POINT * styles.plain.fontSize
    widths = [_COLUMN_WIDTH_MM - columns * amount, *[amount] * columns]
    yield Table(
        rows, colWidths=[width * mm for width in widths], style=look, hAlign="LEFT",
        repeatRows=int(bool(part.columns)),
    )  # fmt: skip


def _sentence(row: CardRow, styles: _Styles) -> Flowable:
    """Return a rule in words, beside the set that it lays if there is one."""
    if not row.laid:
        return _paragraph(f"• {row.words}", styles.small)
    tiles = _LaidSetFlowable(row.laid, styles.small.leading)
    room = _LAID_SET_WIDTH_MM_PER_POINT * styles.plain.fontSize
    widths = [room * mm, (_COLUMN_WIDTH_MM - room) * mm]
    return Table(
        [[tiles, _paragraph(row.words, styles.small)]],
        colWidths=widths,
        style=_SENTENCE_TABLE_STYLE,
    )


class _LaidSetFlowable(Flowable):  # type: ignore[misc] # reportlab's classes are untyped
    """Tiles side by side, one and a half lines high."""

    def __init__(self, codes: tuple[str, ...], leading: float) -> None:
        super().__init__()
        self._codes = codes
        self._tile = 1.5 * leading * SPRITE_TILE_WIDTH / SPRITE_TILE_HEIGHT

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Return the width and height in points."""
        return self._tile * len(self._codes), self._tile * SPRITE_TILE_HEIGHT / SPRITE_TILE_WIDTH

    def draw(self) -> None:
        """Draw the tiles on the flowable's canvas."""
        for place, code in enumerate(self._codes):
            draw_tile(self.canv, symbol(code), place * self._tile * 1.05, 0, self._tile)


def _paragraph(words: str, style: ParagraphStyle) -> Paragraph:
    return make_paragraph(words, style, language())


_SENTENCE_TABLE_STYLE = [
    ("LEFTPADDING", (0, 0), (-1, -1), 0), ("RIGHTPADDING", (0, 0), (-1, -1), 0),
    ("TOPPADDING", (0, 0), (-1, -1), 0.5), ("BOTTOMPADDING", (0, 0), (-1, -1), 0.5),
    ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
]  # fmt: skip

_AMOUNT_TABLE_STYLE = [
    ("LEFTPADDING", (0, 0), (-1, -1), 0), ("RIGHTPADDING", (0, 0), (-1, -1), 0),
    ("LEFTPADDING", (1, 0), (-1, -1), 3),
    ("TOPPADDING", (0, 0), (-1, -1), 0.6), ("BOTTOMPADDING", (0, 0), (-1, -1), 0.8),
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
]  # fmt: skip
