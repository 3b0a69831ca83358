"""Drawings to the inside of an SVG symbol."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .curves import beziers
from .shapes import Circle, Contour, Drawing, Group, Ink, Path, Shape


def to_svg(drawing: Drawing) -> str:
    """Return the drawing's elements, coordinates to one decimal.

    Paper has no colour of its own but the class `paper` or `paper-line`, for the sheet's style.
    """
    return "".join(_element(shape) for shape in drawing.shapes)


def _element(shape: Shape) -> str:
    match shape:
        case Group(name=name, shapes=shapes):
            return f'<g class="{name}">{"".join(_element(inner) for inner in shapes)}</g>'
        case Circle(centre=(x, y), radius=radius, ink=ink, width=width):
            return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"{_paint(ink, width)}/>'
        case Path(contours=contours, ink=ink, width=width):
            data = "".join(_data(contour, shape) for contour in contours)
            rule = ' fill-rule="evenodd"' if len(contours) > 1 else ""
            return f'<path d="{data}"{rule}{_paint(ink, width)}/>'


def _paint(ink: Ink, width: float) -> str:
    if not width:
        return ' class="paper"' if ink is None else f' fill="{_hex(ink)}"'
    colour = ' class="paper-line"' if ink is None else f' stroke="{_hex(ink)}"'
    caps = ' stroke-linecap="round" stroke-linejoin="round"'
    return f'{colour} fill="none" stroke-width="{_n(width)}"{caps}'


def _data(contour: Contour, path: Path) -> str:
    """Return path data in relative steps; rounding is done on the whole so that it cannot drift."""
    end = "z" if path.closed else ""
    if path.smooth:
        pieces = _tenths(beziers(contour, path.closed))
        start, steps, letter = pieces[0, 0], pieces[:, 1:] - pieces[:, :1], "c"
    else:
        points = _tenths(np.asarray(contour, dtype=np.float64))
        start, steps, letter = points[0], np.diff(points, axis=0), "l"
    return f"M{_numbers(start)}{letter}{_numbers(steps)}{end}"


def _tenths(points: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.round(points * 10).astype(np.int64)


def _numbers(tenths: NDArray[np.int64]) -> str:
    text = ""
    for value in tenths.ravel().tolist():
        number = _n(value / 10)
        text += number if not text or number.startswith("-") else f" {number}"
    return text


def _n(value: float) -> str:
    text = f"{value:.1f}".removesuffix(".0")
    if text == "-0":
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def _hex(ink: tuple[int, int, int]) -> str:
    return "#" + "".join(f"{channel:02x}" for channel in ink)
