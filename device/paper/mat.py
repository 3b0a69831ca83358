"""Print the mat from the same positions by which the box finds it in a photo."""

from __future__ import annotations

import cv2

from device.i18n.words import say
from device.paper.drawing import A3_LANDSCAPE_MM, A4_PORTRAIT_MM, PdfPages
from vision.geometry.mat import (
    MARK_CORNERS_MM,
    MARK_DICTIONARY,
    MARK_MARGIN_MM,
    MARK_SIDE_MM,
    ROW_BANDS_MM,
    SHEET_HEIGHT_MM,
    SHEET_WIDTH_MM,
)

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
    down = (say("mat.exposed-kong"), say("mat.concealed-kong"), say("mat.concealed-pung"))
    for line, words in enumerate(down):
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
    drawn = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(MARK_DICTIONARY), mark, _SQUARES_PER_MARK
    )
    return [[not square for square in row] for row in drawn.tolist()]
