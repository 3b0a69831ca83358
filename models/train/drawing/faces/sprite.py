"""Write the page's tiles as one SVG sprite: `python -m models.train.drawing.faces.sprite`.

A tile is a face in the house style on an ivory body, a back or an unknown tile.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path as File

import numpy as np
from numpy.typing import NDArray

from models.train.drawing.faces.face import draw_face
from models.train.drawing.faces.shapes import (
    Circle,
    Colour,
    Contour,
    Drawing,
    Group,
    Path,
    Shape,
    beziers,
    line,
    move,
    place,
    polar,
    polygon,
    round_box,
)
from models.train.drawing.faces.style import HOUSE_STYLE
from scorer.tiles import CODES


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
            display = f' display="var(--tile-{name},inline)"'
            return f'<g class="{name}"{display}>{_elements(shapes, paper)}</g>'
        case Circle(centre=(x, y), radius=radius):
            return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"/>'
        case Path(contours=contours):
            data = "".join(_data(contour, shape) for contour in contours)
            rule = ' fill-rule="evenodd"' if len(contours) > 1 else ""
            return f'<path d="{data}"{rule}/>'


def _paint(shape: Shape, paper: Colour) -> str:
    """Return the attributes for a shape's colour and line, empty for a group."""
    if isinstance(shape, Group):
        return ""
    colour = _css_colour(shape.ink or paper)
    if not shape.width:
        return f' fill="{colour}"'
    caps = ' stroke-linecap="round" stroke-linejoin="round"'
    return f' fill="none" stroke="{colour}" stroke-width="{_number(shape.width)}"{caps}'


def _data(contour: Contour, path: Path) -> str:
    """Return path data in relative steps; rounding is done on the whole so that it cannot drift."""
    end = "z" if path.is_closed else ""
    if path.smooth:
        pieces = _tenths(beziers(contour, path.is_closed))
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
        number = _number(value / 10)
        text += number if not text or number.startswith("-") else f" {number}"
    return text


def _number(value: float) -> str:
    text = f"{value:.1f}".removesuffix(".0")
    if text == "-0":
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


_INK_NAMES = {HOUSE_STYLE.red: "red", HOUSE_STYLE.green: "green", HOUSE_STYLE.blue: "blue"}
"""The inks that tell suits and dragons apart. A page changes them by `--red` and so on."""


def _css_colour(colour: Colour) -> str:
    name = _INK_NAMES.get(colour)
    return f"var(--{name},{_hex(colour)})" if name else _hex(colour)


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{channel:02x}" for channel in colour)


_IVORY: Colour = (253, 249, 238)
_EDGE: Colour = (206, 193, 160)
_SIDE: Colour = (226, 215, 186)
_JADE: Colour = (24, 112, 88)
_JADE_DARK: Colour = (14, 78, 62)
_JADE_LIGHT: Colour = (120, 190, 162)
_GREY: Colour = (92, 90, 84)
_PICTURE_LIFT = 1.6


def tile_svg(code: str) -> str:
    """Return the elements of one of the 42 tiles, face up."""
    picture, index = draw_face(code, HOUSE_STYLE).shapes
    # The near side takes its sliver from the foot of the face: the picture moves up by half of it.
    face = (*_body(_IVORY, _SIDE, _EDGE).shapes, *move((picture,), place(0, -_PICTURE_LIFT)), index)
    return to_svg(Drawing(face), _IVORY)


def back_svg() -> str:
    """Return the elements of a tile that lies face down."""
    return to_svg(Drawing((*_body(_JADE, _JADE_DARK, _JADE_DARK).shapes, *_pattern())), _JADE)


def unknown_svg() -> str:
    """Return the elements of an unknown tile."""
    hook = line([(20, 29), (22, 22), (30, 19), (38, 22), (40, 30), (36, 37), (31, 41), (30, 48)],
                _GREY, 5, smooth=True)  # fmt: skip
    mark = (hook, Circle((30, 59), 3.4, _GREY))
    return to_svg(Drawing((*_body(_IVORY, _SIDE, _EDGE).shapes, *mark)), _IVORY)


def _body(face: Colour, side: Colour, edge: Colour) -> Drawing:
    """Return a tile seen from a little below: its face above a sliver of its near side."""
    return Drawing(
        (
            Path((round_box((1, 3, 59, 79.2), 6),), side, smooth=True),
            Path((round_box((1, 0.8, 59, 76.4), 6),), face, smooth=True),
            Path((round_box((0.9, 0.9, 59.1, 79.1), 6),), edge, 0.9, smooth=True),
        )
    )


def _pattern() -> tuple[Shape, ...]:
    """Return the back's ornament: a frame, corner leaves and a rosette."""
    middle = (30.0, 38.5)
    shapes: list[Shape] = [
        Path((round_box((6, 6, 54, 71), 3),), _JADE_LIGHT, 1.2, smooth=True),
        Path((round_box((8.4, 8.4, 51.6, 68.6), 2),), _JADE_LIGHT, 0.5, smooth=True),
    ]
    for k in range(8):
        tip, side = polar(middle, 16, 45 * k), 45 * k
        left, right = polar(middle, 9.5, side - 15), polar(middle, 9.5, side + 15)
        shapes.append(polygon([polar(middle, 4.4, side), left, tip, right], _JADE_LIGHT))
    shapes += [Circle(middle, 18.6, _JADE_LIGHT, 0.9), Circle(middle, 2.6, _JADE_LIGHT)]
    for x in (14.5, 45.5):
        for y in (14.5, 62.5):
            ends = ((x - 3.4, y), (x, y - 3.4), (x + 3.4, y), (x, y + 3.4))
            shapes.append(polygon(list(ends), _JADE_LIGHT))
    return tuple(shapes)


SPRITE_FILE = File(__file__).parents[4] / "device" / "views" / "tiles.svg"


def build_sprite() -> str:
    """Return one SVG with a symbol per tile, and one each for a back and an unknown tile.

    The page refers to `tile-B1` and so on, `tile-back` and `tile-unknown`, all 60 x 80.
    """
    symbols = [_symbol(code, tile_svg(code)) for code in CODES]
    symbols += [_symbol("back", back_svg()), _symbol("unknown", unknown_svg())]
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "".join(symbols) + "</svg>\n"


def _symbol(name: str, elements: str) -> str:
    return f'<symbol id="tile-{name}" viewBox="0 0 60 80">{elements}</symbol>\n'


if __name__ == "__main__":
    SPRITE_FILE.write_text(build_sprite(), encoding="utf-8")
    print(f"{SPRITE_FILE}: {SPRITE_FILE.stat().st_size:,} bytes")
