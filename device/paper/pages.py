"""Draw PDF pages: text in western and Chinese letters, lines, squares and tiles."""

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
"""Width and height of a sheet (ISO 216)."""

FINE = 0.3
"""Width of a line."""

_GREY = 0.47
"""Grey of frames, 0 black to 1 white: visible to people, but no tile edge to the camera."""

Align = Literal["left", "middle", "right"]


_LEFT: dict[Align, float] = {"left": 0.0, "middle": 0.5, "right": 1.0}
"""Share of a line that stands left of its place."""


class Pages:
    """Pages of one size. Places are millimetres from the upper left corner."""

    def __init__(self, title: str, size: tuple[float, float]) -> None:
        self._out = io.BytesIO()
        width, self._height = size
        # Invariant: without a timestamp, the same drawing gives the same file.
        self._canvas = Canvas(
            self._out, pagesize=(width * mm, self._height * mm), invariant=True, lang=language()
        )
        self._canvas.setTitle(title)
        self._left = 0.0

    def begin(self, left: float = 0.0) -> None:
        """Shift what follows left by this much, so that a page shows a part of the drawing."""
        self._left = left

    def end(self) -> None:
        """End a page."""
        self._canvas.showPage()

    def pdf(self) -> bytes:
        """Return the file; call `end` for every page before."""
        self._canvas.save()
        return self._out.getvalue()

    def text(
        self, x: float, y: float, words: str, size: float, *, bold: bool = False,
        align: Align = "left",
    ) -> None:  # fmt: skip
        """Write a line of text on the baseline `y`, in letters `size` millimetres high."""
        font = "Helvetica-Bold" if bold else "Helvetica", size * mm
        draw(self._canvas, (self._x(x), self._y(y)), words, font, _LEFT[align])

    def line(self, x: float, y: float, to_x: float, to_y: float, width: float = FINE) -> None:
        """Draw a straight line."""
        self._canvas.setLineWidth(width * mm)
        self._canvas.line(self._x(x), self._y(y), self._x(to_x), self._y(to_y))

    def frame(self, x: float, y: float, width: float, height: float, radius: float) -> None:
        """Draw a rectangle with rounded corners."""
        self._canvas.setLineWidth(2 * FINE * mm)
        self._canvas.setStrokeGray(_GREY)
        low = self._y(y + height)
        self._canvas.roundRect(self._x(x), low, width * mm, height * mm, radius * mm)
        self._canvas.setStrokeGray(0)

    def squares(self, x: float, y: float, side: float, dark: Sequence[Sequence[bool]]) -> None:
        """Fill the dark squares of a pattern given row by row, each `side` wide.

        All squares are one shape, so that printers leave no white hairlines between them.
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
