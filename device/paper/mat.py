"""Print the mat from the same positions by which the box finds it in a photo."""

from __future__ import annotations

import cv2

from device.i18n.words import say
from device.paper.pages import A3_ACROSS, A4_UPRIGHT, Pages
from vision.geometry.mat import (
    MARK_CORNERS_MM,
    MARK_DICTIONARY,
    MARK_MARGIN_MM,
    MARK_SIDE_MM,
    ROW_BANDS_MM,
    SHEET_HEIGHT_MM,
    SHEET_WIDTH_MM,
)

_SQUARES = 6
"""Squares across a mark, including its black border."""

_INSET = 4.0
"""Distance of text from the edge where two sheets meet: printers leave a margin."""

_WORDS = MARK_MARGIN_MM + MARK_SIDE_MM + 8
"""Left edge of text beside a mark."""

_RULER = 100.0


def mat(paper: str) -> bytes:
    """Return the mat as PDF: `a3`, or two halves on `a4` to lay edge to edge."""
    middle = SHEET_WIDTH_MM / 2
    if paper == "a3":
        pages = Pages(say("mat.title"), A3_ACROSS)
        _draw(pages)
        _ruler(pages, _WORDS)
        pages.end()
        return pages.pdf()
    pages = Pages(say("mat.title"), A4_UPRIGHT)
    # The bands cross both sheets and show whether the sheets are aligned.
    _draw(pages)
    _ruler(pages, _WORDS)
    pages.text(middle - _INSET, 14, say("mat.left"), 4.2, align="right")
    pages.end()
    pages.begin(left=middle)
    _draw(pages)
    _ruler(pages, middle + 2 * _INSET)
    pages.text(middle + _INSET, 14, say("mat.right"), 4.2)
    pages.end()
    return pages.pdf()


def _draw(pages: Pages) -> None:
    for mark, (x, y) in enumerate(MARK_CORNERS_MM):
        pages.squares(x, y, MARK_SIDE_MM / _SQUARES, _pattern(mark))
    for meaning, top, low in ROW_BANDS_MM:
        pages.frame(MARK_MARGIN_MM, top, SHEET_WIDTH_MM - 2 * MARK_MARGIN_MM, low - top, 4)
        pages.text(MARK_MARGIN_MM + 2, top - 3, say(f"mat.{meaning}"), 7)
    down = (say("mat.exposed-kong"), say("mat.concealed-kong"), say("mat.concealed-pung"))
    for line, words in enumerate(down):
        pages.text(_WORDS, 263 + 7 * line, words, 5)
    pages.text(SHEET_WIDTH_MM / 2 + 2 * _INSET, 263, say("mat.winning"), 5)


def _ruler(pages: Pages, x: float) -> None:
    """Draw a ruler that shows whether the printer kept the size."""
    y = SHEET_HEIGHT_MM - MARK_MARGIN_MM - 2
    pages.line(x, y, x + _RULER, y)
    for tick in range(0, 101, 10):
        pages.line(x + tick, y, x + tick, y - (4 if tick % 50 == 0 else 2))
    pages.text(x + _RULER + 3, y, say("mat.ruler"), 3.5)


def _pattern(mark: int) -> list[list[bool]]:
    """Return the squares of a mark row by row: True for black."""
    drawn = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(MARK_DICTIONARY), mark, _SQUARES
    )
    return [[not square for square in row] for row in drawn.tolist()]
