"""Draw the tiles of the page's sprite in a PDF; each kind is stored once."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from xml.etree import ElementTree

from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

WIDTH, HEIGHT = 60.0, 80.0
"""Size of a tile in the sprite's units."""

_SVG = "{http://www.w3.org/2000/svg}"
_LOOK = ("fill", "stroke", "stroke-width")

_Look = dict[str, str]
"""The values of `_STYLE_ATTRIBUTES` that apply to an element."""


def draw_tile(canvas: Canvas, symbol: str, x: float, y: float, width: float) -> None:
    """Draw a tile `width` points wide with its lower left corner at x, y."""
    if not canvas.hasForm(symbol):
        canvas.beginForm(symbol, 0, 0, WIDTH, HEIGHT)
        canvas.transform(1, 0, 0, -1, 0, HEIGHT)  # the sprite's y grows downwards
        canvas.setLineCap(1)
        canvas.setLineJoin(1)
        for child in _sprite()[symbol]:
            _draw(canvas, child, {"fill": "#000000", "stroke": "none", "stroke-width": "1"})
        canvas.endForm()
    canvas.saveState()
    canvas.translate(x, y)
    canvas.scale(width / WIDTH, width / WIDTH)
    canvas.doForm(symbol)
    canvas.restoreState()


@cache
def _sprite() -> dict[str, ElementTree.Element]:
    text = (files("device.views") / "tiles.svg").read_text("utf-8")
    drawings = ElementTree.fromstring(text)  # noqa: S314 - the program's own file
    return {drawing.attrib["id"]: drawing for drawing in drawings}


def _draw(canvas: Canvas, element: ElementTree.Element, look: _Look) -> None:
    """Draw a group, a circle or a path of the sprite."""
    look = look | {name: element.attrib[name] for name in _LOOK if name in element.attrib}
    if element.tag == f"{_SVG}g":
        for child in element:
            _draw(canvas, child, look)
        return
    path = canvas.beginPath()
    if element.tag == f"{_SVG}circle":
        path.circle(*(float(element.attrib[name]) for name in ("cx", "cy", "r")))
    else:
        _trace(path, element.attrib["d"])
    filled, stroked = look["fill"] != "none", look["stroke"] != "none"
    if filled:
        canvas.setFillColor(look["fill"])
    if stroked:
        canvas.setStrokeColor(look["stroke"])
        canvas.setLineWidth(float(look["stroke-width"]))
    canvas.drawPath(path, stroke=stroked, fill=filled)


def _trace(path: PDFPathObject, d: str) -> None:
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
