"""The circles: how the dots of each number lie, and how one dot is drawn."""

from __future__ import annotations

from .medallions import GREAT_CIRCLES, invented_rings, ray_petal, spoke
from .shapes import PAPER, Circle, Ink, Point, Shape, around, moved, place
from .style import CIRCLE_PLANS, Style

Box = tuple[float, float, float, float]

_EVEN_ROOM = 0.4
"""Room of the dots of a maker who makes those of all numbers alike."""

_GATHERED = 5
"""Only so few dots leave room to lie closer together."""

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
        return moved(
            GREAT_CIRCLES[style.great_circle](style), place(*middle, min(width, height * 0.78) / 2)
        )
    room, centres = _ARRANGEMENTS[rank]
    if style.circles_even:
        room = min(room, _EVEN_ROOM)
    radius = min(room * width, room * height * 0.68) / 2 * style.circle_size
    shapes: list[Shape] = []
    plan = "r" * 5 if style.red_fives and rank == 5 else CIRCLE_PLANS[style.circle_plan][rank]
    gather = style.circle_gather if rank <= _GATHERED else 1.0
    for (across, aside), letter in zip(centres, plan, strict=True):
        x = 1.0 - across if style.circles_rise else across
        y = aside + (0.5 - aside) * (1.0 - gather)
        at = place(left + x * width, top + y * height, radius)
        shapes += moved(dot(style, style.plan_ink(letter)), at)
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
            dots = tuple(Circle(around((0, 0), 0.43, 60 * k), 0.185, PAPER) for k in range(6))
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
