"""The circles: how the dots lie, how one dot is drawn, and the great dot of the 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from models.train.drawing.faces.dice import Dice
from models.train.drawing.faces.shapes import (
    PAPER,
    Box,
    Circle,
    Ink,
    Path,
    Point,
    Shape,
    blob,
    line,
    move,
    place,
    polar,
)
from models.train.drawing.faces.style import CIRCLE_PLANS, GreatCircle, Style

_CENTRE: Point = (0.0, 0.0)


def _rosette(style: Style) -> tuple[Shape, ...]:
    rim = style.plan_ink("b")
    return (
        Circle(_CENTRE, 1, rim),
        Circle(_CENTRE, 0.9, PAPER, 0.035),
        *(ray_petal(0.6, 0.85, 0.055, 15 * k, PAPER) for k in range(24)),
        Circle(_CENTRE, 0.52, PAPER),
        Circle(_CENTRE, 0.47, style.red),
        *(ray_petal(0.1, 0.42, 0.13, 60 * k, PAPER) for k in range(6)),
    )


def _sunflower(style: Style) -> tuple[Shape, ...]:
    petals: list[Shape] = []
    for k in range(14):
        petals.append(ray_petal(0.45, 1.0, 0.2, 360 / 14 * k, style.green))
        petals.append(ray_petal(0.56, 0.86, 0.08, 360 / 14 * k, PAPER))
    return (
        *petals,
        Circle(_CENTRE, 0.5, PAPER),
        Circle(_CENTRE, 0.42, style.red, 0.12),
        Circle(_CENTRE, 0.22, style.red, 0.1),
        Circle(_CENTRE, 0.07, style.red),
    )


def _rings(style: Style) -> tuple[Shape, ...]:
    bold = style.boldness
    return (
        Circle(_CENTRE, 0.9, style.plan_ink("b"), 0.18 * bold),
        Circle(_CENTRE, 0.64, style.green, 0.16 * bold),
        Circle(_CENTRE, 0.4, style.red, 0.14 * bold),
        Circle(_CENTRE, 0.12, style.red),
    )


def _wheel(style: Style) -> tuple[Shape, ...]:
    bold = style.boldness
    return (
        Circle(_CENTRE, 0.93, style.plan_ink("b"), 0.13 * bold),
        Circle(_CENTRE, 0.76, style.green, 0.07 * bold),
        *(spoke(0.34, 0.72, 22.5 * k, style.green, 0.07 * bold) for k in range(16)),
        Circle(_CENTRE, 0.36, style.red),
        *(ray_petal(0.06, 0.3, 0.09, 45 * k, PAPER) for k in range(8)),
    )


def _medallion(style: Style) -> tuple[Shape, ...]:
    leaf, bold = style.green, style.boldness
    return (
        Circle(_CENTRE, 0.96, leaf, 0.08 * bold),
        *(Circle(polar(_CENTRE, 0.8, 22.5 * k), 0.085, leaf) for k in range(16)),
        Circle(_CENTRE, 0.62, leaf, 0.07 * bold),
        *(ray_petal(0.18, 0.56, 0.17, 45 * k, style.red) for k in range(8)),
        Circle(_CENTRE, 0.16, style.red, 0.07),
    )


def _invented_dot(style: Style) -> tuple[Shape, ...]:
    inks = (style.plan_ink("b"), style.green, style.red, style.red)
    return invented_rings(style, Dice(np.random.default_rng([style.seed, 3])).integer(3, 5), inks)


def invented_rings(style: Style, count: int, inks: Sequence[Ink]) -> tuple[Shape, ...]:
    """Return `count` rings that no maker has drawn yet; a style always draws the same."""
    dice = Dice(np.random.default_rng([style.seed, 4, count]))
    shapes: list[Shape] = []
    edges = [1.0, *sorted((dice.uniform(0.15, 0.85) for _ in range(count - 1)), reverse=True), 0.0]
    for outer, inner in pairwise(edges):
        ink = dice.pick(inks) if outer < 1 else inks[0]
        kind = dice.pick(tuple(_BANDS), (3, 3, 2, 2, 1))
        shapes += [Circle(_CENTRE, outer, PAPER), *_BANDS[kind](inner, outer, ink, dice)]
    return tuple(shapes)


def _solid_band(inner: float, outer: float, ink: Ink, dice: Dice) -> tuple[Shape, ...]:
    return (Circle(_CENTRE, outer * 0.97, ink), Circle(_CENTRE, inner * 1.06, PAPER))


def _line_band(inner: float, outer: float, ink: Ink, dice: Dice) -> tuple[Shape, ...]:
    width = min(0.2, (outer - inner) * dice.uniform(0.4, 0.8))
    return (Circle(_CENTRE, max(0.02, outer - width / 2), ink, width),)


def _petal_band(inner: float, outer: float, ink: Ink, dice: Dice) -> tuple[Shape, ...]:
    count = dice.integer(6, 16)
    half = min(0.4, 2.2 * outer / count)
    return tuple(ray_petal(inner, outer, half, 360 / count * k, ink) for k in range(count))


def _cut_band(inner: float, outer: float, ink: Ink, dice: Dice) -> tuple[Shape, ...]:
    count, outer_radius = dice.integer(4, 14), outer - (outer - inner) * 0.15
    half = min(0.25, 1.4 * outer / count)
    cuts = (ray_petal(inner, outer_radius, half, 360 / count * k, PAPER) for k in range(count))
    return (Circle(_CENTRE, outer, ink), *cuts)


def _bead_band(inner: float, outer: float, ink: Ink, dice: Dice) -> tuple[Shape, ...]:
    middle, size = (inner + outer) / 2, (outer - inner) * 0.42
    count = max(4, min(18, int(2.4 * middle / max(size, 0.04))))
    return tuple(Circle(polar(_CENTRE, middle, 360 / count * k), size, ink) for k in range(count))


_BANDS: dict[str, Callable[[float, float, Ink, Dice], tuple[Shape, ...]]] = {
    "solid": _solid_band, "line": _line_band, "petals": _petal_band, "cuts": _cut_band,
    "beads": _bead_band,
}  # fmt: skip

GREAT_CIRCLES: dict[GreatCircle, Callable[[Style], tuple[Shape, ...]]] = {
    "rosette": _rosette,
    "sunflower": _sunflower,
    "rings": _rings,
    "wheel": _wheel,
    "medallion": _medallion,
    "invented": _invented_dot,
}
"""Each design's drawing."""


