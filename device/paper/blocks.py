"""Typeset a sheet as blocks, one below the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    Flowable,
    HRFlowable,
    KeepTogether,
    PageBreak,
    Paragraph,
    Spacer,
    Table,
)

from device.paper.drawing import SPRITE_TILE_HEIGHT, SPRITE_TILE_WIDTH, draw_text, draw_tile
from device.paper.sheet import (
    BOLD_STYLE,
    PLAIN_STYLE,
    SMALL_STYLE,
    TEXT_WIDTH_MM,
    paragraph,
    print_sheet,
)

_TILE_WIDTH_MM = 7.0
"""Width of a tile: fourteen with their gaps fit in a line beside the row's name."""

_ROW_NAME_WIDTH_MM = 34.0
"""Width of the row's name."""

_FIXED_STYLE = ParagraphStyle("fixed", SMALL_STYLE, fontName="Courier")
_AMOUNT_STYLE = ParagraphStyle("amount", PLAIN_STYLE, alignment=TA_RIGHT)
_TOTAL_STYLE = ParagraphStyle("total", BOLD_STYLE, fontSize=15, leading=17, alignment=TA_RIGHT)


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
    story: list[Flowable] = []
    for block in blocks:
        story += [PageBreak()] if block.new_page else []
        story.append(KeepTogether(list(_block_flowables(block))))
    return print_sheet(title, lead, story)


def _block_flowables(block: PaperBlock) -> Iterator[Flowable]:
    yield Spacer(0, 4 * mm)
    yield HRFlowable(width="100%", color="#999999", spaceAfter=2 * mm)
    title = paragraph(block.title, BOLD_STYLE)
    yield (
        _table([[title, paragraph(block.total, _TOTAL_STYLE)]], (TEXT_WIDTH_MM - 45, 45))
        if block.total
        else title
    )
    yield Spacer(0, 1.5 * mm)
    yield from (_TileRowFlowable(row) for row in block.rows)
    if block.entries:
        yield _table(
            [
                [
                    paragraph(e.amount, _AMOUNT_STYLE),
                    paragraph(e.words, PLAIN_STYLE),
                    paragraph(e.rule, SMALL_STYLE),
                ]
                for e in block.entries
            ],
            (16, TEXT_WIDTH_MM - 38, 22),
        )
    yield from (paragraph(line, BOLD_STYLE) for line in block.calculation)
    yield from (paragraph(line, SMALL_STYLE) for line in block.remarks)
    if block.code:
        yield paragraph(block.code, _FIXED_STYLE)


def _table(rows: Sequence[Sequence[Paragraph]], widths: Sequence[float]) -> Table:
    """Return a grid of paragraphs; widths are in millimetres."""
    tight = [("LEFTPADDING", (0, 0), (0, -1), 0), ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
             ("TOPPADDING", (0, 0), (-1, -1), 0), ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
             ("VALIGN", (0, 0), (-1, -1), "TOP")]  # fmt: skip
    return Table(rows, colWidths=[width * mm for width in widths], style=tight, hAlign="LEFT")


class _TileRowFlowable(Flowable):  # type: ignore[misc] # reportlab's classes are untyped
    """A row of tiles with a gap between sets and its name; long rows wrap."""

    def __init__(self, row: PrintedTileRow) -> None:
        super().__init__()
        self._name = row.name
        self._places = list(_place_tiles(row.sets))

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Return the width and height in points."""
        lines = 1 + max((line for line, _, _ in self._places), default=0)
        return TEXT_WIDTH_MM * mm, lines * _line_height()

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
        self.canv.setFillColor(SMALL_STYLE.textColor)
        place = TEXT_WIDTH_MM * mm, height - 4 * mm
        draw_text(self.canv, place, self._name, (SMALL_STYLE.fontName, SMALL_STYLE.fontSize), 1.0)


def _place_tiles(sets: Sequence[Sequence[str]]) -> Iterator[tuple[int, float, str]]:
    """Yield the line, the x position in millimetres and the drawing of each tile."""
    line, x = 0, 0.0
    for symbols in sets:
        for symbol in symbols:
            if x + _TILE_WIDTH_MM > TEXT_WIDTH_MM - _ROW_NAME_WIDTH_MM:
                line, x = line + 1, 0.0
            yield line, x, symbol
            x += _TILE_WIDTH_MM + 0.4
        x += _TILE_WIDTH_MM / 2


def _line_height() -> float:
    """Return the distance between two lines of tiles, in points."""
    return float((_TILE_WIDTH_MM * SPRITE_TILE_HEIGHT / SPRITE_TILE_WIDTH + 2) * mm)
