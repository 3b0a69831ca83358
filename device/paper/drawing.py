"""Draw PDF pages: text, lines, squares and tiles."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Literal
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from reportlab.lib import textsplit
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject
from reportlab.platypus import Paragraph
from reportlab.platypus import paragraph as paragraphs

from device.i18n.words import language
from device.paper.letters import split_by_font

A3_LANDSCAPE_MM = (420.0, 297.0)
A4_PORTRAIT_MM = (210.0, 297.0)
"""Width and height of a sheet (ISO 216)."""

LINE_WIDTH_MM = 0.3
"""Width of a line."""

_FRAME_GREY_SHARE = 0.47
"""Grey of frames, 0 black to 1 white: visible to people, but no tile edge to the camera."""

TextAlign = Literal["left", "middle", "right"]


_ALIGN_SHARES: dict[TextAlign, float] = {"left": 0.0, "middle": 0.5, "right": 1.0}
"""Share of a line that stands left of its place."""


class PdfPages:
    """Pages of one size. Places are millimetres from the upper left corner."""

    def __init__(self, title: str, size: tuple[float, float]) -> None:
        self._buffer = io.BytesIO()
        width, self._height = size
        # Invariant: without a timestamp, the same drawing gives the same file.
        self._canvas = Canvas(
            self._buffer, pagesize=(width * mm, self._height * mm), invariant=True, lang=language()
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
        return self._buffer.getvalue()

    def text(
        self, x: float, y: float, words: str, size: float, *, bold: bool = False,
        align: TextAlign = "left",
    ) -> None:  # fmt: skip
        """Write a line of text on the baseline `y`, in letters `size` millimetres high."""
        font = "Helvetica-Bold" if bold else "Helvetica", size * mm
        draw_text(self._canvas, (self._x(x), self._y(y)), words, font, _ALIGN_SHARES[align])

    def line(
        self, x: float, y: float, to_x: float, to_y: float, width: float = LINE_WIDTH_MM
    ) -> None:
        """Draw a straight line."""
        self._canvas.setLineWidth(width * mm)
        self._canvas.line(self._x(x), self._y(y), self._x(to_x), self._y(to_y))

    def frame(self, x: float, y: float, width: float, height: float, radius: float) -> None:
        """Draw a rectangle with rounded corners."""
        self._canvas.setLineWidth(2 * LINE_WIDTH_MM * mm)
        self._canvas.setStrokeGray(_FRAME_GREY_SHARE)
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


_LANGUAGES_WITHOUT_SPACES = ("zh",)
"""Languages written without spaces: a line may break after any letter."""

# reportlab knows the Japanese marks that may not begin a line; add the Chinese ones.
for lines in (textsplit, paragraphs):
    lines.ALL_CANNOT_START += "，；：！？"


def make_paragraph(words: str, style: ParagraphStyle, language: str) -> Paragraph:
    """Return the words as a paragraph with the line breaks of the language."""
    markup = "".join(
        escape(run) if font == style.fontName else f'<font name="{font}">{escape(run)}</font>'
        for font, run in split_by_font(words, style.fontName)
    )
    if language.startswith(_LANGUAGES_WITHOUT_SPACES):
        style = ParagraphStyle(f"{style.name}-{language}", style, wordWrap="CJK")
    return Paragraph(markup, style)


def measure_text(words: str, font: str, size: float) -> float:
    """Return the width of the words in points."""
    runs = split_by_font(words, font)
    return float(sum(pdfmetrics.stringWidth(run, face, size) for face, run in runs))


def draw_text(
    canvas: Canvas,
    point: tuple[float, float],
    words: str,
    font: tuple[str, float],
    left: float = 0.0,
) -> None:
    """Write a line at a place in points; `left` is the share of it left of the place, 0 to 1.

    The font is a name and a size.
    """
    name, size = font
    x = point[0] - left * measure_text(words, name, size)
    for face, run in split_by_font(words, name):
        canvas.setFont(face, size)
        canvas.drawString(x, point[1], run)
        x += pdfmetrics.stringWidth(run, face, size)


SPRITE_TILE_WIDTH, SPRITE_TILE_HEIGHT = 60.0, 80.0
"""Size of a tile in the sprite's units."""

_SVG_NAMESPACE = "{http://www.w3.org/2000/svg}"
_STYLE_ATTRIBUTES = ("fill", "stroke", "stroke-width")

_SvgStyle = dict[str, str]
"""The values of `_STYLE_ATTRIBUTES` that apply to an element."""


def draw_tile(canvas: Canvas, symbol: str, x: float, y: float, width: float) -> None:
    """Draw a tile `width` points wide with its lower left corner at x, y."""
    if not canvas.hasForm(symbol):
        canvas.beginForm(symbol, 0, 0, SPRITE_TILE_WIDTH, SPRITE_TILE_HEIGHT)
        canvas.transform(1, 0, 0, -1, 0, SPRITE_TILE_HEIGHT)  # the sprite's y grows downwards
        canvas.setLineCap(1)
        canvas.setLineJoin(1)
        for child in _load_sprite()[symbol]:
            _draw_element(canvas, child, {"fill": "#000000", "stroke": "none", "stroke-width": "1"})
        canvas.endForm()
    canvas.saveState()
    canvas.translate(x, y)
    canvas.scale(width / SPRITE_TILE_WIDTH, width / SPRITE_TILE_WIDTH)
    canvas.doForm(symbol)
    canvas.restoreState()


@cache
def _load_sprite() -> dict[str, ElementTree.Element]:
    text = (files("device.views") / "tiles.svg").read_text("utf-8")
    text = re.sub(r"var\(--[\w-]+,(#\w+)\)", r"\1", text)  # a page may choose other inks
    drawings = ElementTree.fromstring(text)  # noqa: S314 - the program's own file
    return {drawing.attrib["id"]: drawing for drawing in drawings}


def _draw_element(canvas: Canvas, element: ElementTree.Element, look: _SvgStyle) -> None:
    """Draw a group, a circle or a path of the sprite."""
    look = look | {
        name: element.attrib[name] for name in _STYLE_ATTRIBUTES if name in element.attrib
    }
    if element.tag == f"{_SVG_NAMESPACE}g":
        for child in element:
            _draw_element(canvas, child, look)
        return
    path = canvas.beginPath()
    if element.tag == f"{_SVG_NAMESPACE}circle":
        path.circle(*(float(element.attrib[name]) for name in ("cx", "cy", "r")))
    else:
        _trace_path(path, element.attrib["d"])
    is_filled, is_stroked = look["fill"] != "none", look["stroke"] != "none"
    if is_filled:
        canvas.setFillColor(look["fill"])
    if is_stroked:
        canvas.setStrokeColor(look["stroke"])
        canvas.setLineWidth(float(look["stroke-width"]))
    canvas.drawPath(path, stroke=is_stroked, fill=is_filled)


def _trace_path(path: PDFPathObject, d: str) -> None:
    """Follow a path's commands. The sprite uses only M and the relative l, c and z."""
    x = y = 0.0
    for command, text in re.findall(r"([Mlcz])([^Mlcz]*)", d):
        numbers = [float(number) for number in re.findall(r"-?\d*\.?\d+", text)]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        if command == "M":
            ((x, y),) = points
            path.moveTo(x, y)
        elif command == "l":
            for along, down in points:
                x, y = x + along, y + down
                path.lineTo(x, y)
        elif command == "c":
            for first in range(0, len(points), 3):
                curve = [(x + along, y + down) for along, down in points[first : first + 3]]
                path.curveTo(*(each for point in curve for each in point))
                x, y = curve[2]
        else:
            path.close()