def ray_petal(inner_radius: float, outer_radius: float, half: float, turn: float, ink: Ink) -> Path:
    """Return a petal about the ray at `turn`, `half` units to either side at its widest."""
    points: list[Point] = [
        (0, -inner_radius),
        (half * 0.75, -inner_radius - (outer_radius - inner_radius) * 0.35),
    ]
    points += [(half, -inner_radius - (outer_radius - inner_radius) * 0.68), (0, -outer_radius)]
    points += [(-x, y) for x, y in points[2:0:-1]]
    transform = place(0, 0, 1, turn)
    return blob([transform(p) for p in points], ink)


def spoke(inner_radius: float, outer_radius: float, turn: float, ink: Ink, width: float) -> Path:
    """Return a line along the ray at `turn`, from `inner_radius` to `outer_radius`."""
    return line([polar((0, 0), inner_radius, turn), polar((0, 0), outer_radius, turn)], ink, width)


_EVEN_ROOM = 0.4
"""Room of the dots of a maker who makes those of all numbers alike."""

_MAX_GATHERED_DOTS = 5
"""More dots than this leave no room to lie closer together."""

_COLUMNS = (0.168, 0.5, 0.832)
_ARRANGEMENTS: dict[int, tuple[float, tuple[Point, ...]]] = {
    2: (0.64, ((0.50, 0.25), (0.50, 0.75))),
    3: (0.43, ((0.215, 0.16), (0.50, 0.50), (0.785, 0.84))),
    4: (0.47, ((0.22, 0.22), (0.78, 0.22), (0.22, 0.78), (0.78, 0.78))),
    5: (0.40, ((0.20, 0.155), (0.80, 0.155), (0.50, 0.50), (0.20, 0.845), (0.80, 0.845))),
    6: (0.435, tuple((x, y) for y in (0.15, 0.53, 0.85) for x in (0.28, 0.72))),
    7: (0.365, ((0.185, 0.125), (0.5, 0.225), (0.815, 0.325), (0.30, 0.595), (0.70, 0.595),
                (0.30, 0.87), (0.70, 0.87))),
    8: (0.375, tuple((x, y) for y in (0.127, 0.376, 0.624, 0.873) for x in (0.30, 0.70))),
    9: (0.335, tuple((x, y) for y in (0.15, 0.5, 0.85) for x in _COLUMNS)),
}  # fmt: skip
"""Room of a dot as a part of the box's width; the dots' centres as parts of the box."""


