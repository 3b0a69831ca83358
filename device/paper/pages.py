"""A PDF as it is drawn: in millimetres from a page's upper left corner, black on white."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Literal

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from device.i18n.words import language
from device.paper.letters import draw

A3_ACROSS = (420.0, 297.0)
A4_UPRIGHT = (210.0, 297.0)
"""Width and height of a sheet, millimetres (ISO 216)."""

FINE = 0.3
"""Width of a line, millimetres."""

_GREY = 0.47
"""Of frames, between black and white: seen by people, and no edge of a tile to the camera."""

Align = Literal["left", "middle", "right"]


_LEFT: dict[Align, float] = {"left": 0.0, "middle": 0.5, "right": 1.0}
"""What share of a line stands left of its place."""


class Pages:
    """Pages of one size, drawn one after the other. Sizes and places are in millimetres."""

    def __init__(self, title: str, size: tuple[float, float]) -> None:
        self._out = io.BytesIO()
        width, self._height = size
        # Invariant: without the time of printing in it, the same drawing is the same file.
        self._canvas = Canvas(
            self._out, pagesize=(width * mm, self._height * mm), invariant=True, lang=language()
        )
        self._canvas.setTitle(title)
        self._left = 0.0

    def begin(self, left: float = 0.0) -> None:
        """Let the drawing that follows begin this far right: a page may show a part of it."""
        self._left = left

    def end(self) -> None:
        """End a page."""
        self._canvas.showPage()

    def pdf(self) -> bytes:
        """Return the file, every page having been ended."""
        self._canvas.save()
        return self._out.getvalue()

    def text(
        self, x: float, y: float, words: str, size: float, *, bold: bool = False,
        align: Align = "left",
    ) -> None:  # fmt: skip
        """Write a line of words that stands on `y`, in letters `size` millimetres high."""
        fount = "Helvetica-Bold" if bold else "Helvetica", size * mm
        draw(self._canvas, (self._x(x), self._y(y)), words, fount, _LEFT[align])

    def line(self, x: float, y: float, to_x: float, to_y: float, width: float = FINE) -> None:
        """Draw a straight line."""
        self._canvas.setLineWidth(width * mm)
        self._canvas.line(self._x(x), self._y(y), self._x(to_x), self._y(to_y))

    def frame(self, x: float, y: float, width: float, height: float, radius: float) -> None:
        """Draw a box's outline, its corners rounded."""
        self._canvas.setLineWidth(2 * FINE * mm)
        self._canvas.setStrokeGray(_GREY)
        low = self._y(y + height)
        self._canvas.roundRect(self._x(x), low, width * mm, height * mm, radius * mm)
        self._canvas.setStrokeGray(0)

    def squares(self, x: float, y: float, side: float, dark: Sequence[Sequence[bool]]) -> None:
        """Fill the dark squares of a pattern of rows, each square `side` wide.

        All are one shape, so that no printer leaves white hairs between them.
        """
        shape = self._canvas.beginPath()
        for row, squares in enumerate(dark):
            for column, is_dark in enumerate(squares):
                if is_dark:
                    low = self._y(y + side * (row + 1))
                    shape.rect(self._x(x + side * column), low, side * mm, side * mm)
        self._canvas.drawPath(shape, stroke=0, fill=1)

    def _x(self, x: float) -> float:
        return float((x - self._left) * mm)

    def _y(self, y: float) -> float:
        return float((self._height - y) * mm)
