"""Typeset a sheet as blocks, one below the other, on as many pages of A4 as needed."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    Flowable,
    HRFlowable,
    KeepTogether,
    PageBreak,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
)

from device.i18n.words import language, say
from device.paper.drawing import (
    A4_PORTRAIT_MM,
    SPRITE_TILE_HEIGHT,
    SPRITE_TILE_WIDTH,
    draw_text,
    draw_tile,
    make_paragraph,
)

_MARGIN_MM = 18.0
_TEXT_WIDTH_MM = A4_PORTRAIT_MM[0] - 2 * _MARGIN_MM - 12 / mm
"""Width of the text: between the margins, less reportlab's own padding."""

_TILE_WIDTH_MM = 7.0
"""Width of a tile: fourteen with their gaps fit in a line beside the row's name."""

_ROW_NAME_WIDTH_MM = 34.0
"""Width of the row's name."""

_PLAIN_STYLE = ParagraphStyle("plain", fontName="Helvetica", fontSize=10, leading=13)
_BOLD_STYLE = ParagraphStyle("bold", _PLAIN_STYLE, fontName="Helvetica-Bold")
_SMALL_STYLE = ParagraphStyle("small", _PLAIN_STYLE, fontSize=8.5, leading=11, textColor="#444444")
_FIXED_STYLE = ParagraphStyle("fixed", _SMALL_STYLE, fontName="Courier")
_AMOUNT_STYLE = ParagraphStyle("amount", _PLAIN_STYLE, alignment=TA_RIGHT)
_TOTAL_STYLE = ParagraphStyle("total", _BOLD_STYLE, fontSize=15, leading=17, alignment=TA_RIGHT)
_HEAD_STYLE = ParagraphStyle("head", _BOLD_STYLE, fontSize=18, leading=24)


@dataclass(frozen=True, slots=True)
class PaperEntry:
    """One line of a sum."""

    amount: str
    words: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class PrintedTileRow:
    """The tiles of one row."""

    name: str
    sets: tuple[tuple[str, ...], ...]
    """Names of drawings in the sprite, set by set."""


@dataclass(frozen=True, slots=True)
class PaperBlock:
    """A block that stays together on a page, such as a hand."""

    title: str
    total: str
    """The large figure beside the title."""
    rows: tuple[PrintedTileRow, ...] = ()
    entries: tuple[PaperEntry, ...] = ()
    calculation: tuple[str, ...] = ()
    """The sum written out."""
    remarks: tuple[str, ...] = ()
    code: str = ""
    """The hand in one line, for programs."""
    new_page: bool = False
    """Start on a new page, for content that must not be seen with the rest."""


def print_blocks(title: str, lead: str, blocks: Iterable[PaperBlock]) -> bytes:
    """Return the sheet as PDF; a block is split only where no page can hold it."""
    buffer = io.BytesIO()
    document = SimpleDocTemplate(
        buffer, pagesize=(A4_PORTRAIT_MM[0] * mm, A4_PORTRAIT_MM[1] * mm), title=title,
        lang=language(), leftMargin=_MARGIN_MM * mm, rightMargin=_MARGIN_MM * mm,
        topMargin=_MARGIN_MM * mm, bottomMargin=_MARGIN_MM * mm, invariant=True,
    )  # fmt: skip
    story: list[Flowable] = [_paragraph(title, _HEAD_STYLE), _paragraph(lead, _SMALL_STYLE)]
    for block in blocks:
        story += [PageBreak()] if block.new_page else []
        story.append(KeepTogether(list(_block_flowables(block))))
    document.build(story, onFirstPage=_draw_page_number, onLaterPages=_draw_page_number)
    return buffer.getvalue()


def _block_flowables(block: PaperBlock) -> Iterator[Flowable]:
    yield Spacer(0, 4 * mm)
    yield HRFlowable(width="100%", color="#999999", spaceAfter=2 * mm)
    yield _table(
        [[_paragraph(block.title, _BOLD_STYLE), _paragraph(block.total, _TOTAL_STYLE)]],
        (_TEXT_WIDTH_MM - 45, 45),
    )
    yield Spacer(0, 1.5 * mm)
    yield from (_TileRowFlowable(row) for row in block.rows)
    if block.entries:
        yield _table(
            [
                [
                    _paragraph(e.amount, _AMOUNT_STYLE),
                    _paragraph(e.words, _PLAIN_STYLE),
                    _paragraph(e.rule, _SMALL_STYLE),
                ]
                for e in block.entries
            ],
            (16, _TEXT_WIDTH_MM - 38, 22),
        )
    yield from (_paragraph(line, _BOLD_STYLE) for line in block.calculation)
    yield from (_paragraph(line, _SMALL_STYLE) for line in block.remarks)
    if block.code:
        yield _paragraph(block.code, _FIXED_STYLE)


def _paragraph(words: str, style: ParagraphStyle) -> Paragraph:
    return make_paragraph(words, style, language())


def _table(rows: Sequence[Sequence[Paragraph]], widths: Sequence[float]) -> Table:
    """Return a grid of paragraphs; widths are in millimetres."""
    tight = [("LEFTPADDING", (0, 0), (0, -1), 0), ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
             ("TOPPADDING", (0, 0), (-1, -1), 0), ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
             ("VALIGN", (0, 0), (-1, -1), "TOP")]  # fmt: skip
    return Table(rows, colWidths=[width * mm for width in widths], style=tight, hAlign="LEFT")


def _draw_page_number(canvas: Canvas, document: SimpleDocTemplate) -> None:
    number = say("paper.page", number=document.page)
    draw_text(
        canvas, ((A4_PORTRAIT_MM[0] - _MARGIN_MM) * mm, 10 * mm), number, ("Helvetica", 8.5), 1.0
    )


class _TileRowFlowable(Flowable):  # type: ignore[misc] # reportlab's classes are untyped
    """A row of tiles with a gap between sets and its name; long rows wrap."""

    def __init__(self, row: PrintedTileRow) -> None:
        super().__init__()
        self._name = row.name
        self._places = list(_place_tiles(row.sets))

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Return the width and height in points."""
        lines = 1 + max((line for line, _, _ in self._places), default=0)
        return _TEXT_WIDTH_MM * mm, lines * _line_height()

    def draw(self) -> None:
        """Draw the row on the flowable's canvas."""
        _, height = self.wrap(0, 0)
        for line, x, symbol in self._places:
            draw_tile(
                self.canv,
                symbol,
                x * mm,
                height - (line + 1) * _line_height() + mm,
                _TILE_WIDTH_MM * mm,
            )
        self.canv.setFillColor(_SMALL_STYLE.textColor)
        place = _TEXT_WIDTH_MM * mm, height - 4 * mm
        draw_text(self.canv, place, self._name, (_SMALL_STYLE.fontName, _SMALL_STYLE.fontSize), 1.0)


def _place_tiles(sets: Sequence[Sequence[str]]) -> Iterator[tuple[int, float, str]]:
    """Yield the line, the x position in millimetres and the drawing of each tile."""
    line, x = 0, 0.0
    for symbols in sets:
        for symbol in symbols:
            if x + _TILE_WIDTH_MM > _TEXT_WIDTH_MM - _ROW_NAME_WIDTH_MM:
                line, x = line + 1, 0.0
            yield line, x, symbol
            x += _TILE_WIDTH_MM + 0.4
        x += _TILE_WIDTH_MM / 2


def _line_height() -> float:
    """Return the distance between two lines of tiles, in points."""
    return float((_TILE_WIDTH_MM * SPRITE_TILE_HEIGHT / SPRITE_TILE_WIDTH + 2) * mm)