def circles(rank: int, box: Box, style: Style) -> tuple[Shape, ...]:
    """Return the picture of a circle tile in the box left, top, right, bottom."""
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    if rank == 1:
        middle = ((left + right) / 2, (top + bottom) / 2)
        return move(
            GREAT_CIRCLES[style.great_circle](style), place(*middle, min(width, height * 0.78) / 2)
        )
    room, centres = _ARRANGEMENTS[rank]
    if style.circles_even:
        room = min(room, _EVEN_ROOM)
    radius = min(room * width, room * height * 0.68) / 2 * style.circle_size
    shapes: list[Shape] = []
    plan = "r" * 5 if style.red_fives and rank == 5 else CIRCLE_PLANS[style.circle_plan][rank]
    gather = style.circle_gather if rank <= _MAX_GATHERED_DOTS else 1.0
    for (u, v), letter in zip(centres, plan, strict=True):
        x = 1.0 - u if style.circles_rise else u
        y = v + (0.5 - v) * (1.0 - gather)
        transform = place(left + x * width, top + y * height, radius)
        shapes += move(dot(style, style.plan_ink(letter)), transform)
    return tuple(shapes)


def dot_centres(rank: int) -> list[Point]:
    """Return where the dots lie, as parts of the box that just holds them, 2 to 9."""
    xs, ys = zip(*_ARRANGEMENTS[rank][1], strict=True)
    half = _ARRANGEMENTS[rank][0] / 2
    (left, right), (top, bottom) = (
        (min(places) - half * part, max(places) + half * part)
        for places, part in ((xs, 1.0), (ys, 0.68))
    )
    return [((x - left) / (right - left), (y - top) / (bottom - top))
            for x, y in zip(xs, ys, strict=True)]  # fmt: skip


def dot(style: Style, ink: Ink) -> tuple[Shape, ...]:
    """Return one dot of radius 1 about the origin."""
    bold = style.boldness
    rim = Circle((0, 0), 1 - 0.1 * bold, ink, 0.2 * bold)
    match style.circle:
        case "rings":
            return (
                rim,
                Circle((0, 0), 0.52, ink, 0.17 * bold),
                Circle((0, 0), 0.16 * bold, ink),
            )
        case "rosette":
            dots = tuple(Circle(polar((0, 0), 0.43, 60 * k), 0.185, PAPER) for k in range(6))
            return (Circle((0, 0), 1, ink), *dots, Circle((0, 0), 0.8, PAPER, 0.1 / bold))
        case "wheel":
            spokes = tuple(spoke(0.2, 0.62, 45 * k, ink, 0.14 * bold) for k in range(8))
            return (rim, Circle((0, 0), 0.62, ink, 0.12 * bold), *spokes, Circle((0, 0), 0.22, ink))
        case "coin":
            petals = tuple(ray_petal(0.0, 0.78, 0.27, 45 + 90 * k, PAPER) for k in range(4))
            return (Circle((0, 0), 1, ink), *petals, Circle((0, 0), 0.16, ink))
        case "cross":
            spokes = tuple(spoke(0.34, 0.68, 45 + 90 * k, PAPER, 0.17) for k in range(4))
            return (Circle((0, 0), 1, ink), *spokes)
        case "target":
            core = style.red if ink != style.red else style.green
            return (rim, Circle((0, 0), 0.6, ink, 0.1 * bold), Circle((0, 0), 0.34, core))
        case "invented":
            return invented_rings(style, 3, (ink, ink, ink, style.red))
        case "disc":
            return (
                Circle((0, 0), 1, ink),
                Circle((0, 0), 0.7, PAPER, 0.13),
                Circle((0, 0), 0.3, PAPER, 0.12),
            )
