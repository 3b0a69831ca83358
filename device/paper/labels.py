"""Print labels: how phones reach the box, and the codes of the club's tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import segno

from device.host.page_links import PageLink
from device.i18n.words import say
from device.paper.drawing import A4_PORTRAIT_MM, PdfPages, measure_text

LABEL_WIDTH_MM, LABEL_HEIGHT_MM = 148.0, 105.0
"""Size of a label: A6 landscape."""

_LABEL_LEFT_MM = (A4_PORTRAIT_MM[0] - LABEL_WIDTH_MM) / 2
_FIRST_LABEL_TOP_MM, _LABEL_GAP_MM = 20.0, 28.0
_MAX_NAME_HEIGHT_MM = 11.0
"""Height of the letters of a name that fits."""

_CUT_MARK_LENGTH_MM = 8.0
"""Length of the cut marks; half of it separates them from the label."""

_COLUMN_LEFTS_MM = (_LABEL_LEFT_MM + 8, _LABEL_LEFT_MM + LABEL_WIDTH_MM / 2 + 4)
_QR_CODE_SIDE_MM = 44.0
"""Side of a QR code without its quiet zone: readable at arm's length, and flat on the box."""


def print_labels(ways: Sequence[PageLink]) -> bytes:
    """Return one sheet of A4 with a label for each way in, as PDF."""
    pages = PdfPages(say("label.title"), A4_PORTRAIT_MM)
    for number, way in enumerate(ways):
        draw_label(pages, number, way)
    pages.end()
    return pages.pdf()


def draw_label(pages: PdfPages, number: int, way: PageLink, name: str = "", path: str = "") -> None:
    """Draw one of a sheet's two labels: the box's, or one with a table's name and address."""
    top = _FIRST_LABEL_TOP_MM + number * (LABEL_HEIGHT_MM + _LABEL_GAP_MM)
    _draw_cut_marks(pages, top)
    pages.text(
        _LABEL_LEFT_MM + 8, top + 15, name or say("site.name"), _name_height(name), bold=True
    )
    if not name:
        what = say("label.codes") if way.wifi else say("site.tagline")
        pages.text(_LABEL_LEFT_MM + LABEL_WIDTH_MM - 8, top + 15, what, 4, align="right")
    pages.text(_COLUMN_LEFTS_MM[0], top + 27, say("join.first"), 5, bold=True)
    pages.text(_COLUMN_LEFTS_MM[1], top + 27, say("join.then"), 5, bold=True)
    if way.wifi:
        _draw_qr_code(pages, _COLUMN_LEFTS_MM[0], top + 31, way.wifi.code)
        _draw_lines(pages, _COLUMN_LEFTS_MM[0], top, [
            (way.wifi.name, True), (say("label.password"), False), (way.wifi.password, True)
        ])  # fmt: skip
    else:
        for line, words in enumerate(say("label.same").split(" / ")):
            pages.text(_COLUMN_LEFTS_MM[0], top + 38 + 7 * line, words, 4.5)
    _draw_qr_code(pages, _COLUMN_LEFTS_MM[1], top + 31, way.link_to(path))
    lines = [(way.address + path, True)]
    if way.name and not path:
        lines.append((say("join.or", name=way.name), False))
    if way.pin:
        lines.append((say("join.pin", pin=way.pin), True))
    _draw_lines(pages, _COLUMN_LEFTS_MM[1], top, lines)
    pages.text(_LABEL_LEFT_MM + 8, top + LABEL_HEIGHT_MM - 5, say("join.stay"), 3.5)


def _name_height(name: str) -> float:
    """Return the letter height, in millimetres, at which a name fits on the label."""
    wide = measure_text(name, "Helvetica-Bold", 1.0)
    return min(_MAX_NAME_HEIGHT_MM, (LABEL_WIDTH_MM - 16) / wide) if wide else _MAX_NAME_HEIGHT_MM


def _draw_lines(pages: PdfPages, x: float, top: float, lines: Sequence[tuple[str, bool]]) -> None:
    """Write the lines below a code, for people who type."""
    for line, (words, bold) in enumerate(lines):
        pages.text(x, top + 81 + 6 * line, words, 4.5, bold=bold)


def _draw_qr_code(pages: PdfPages, x: float, y: float, text: str) -> None:
    rows = [[bool(dark) for dark in row] for row in segno.make(text, error="m").matrix]
    pages.squares(x, y, _QR_CODE_SIDE_MM / len(rows), rows)


def _draw_cut_marks(pages: PdfPages, top: float) -> None:
    far, low = _LABEL_LEFT_MM + LABEL_WIDTH_MM, top + LABEL_HEIGHT_MM
    for x, out in ((_LABEL_LEFT_MM, -1), (far, 1)):
        for y, beyond in ((top, -1), (low, 1)):
            pages.line(x + out * _CUT_MARK_LENGTH_MM / 2, y, x + out * 1.5 * _CUT_MARK_LENGTH_MM, y)
            pages.line(
                x, y + beyond * _CUT_MARK_LENGTH_MM / 2, x, y + beyond * 1.5 * _CUT_MARK_LENGTH_MM
            )


LABELS_PER_SHEET = 2


@dataclass(frozen=True, slots=True)
class TableCode:
    """The code that a phone scans to join a table."""

    name: str
    path: str
    """Path of its page, without the leading `/`."""


def print_table_codes(codes: Sequence[TableCode], way: PageLink) -> bytes:
    """Return a label for each table as PDF; an empty page for none."""
    pages = PdfPages(say("club.sheet.title"), A4_PORTRAIT_MM)
    for number, code in enumerate(codes):
        if number and number % LABELS_PER_SHEET == 0:
            pages.end()
        draw_label(pages, number % LABELS_PER_SHEET, way, code.name, code.path)
    pages.end()
    return pages.pdf()
