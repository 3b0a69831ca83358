"""Digits and capitals for the corner index, drawn as pen lines on a grid 10 high.

Lines run straight between points; a line written after `~` is a smooth curve, where a point given
twice is a corner. Each sign stands with its width.
"""

from __future__ import annotations

from dataclasses import dataclass

from .fonts import Font, outline_width, text_outline
from .shapes import Ink, Path, Point, line

_SIGNS: dict[str, tuple[float, str]] = {
    "1": (4.0, "0.4,2.4 2.6,0 2.6,10"),
    "2": (6.0, "~0.3,2.4 1.2,0.6 3,0 4.9,0.6 5.7,2.5 4.9,4.6 0.2,10 0.2,10 5.8,10"),
    "3": (
        6.0,
        "~0.3,1.8 1.3,0.5 3,0 4.9,0.7 5.4,2.4 4.6,4.1 2.6,4.7 2.6,4.7 4.9,5.4 5.8,7.2"
        " 5,9.2 2.9,10 1,9.5 0,8",
    ),
    "4": (6.4, "4.6,10 4.6,0 0.1,7 6.2,7"),
    "5": (6.0, "5.3,0 1.0,0 0.6,4.6;~0.6,4.6 2.8,3.7 4.9,4.5 5.8,6.7 5,9.1 2.8,10 1.1,9.6 0,8.4"),
    "6": (
        6.0,
        "~4.9,0.4 2.6,1.6 0.8,4 0.2,6.7 0.9,9.1 3,10 5.1,9.1 5.9,6.8 5.1,4.7 3.1,3.9"
        " 1.1,4.8 0.2,6.7",
    ),
    "7": (6.0, "0.1,0 5.8,0 2,10"),
    "8": (
        6.0,
        "~3,4.6 1.1,3.9 0.5,2.3 1.2,0.6 3,0 4.8,0.6 5.5,2.3 4.9,3.9 3,4.6 1,5.5 0.1,7.3"
        " 0.9,9.3 3,10 5.1,9.3 5.9,7.3 5,5.5 3,4.6",
    ),
    "9": (
        6.0,
        "~1.1,9.6 3.4,8.4 5.2,6 5.8,3.3 5.1,0.9 3,0 0.9,0.9 0.1,3.2 0.9,5.3 2.9,6.1"
        " 4.9,5.2 5.8,3.3",
    ),
    "B": (
        6.0,
        "0.3,10 0.3,0 3,0;0.3,4.7 3,4.7;0.3,10 3,10;~3,0 4.9,0.7 5.5,2.3 4.8,4 3,4.7"
        " 3,4.7 5.1,5.5 5.9,7.3 5,9.3 3,10",
    ),
    "C": (7.0, "~6.6,2 5.4,0.6 3.7,0 1.6,0.8 0.4,2.8 0.1,5 0.4,7.2 1.6,9.2 3.7,10 5.4,9.4 6.6,8"),
    "E": (5.2, "5,0 0.3,0 0.3,10 5,10;0.3,4.8 4.4,4.8"),
    "F": (5.0, "4.9,0 0.3,0 0.3,10;0.3,4.8 4.2,4.8"),
    "G": (
        7.2,
        "~6.6,2 5.4,0.6 3.7,0 1.6,0.8 0.4,2.8 0.1,5 0.4,7.2 1.6,9.2 3.7,10 5.5,9.5"
        " 6.8,8.2;6.8,8.2 6.8,5.2 4,5.2",
    ),
    "N": (6.6, "0.3,10 0.3,0 6.2,10 6.2,0"),
    "P": (5.8, "0.3,10 0.3,0 3,0;0.3,5.3 3,5.3;~3,0 4.9,0.8 5.6,2.6 4.9,4.5 3,5.3"),
    "R": (6.2, "0.3,10 0.3,0 3,0;0.3,5.1 3,5.1 6,10;~3,0 4.9,0.7 5.6,2.5 4.9,4.4 3,5.1"),
    "S": (
        6.0,
        "~5.5,1.9 4.6,0.5 2.9,0 1.1,0.6 0.4,2.3 1.1,4.1 3,4.9 5,5.8 5.8,7.5 5,9.4 3,10"
        " 1.1,9.5 0.1,8",
    ),
    "W": (9.0, "0.1,0 2.3,10 4.5,2 6.7,10 8.9,0"),
    "h": (5.0, "0.3,0 0.3,10;~0.3,6 1.4,4.4 2.8,3.8 4.2,4.4 4.7,6 4.7,6 4.7,10"),
}

_SERIFS: dict[str, str] = {
    "1": "1,10 4.2,10",
    "4": "3.2,10 6,10",
    "7": "0.1,0 0.1,1.6",
    "E": "5,0 5,1.6;5,10 5,8.4;-0.7,0 1,0;-0.7,10 1,10",
    "F": "4.9,0 4.9,1.6;-0.7,0 1,0;-0.8,10 1.6,10",
    "N": "-0.8,0 0.8,0;-0.9,10 1.5,10;5.1,0 7.2,0",
    "P": "-0.7,0 1,0;-0.8,10 1.6,10",
    "R": "-0.7,0 1,0;-0.8,10 1.6,10;5.2,10 6.9,10",
    "B": "-0.7,0 1,0;-0.7,10 1,10",
    "W": "-0.9,0 1.3,0;7.8,0 9.9,0",
}
"""Short feet that turn the plain signs into a serif face."""


@dataclass(frozen=True, slots=True)
class Typeface:
    """`weight` is the line width in grid units, `stretch` the width of a sign (1 is normal)."""

    weight: float = 1.9
    stretch: float = 1.0
    serif: bool = False


def text_width(text: str, height: float, typeface: Typeface | Font) -> float:
    """Return the width of a text whose capitals are `height` high."""
    if isinstance(typeface, Font):
        return outline_width(text, height, typeface)
    advance = sum(_SIGNS[sign][0] * typeface.stretch + _gap(typeface) for sign in text)
    return (advance - _gap(typeface) + typeface.weight) * _scale(height, typeface)


def text_shapes(text: str, height: float, typeface: Typeface | Font, ink: Ink) -> tuple[Path, ...]:
    """Return the text with its top left corner at the origin, ink to ink."""
    if isinstance(typeface, Font):
        return text_outline(text, height, typeface, ink)
    scale = _scale(height, typeface)
    half = typeface.weight / 2
    paths: list[Path] = []
    left = half
    for sign in text:
        width, lines = _SIGNS[sign]
        feet = _SERIFS.get(sign, "") if typeface.serif else ""
        for written, thickness in ((lines, typeface.weight), (feet, typeface.weight * 0.6)):
            for row in filter(None, written.split(";")):
                points = _points(row.removeprefix("~"), left, half, typeface.stretch, scale)
                paths.append(line(points, ink, thickness * scale, smooth=row.startswith("~")))
        left += width * typeface.stretch + _gap(typeface)
    return tuple(paths)


def _points(row: str, left: float, top: float, stretch: float, scale: float) -> list[Point]:
    pairs = (pair.split(",") for pair in row.split())
    return [((left + float(x) * stretch) * scale, (top + float(y)) * scale) for x, y in pairs]


def _gap(typeface: Typeface) -> float:
    return typeface.weight + 1.0


def _scale(height: float, typeface: Typeface) -> float:
    return height / (10 + typeface.weight)
