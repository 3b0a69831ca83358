"""Whole tiles for the page: the house style's faces on an ivory body, a back and an unknown."""

from __future__ import annotations

from .face import draw_face
from .house import HOUSE_STYLE
from .shapes import (
    Circle,
    Colour,
    Drawing,
    Path,
    Shape,
    around,
    line,
    moved,
    place,
    polygon,
    rounded,
)
from .svg import to_svg

IVORY: Colour = (253, 249, 238)
_EDGE: Colour = (206, 193, 160)
_SIDE: Colour = (226, 215, 186)
_JADE: Colour = (24, 112, 88)
_JADE_DARK: Colour = (14, 78, 62)
_JADE_LIGHT: Colour = (120, 190, 162)
_GREY: Colour = (92, 90, 84)
_LIFT = 1.6


def tile_svg(code: str) -> str:
    """Return the elements of one of the 42 tiles, face up."""
    picture, index = draw_face(code, HOUSE_STYLE).shapes
    # The near side takes its sliver from the foot of the face: the picture moves up by half of it.
    face = (*_body(IVORY, _SIDE, _EDGE).shapes, *moved((picture,), place(0, -_LIFT)), index)
    return to_svg(Drawing(face), IVORY)


def back_svg() -> str:
    """Return the elements of a tile that lies face down."""
    return to_svg(Drawing((*_body(_JADE, _JADE_DARK, _JADE_DARK).shapes, *_pattern())), _JADE)


def unknown_svg() -> str:
    """Return the elements of a tile whose face is not known."""
    hook = line([(20, 29), (22, 22), (30, 19), (38, 22), (40, 30), (36, 37), (31, 41), (30, 48)],
                _GREY, 5, smooth=True)  # fmt: skip
    mark = (hook, Circle((30, 59), 3.4, _GREY))
    return to_svg(Drawing((*_body(IVORY, _SIDE, _EDGE).shapes, *mark)), IVORY)


def _body(face: Colour, side: Colour, edge: Colour) -> Drawing:
    """Return a tile seen from a little below: its face above a sliver of its near side."""
    return Drawing(
        (
            Path((rounded((1, 3, 59, 79.2), 6),), side, smooth=True),
            Path((rounded((1, 0.8, 59, 76.4), 6),), face, smooth=True),
            Path((rounded((0.9, 0.9, 59.1, 79.1), 6),), edge, 0.9, smooth=True),
        )
    )


def _pattern() -> tuple[Shape, ...]:
    """Return the back's ornament: a frame, corner leaves and a rosette."""
    middle = (30.0, 38.5)
    shapes: list[Shape] = [
        Path((rounded((6, 6, 54, 71), 3),), _JADE_LIGHT, 1.2, smooth=True),
        Path((rounded((8.4, 8.4, 51.6, 68.6), 2),), _JADE_LIGHT, 0.5, smooth=True),
    ]
    for k in range(8):
        tip, side = around(middle, 16, 45 * k), 45 * k
        left, right = around(middle, 9.5, side - 15), around(middle, 9.5, side + 15)
        shapes.append(polygon([around(middle, 4.4, side), left, tip, right], _JADE_LIGHT))
    shapes += [Circle(middle, 18.6, _JADE_LIGHT, 0.9), Circle(middle, 2.6, _JADE_LIGHT)]
    for x in (14.5, 45.5):
        for y in (14.5, 62.5):
            ends = ((x - 3.4, y), (x, y - 3.4), (x + 3.4, y), (x, y + 3.4))
            shapes.append(polygon(list(ends), _JADE_LIGHT))
    return tuple(shapes)
