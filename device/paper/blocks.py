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

from device.i18n.words import language, say, translated
from device.paper.faces import HEIGHT, WIDTH, draw_tile
from device.paper.letters import draw, paragraph
from device.paper.pages import A4_UPRIGHT

_MARGIN = 18.0
_ACROSS = A4_UPRIGHT[0] - 2 * _MARGIN - 12 / mm
"""Width of the text: between the margins, less reportlab's own padding."""

_TILE = 7.0
"""Width of a tile: fourteen with their gaps fit in a line beside the row's name."""

_NAME = 34.0
"""Width of the row's name."""

_PLAIN = ParagraphStyle("plain", fontName="Helvetica", fontSize=10, leading=13)
_BOLD = ParagraphStyle("bold", _PLAIN, fontName="Helvetica-Bold")
_SMALL = ParagraphStyle("small", _PLAIN, fontSize=8.5, leading=11, textColor="#444444")
_FIXED = ParagraphStyle("fixed", _SMALL, fontName="Courier")
_AMOUNT = ParagraphStyle("amount", _PLAIN, alignment=TA_RIGHT)
_TOTAL = ParagraphStyle("total", _BOLD, fontSize=15, leading=17, alignment=TA_RIGHT)
_HEAD = ParagraphStyle("head", _BOLD, fontSize=18, leading=24)


@dataclass(frozen=True, slots=True)
class PaperEntry:
    """One line of a sum."""

    amount: str
    words: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class RowOfFaces:
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
    rows: tuple[RowOfFaces, ...] = ()
    entries: tuple[PaperEntry, ...] = ()
    working: tuple[str, ...] = ()
    """The sum written out."""
    remarks: tuple[str, ...] = ()
    code: str = ""
    """The hand in one line, for programs."""
    new_page: bool = False
    """Start on a new page, for content that must not be seen with the rest."""


def sheet(title: str, lead: str, blocks: Iterable[PaperBlock]) -> bytes:
    """Return the sheet as PDF; a block is split only where no page can hold it."""
    out = io.BytesIO()
    document = SimpleDocTemplate(
        out, pagesize=(A4_UPRIGHT[0] * mm, A4_UPRIGHT[1] * mm), title=title,
        lang=language(), leftMargin=_MARGIN * mm, rightMargin=_MARGIN * mm,
        topMargin=_MARGIN * mm, bottomMargin=_MARGIN * mm, invariant=True,
    )  # fmt: skip
    story: list[Flowable] = [_words(title, _HEAD), _words(lead, _SMALL)]
    for block in blocks:
        story += [PageBreak()] if block.new_page else []
        story.append(KeepTogether(list(_set(block))))
    document.build(story, onFirstPage=_number, onLaterPages=_number)
    return out.getvalue()


def _set(block: PaperBlock) -> Iterator[Flowable]:
    yield Spacer(0, 4 * mm)
    yield HRFlowable(width="100%", color="#999999", spaceAfter=2 * mm)
    yield _table([[_words(block.title, _BOLD), _words(block.total, _TOTAL)]], (_ACROSS - 45, 45))
    yield Spacer(0, 1.5 * mm)
    yield from (_Tiles(row) for row in block.rows)
    if block.entries:
        yield _table(
            [
                [_words(e.amount, _AMOUNT), _words(e.words, _PLAIN), _words(e.rule, _SMALL)]
                for e in block.entries
            ],
            (16, _ACROSS - 38, 22),
        )
    yield from (_words(line, _BOLD) for line in block.working)
    yield from (_words(line, _SMALL) for line in block.remarks)
    if block.code:
        yield _words(block.code, _FIXED)


def _words(words: str, style: ParagraphStyle) -> Paragraph:
    return paragraph(str(translated(words)), style, language())


def _table(rows: Sequence[Sequence[Paragraph]], widths: Sequence[float]) -> Table:
    """Return a grid of paragraphs; widths are in millimetres."""
    tight = [("LEFTPADDING", (0, 0), (0, -1), 0), ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
             ("TOPPADDING", (0, 0), (-1, -1), 0), ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
             ("VALIGN", (0, 0), (-1, -1), "TOP")]  # fmt: skip
    return Table(rows, colWidths=[width * mm for width in widths], style=tight, hAlign="LEFT")


def _number(canvas: Canvas, document: SimpleDocTemplate) -> None:
    number = say("paper.page", number=document.page)
    draw(canvas, ((A4_UPRIGHT[0] - _MARGIN) * mm, 10 * mm), number, ("Helvetica", 8.5), 1.0)


class _Tiles(Flowable):  # type: ignore[misc] # reportlab's classes are untyped
    """A row of tiles with a gap between sets and its name; long rows wrap."""

    def __init__(self, row: RowOfFaces) -> None:
        super().__init__()
        self._name = row.name
        self._places = list(_placed(row.sets))

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Return the width and height in points."""
        lines = 1 + max((line for line, _, _ in self._places), default=0)
        return _ACROSS * mm, lines * _step()

    def draw(self) -> None:
        """Draw the row on the flowable's canvas."""
        _, height = self.wrap(0, 0)
        for line, x, symbol in self._places:
            draw_tile(self.canv, symbol, x * mm, height - (line + 1) * _step() + mm, _TILE * mm)
        self.canv.setFillColor(_SMALL.textColor)
        place = _ACROSS * mm, height - 4 * mm
        draw(self.canv, place, self._name, (_SMALL.fontName, _SMALL.fontSize), 1.0)


def _placed(sets: Sequence[Sequence[str]]) -> Iterator[tuple[int, float, str]]:
    """Yield the line, the x position in millimetres and the drawing of each tile."""
    line, x = 0, 0.0
    for symbols in sets:
        for symbol in symbols:
            if x + _TILE > _ACROSS - _NAME:
                line, x = line + 1, 0.0
            yield line, x, symbol
            x += _TILE + 0.4
        x += _TILE / 2


def _step() -> float:
    """Return the distance between two lines of tiles, in points."""
    return float((_TILE * HEIGHT / WIDTH + 2) * mm)
