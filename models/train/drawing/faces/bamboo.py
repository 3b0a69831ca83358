"""The bamboos: how the sticks of each number lie, and how one stick is drawn."""

from __future__ import annotations

from math import atan2, degrees

from models.train.drawing.faces.shapes import (
    PAPER,
    Box,
    Circle,
    Ink,
    Path,
    Point,
    Shape,
    blob,
    distance,
    line,
    move,
    place,
    polygon,
    round_box,
)
from models.train.drawing.faces.style import BAMBOO_PLANS, Style

Stick = tuple[Point, Point]
"""Both ends as parts of the box."""


def _row(columns: tuple[float, ...], top: float, bottom: float) -> tuple[Stick, ...]:
    return tuple(((x, top), (x, bottom)) for x in columns)


RING_SPACING = 0.95
"""About how far the rings of a chain lie apart, in widths of a stick."""

RING_LINE = 0.2
"""Line width of a chain's rings, in widths of a stick."""

_TWO, _THREE = (0.2, 0.8), (0.14, 0.5, 0.86)
_ARRANGEMENTS: dict[int, tuple[Stick, ...]] = {
    2: (*_row((0.5,), 0.02, 0.48), *_row((0.5,), 0.52, 0.98)),
    3: (*_row((0.5,), 0.02, 0.48), *_row(_TWO, 0.52, 0.98)),
    4: (*_row(_TWO, 0.02, 0.48), *_row(_TWO, 0.52, 0.98)),
    5: (*_row(_TWO, 0.02, 0.48), *_row((0.5,), 0.27, 0.73), *_row(_TWO, 0.52, 0.98)),
    6: (*_row(_THREE, 0.02, 0.48), *_row(_THREE, 0.52, 0.98)),
    7: (*_row((0.5,), 0.0, 0.32), *_row(_THREE, 0.34, 0.66), *_row(_THREE, 0.68, 1.0)),
    8: (
        ((0.12, 0.04), (0.12, 0.46)), ((0.17, 0.40), (0.47, 0.12)),
        ((0.53, 0.12), (0.83, 0.40)), ((0.88, 0.04), (0.88, 0.46)),
        ((0.12, 0.54), (0.12, 0.96)), ((0.17, 0.60), (0.47, 0.88)),
        ((0.53, 0.88), (0.83, 0.60)), ((0.88, 0.54), (0.88, 0.96)),
    ),
    9: (*_row(_THREE, 0.0, 0.32), *_row(_THREE, 0.34, 0.66), *_row(_THREE, 0.68, 1.0)),
}  # fmt: skip

_SIX_IN_PAIRS = (*_row(_TWO, 0.0, 0.32), *_row(_TWO, 0.34, 0.66), *_row(_TWO, 0.68, 1.0))
"""Six sticks as some makers lay them."""


def bamboos(rank: int, box: Box, style: Style) -> tuple[Shape, ...]:
    """Return the picture of a bamboo tile from 2 to 9 in the box left, top, right, bottom."""
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    sticks = _SIX_IN_PAIRS if rank == 6 and style.sixes_in_pairs else _ARRANGEMENTS[rank]
    plan = BAMBOO_PLANS[style.bamboo_plan].get(rank, "g" * rank)
    if style.red_fives and rank == 5:
        plan = "r" * 5
    thick = style.bamboo_size * min(width / 3.4, height * 0.15)
    if rank == 8:
        thick *= 0.8
    shapes: list[Shape] = []
    for (start, end), letter in zip(sticks, plan, strict=True):
        p = (left + start[0] * width, top + start[1] * height)
        q = (left + end[0] * width, top + end[1] * height)
        turn = degrees(atan2(q[1] - p[1], q[0] - p[0])) - 90
        middle = ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)
        drawing = stick(distance(p, q) / thick, style, style.plan_ink(letter))
        shapes += move(drawing, place(*middle, thick, turn))
    return tuple(shapes)


