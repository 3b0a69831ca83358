"""Print the table mat, and labels: how phones reach the box, and the codes of the club's tables.

The mat is drawn from the same positions by which the box finds it in a photo.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2

from device.host.page_links import PageLink
from device.host.qr_codes import make_qr_code
from device.i18n.words import say
from device.paper.drawing import A3_LANDSCAPE_MM, A4_PORTRAIT_MM, PdfPages, measure_text
from vision.geometry.mat import (
    MARK_CORNERS_MM,
    MARK_DICTIONARY,
    MARK_MARGIN_MM,
    MARK_SIDE_MM,
    ROW_BANDS_MM,
    SHEET_HEIGHT_MM,
    SHEET_WIDTH_MM,
)

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
        purpose = say("label.codes") if way.wifi else say("site.tagline")
        pages.text(_LABEL_LEFT_MM + LABEL_WIDTH_MM - 8, top + 15, purpose, 4, align="right")
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
    rows = [[bool(dark) for dark in row] for row in make_qr_code(text).matrix]
    pages.squares(x, y, _QR_CODE_SIDE_MM / len(rows), rows)


def _draw_cut_marks(pages: PdfPages, top: float) -> None:
    right_edge, low = _LABEL_LEFT_MM + LABEL_WIDTH_MM, top + LABEL_HEIGHT_MM
    for x, outward in ((_LABEL_LEFT_MM, -1), (right_edge, 1)):
        for y, outward_y in ((top, -1), (low, 1)):
            pages.line(
                x + outward * _CUT_MARK_LENGTH_MM / 2, y, x + outward * 1.5 * _CUT_MARK_LENGTH_MM, y
            )
            pages.line(
                x,
                y + outward_y * _CUT_MARK_LENGTH_MM / 2,
                x,
                y + outward_y * 1.5 * _CUT_MARK_LENGTH_MM,
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


_SQUARES_PER_MARK = 6
"""Squares across a mark, including its black border."""

_SHEET_EDGE_INSET_MM = 4.0
"""Distance of text from the edge where two sheets meet: printers leave a margin."""

_TEXT_LEFT_MM = MARK_MARGIN_MM + MARK_SIDE_MM + 8
"""Left edge of text beside a mark."""

_RULER_LENGTH_MM = 100.0


def print_mat(paper: str) -> bytes:
    """Return the mat as PDF: `a3`, or two halves on `a4` to lay edge to edge."""
    middle = SHEET_WIDTH_MM / 2
    if paper == "a3":
        pages = PdfPages(say("mat.title"), A3_LANDSCAPE_MM)
        _draw_mat(pages)
        _draw_ruler(pages, _TEXT_LEFT_MM)
        pages.end()
        return pages.pdf()
    pages = PdfPages(say("mat.title"), A4_PORTRAIT_MM)
    # The bands cross both sheets and show whether the sheets are aligned.
    _draw_mat(pages)
    _draw_ruler(pages, _TEXT_LEFT_MM)
    pages.text(middle - _SHEET_EDGE_INSET_MM, 14, say("mat.left"), 4.2, align="right")
    pages.end()
    pages.begin(left=middle)
    _draw_mat(pages)
    _draw_ruler(pages, middle + 2 * _SHEET_EDGE_INSET_MM)
    pages.text(middle + _SHEET_EDGE_INSET_MM, 14, say("mat.right"), 4.2)
    pages.end()
    return pages.pdf()


def _draw_mat(pages: PdfPages) -> None:
    for mark, (x, y) in enumerate(MARK_CORNERS_MM):
        pages.squares(x, y, MARK_SIDE_MM / _SQUARES_PER_MARK, _mark_pattern(mark))
    for meaning, top, low in ROW_BANDS_MM:
        pages.frame(MARK_MARGIN_MM, top, SHEET_WIDTH_MM - 2 * MARK_MARGIN_MM, low - top, 4)
        pages.text(MARK_MARGIN_MM + 2, top - 3, say(f"mat.{meaning}"), 7)
    face_down_names = (
        say("mat.exposed-kong"),
        say("mat.concealed-kong"),
        say("mat.concealed-pung"),
    )
    for line, words in enumerate(face_down_names):
        pages.text(_TEXT_LEFT_MM, 263 + 7 * line, words, 5)
    pages.text(SHEET_WIDTH_MM / 2 + 2 * _SHEET_EDGE_INSET_MM, 263, say("mat.winning"), 5)


def _draw_ruler(pages: PdfPages, x: float) -> None:
    """Draw a ruler that shows whether the printer kept the size."""
    y = SHEET_HEIGHT_MM - MARK_MARGIN_MM - 2
    pages.line(x, y, x + _RULER_LENGTH_MM, y)
    for tick in range(0, 101, 10):
        pages.line(x + tick, y, x + tick, y - (4 if tick % 50 == 0 else 2))
    pages.text(x + _RULER_LENGTH_MM + 3, y, say("mat.ruler"), 3.5)


def _mark_pattern(mark: int) -> list[list[bool]]:
    """Return the squares of a mark row by row: True for black."""
    marker = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(MARK_DICTIONARY), mark, _SQUARES_PER_MARK
    )
    return [[not square for square in row] for row in marker.tolist()]
