"""Drawings to the inside of an SVG symbol."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from .curves import beziers
from .shapes import Circle, Colour, Contour, Drawing, Group, Path, Shape


def to_svg(drawing: Drawing, paper: Colour) -> str:
    """Return the drawing's elements, coordinates to one decimal; `paper` is what clears."""
    return _elements(drawing.shapes, paper)


def _elements(shapes: Iterable[Shape], paper: Colour) -> str:
    """Return the elements, those in a row with the same paint under one group."""
    text = ""
    for paint, run in groupby(shapes, lambda shape: _paint(shape, paper)):
        elements = [_element(shape, paper) for shape in run]
        if paint and len(elements) > 1:
            text += f"<g{paint}>{''.join(elements)}</g>"
        else:
            text += "".join(element.replace("/>", f"{paint}/>") for element in elements)
    return text


def _element(shape: Shape, paper: Colour) -> str:
    """Return one element without its paint."""
    match shape:
        case Group(name=name, shapes=shapes):
            # A page hides a group by its own variable, which reaches into a sprite where styles do
            # not: `--tile-index: none`.
            shown = f' display="var(--tile-{name},inline)"'
            return f'<g class="{name}"{shown}>{_elements(shapes, paper)}</g>'
        case Circle(centre=(x, y), radius=radius):
            return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"/>'
        case Path(contours=contours):
            data = "".join(_data(contour, shape) for contour in contours)
            rule = ' fill-rule="evenodd"' if len(contours) > 1 else ""
            return f'<path d="{data}"{rule}/>'


def _paint(shape: Shape, paper: Colour) -> str:
    """Return the attributes for a shape's colour and line, empty for a group."""
    if isinstance(shape, Group):
        return ""
    colour = _hex(shape.ink or paper)
    if not shape.width:
        return f' fill="{colour}"'
    caps = ' stroke-linecap="round" stroke-linejoin="round"'
    return f' fill="none" stroke="{colour}" stroke-width="{_n(shape.width)}"{caps}'


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


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{channel:02x}" for channel in colour)