def stick_middles(rank: int) -> list[Point]:
    """Return the middles of the sticks, as parts of the box that just holds them, 2 to 9."""
    return [((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in _ARRANGEMENTS[rank]]


def stick(length: float, style: Style, ink: Ink) -> tuple[Shape, ...]:
    """Return an upright stick one unit wide and `length` long about the origin."""
    half = length / 2
    slit = line([(0, -half * 0.62), (0, -half * 0.2)], PAPER, 0.17)
    other = line([(0, half * 0.2), (0, half * 0.62)], PAPER, 0.17)
    match style.bamboo:
        case "stick":
            body = Path((round_box((-0.4, -half, 0.4, half), 0.3),), ink, smooth=True)
            return (body, line([(-0.4, 0), (0.4, 0)], PAPER, 0.14), slit, other)
        case "jointed":
            return tuple(shape for y in (-1, 1) for shape in _segment(half, y, ink))
        case "chain":
            return (_lobes(half, 0.5, 0.24, ink), _lobes(half - 0.2, 0.24, 0.1, PAPER),
                    _lobes(half - 0.34, 0.1, 0.05, ink))  # fmt: skip
        case "slit":
            return (_lobes(half, 0.5, 0.3, ink), slit, other)
        case "links":
            rings = tuple(Circle((0, y), 0.1, PAPER) for y in (-half * 0.5, half * 0.5))
            return (_lobes(half, 0.5, 0.28, ink), _lobes(half - 0.18, 0.34, 0.16, PAPER),
                    _lobes(half - 0.36, 0.24, 0.2, ink), slit, other, *rings)  # fmt: skip
        case "bar":
            body = Path((round_box((-0.46, -half, 0.46, half), 0.4),), ink, smooth=True)
            inner = Path(
                (round_box((-0.28, 0.2 - half, 0.28, half - 0.2), 0.26),), PAPER, smooth=True
            )
            return (body, inner, line([(0, 0.5 - half), (0, half - 0.5)], ink, 0.24))
        case "knuckles":
            body = line([(0, 0.3 - half), (0, half - 0.3)], ink, 0.44)
            balls = tuple(Circle((0, y), 0.42, ink) for y in (0.4 - half, 0, half - 0.4))
            return (body, *balls, slit, other)
        case "rings":
            count = max(2, round(length / RING_SPACING))
            radius = half / count
            return tuple(
                Circle((0, (2 * k + 1) * radius - half), radius - RING_LINE / 2, ink, RING_LINE)
                for k in range(count)
            )
        case "bone":
            body = polygon([(-0.3, -half), (0.3, -half), (0.3, half), (-0.3, half)], ink)
            knots = tuple(
                line([(-0.36, y), (0.36, y)], ink, 0.26) for y in (-half + 0.13, 0, half - 0.13)
            )
            return (body, slit, other, *knots)


def _lobes(half: float, wide: float, waist: float, ink: Ink) -> Path:
    """Return a stick of two bulging lobes with a waist and flared ends."""
    side: list[Point] = [
        (wide * 0.62, -half), (wide, -half * 0.86), (wide * 0.86, -half * 0.5),
        (wide, -half * 0.16), (waist, 0), (wide, half * 0.16), (wide * 0.86, half * 0.5),
        (wide, half * 0.86), (wide * 0.62, half),
    ]  # fmt: skip
    return blob(side + [(-x, y) for x, y in reversed(side)], ink)


def _segment(half: float, y: int, ink: Ink) -> tuple[Shape, ...]:
    inner, outer = y * half * 0.06, y * half
    top, bottom = min(inner, outer), max(inner, outer)
    pinch = (bottom - top) * 0.5
    side: list[Point] = [(0.46, top), (0.46, top), (0.3, top + pinch), (0.46, bottom),
                         (0.46, bottom)]  # fmt: skip
    body = blob(side + [(-x, v) for x, v in reversed(side)], ink)
    return (body, line([(0, top + pinch * 0.5), (0, bottom - pinch * 0.5)], PAPER, 0.16))
