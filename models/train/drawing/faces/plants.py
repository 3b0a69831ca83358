"""Parts of flower pictures: blossoms, leaves, stems and pots, in units of a 100 x 100 picture."""

from __future__ import annotations

from models.train.drawing.faces.brush import brush
from models.train.drawing.faces.shapes import (
    PAPER,
    Circle,
    Ink,
    Path,
    Point,
    Shape,
    blob,
    line,
    place,
    polar,
    polygon,
)


def plum_blossom(point: Point, radius: float, ink: Ink, heart: Ink) -> tuple[Shape, ...]:
    """Return five round petals with stamens."""
    petals = [polar(point, radius * 0.56, 72 * k) for k in range(5)]
    return (
        *(Circle(p, radius * 0.43, ink) for p in petals),
        Circle(point, radius * 0.3, PAPER),
        *(line([point, polar(point, radius * 0.5, 36 + 72 * k)], PAPER, radius * 0.1)
          for k in range(5)),
        *(line([point, petal_point], PAPER, radius * 0.08) for petal_point in petals),
        *(Circle(polar(point, radius * 0.6, 72 * k), radius * 0.09, PAPER) for k in range(5)),
        Circle(point, radius * 0.18, heart),
    )  # fmt: skip


def many_petals(point: Point, radius: float, ink: Ink, heart: Ink) -> tuple[Shape, ...]:
    """Return a chrysanthemum: two rings of narrow petals about a small heart."""
    shapes: list[Shape] = []
    for outer, inner, half, count, shift in ((1.0, 0.3, 0.15, 13, 0.0), (0.66, 0.1, 0.14, 9, 18.0)):
        for k in range(count):
            for fat, colour in ((1.35, PAPER), (0.9, ink)):
                ring = (inner * radius, outer * radius, half * radius * fat)
                shapes.append(petal(point, *ring, shift + 360 / count * k, colour))
    return (*shapes, Circle(point, radius * 0.2, PAPER), Circle(point, radius * 0.14, heart))


def peony(point: Point, radius: float, ink: Ink, heart: Ink) -> tuple[Shape, ...]:
    """Return a full, scalloped flower: rings of petals parted by paper lines."""
    shapes: list[Shape] = []
    for ring, (spread, size, count) in enumerate(((0.62, 0.4, 7), (0.36, 0.32, 5), (0.1, 0.24, 3))):
        for k in range(count):
            centre = polar(point, radius * spread, 360 / count * k + 25 * ring)
            shapes.append(Circle(centre, radius * (size + 0.05), PAPER))
            shapes.append(Circle(centre, radius * size, ink))
    return (*shapes, Circle(point, radius * 0.2, PAPER), Circle(point, radius * 0.13, heart))


def lotus(point: Point, radius: float, ink: Ink, heart: Ink) -> tuple[Shape, ...]:
    """Return an open lotus seen from the side, its foot at `point`."""
    shapes: list[Shape] = []
    for turn in (-72, 72, -46, 46, -22, 22, 0):
        long = radius * (1.5 if abs(turn) < 50 else 1.3)
        shapes.append(petal(point, 0, long * 1.05, radius * 0.38, turn, PAPER))
        shapes.append(petal(point, 0, long, radius * 0.3, turn, ink))
        rib = [polar(point, long * 0.35, turn), polar(point, long * 0.72, turn)]
        shapes.append(line(rib, PAPER, radius * 0.06))
    return (*shapes, Circle(point, radius * 0.2, heart))


def orchid_flower(point: Point, radius: float, ink: Ink, heart: Ink) -> tuple[Shape, ...]:
    """Return five pointed petals and a lip."""
    rays = ((0, 1.0), (65, 0.9), (-65, 0.9), (130, 0.85), (-130, 0.85))
    petals = [petal(point, 0, radius * far, radius * 0.2, turn, ink) for turn, far in rays]
    return (*petals, Circle(point, radius * 0.24, PAPER), Circle(point, radius * 0.15, heart))


def bud(point: Point, radius: float, turn: float, ink: Ink, leaf_ink: Ink) -> tuple[Shape, ...]:
    """Return a closed bud on its calyx."""
    return (
        Circle(polar(point, radius * 0.5, turn), radius, ink),
        petal(point, -radius * 0.6, radius * 0.5, radius * 0.7, turn, leaf_ink),
    )


def petal(
    point: Point, inner_radius: float, outer_radius: float, half: float, turn: float, ink: Ink
) -> Path:
    """Return a pointed petal along the ray at `turn` degrees clockwise from the top."""
    reach = outer_radius - inner_radius
    right: list[Point] = [(half, -inner_radius - reach * 0.55)]
    tip = (0.0, -outer_radius)
    points = [(0.0, -inner_radius), *right, tip, tip, *((-x, y) for x, y in reversed(right))]
    transform = place(*point, 1, turn)
    return blob([transform(p) for p in points], ink)


def leaf(base: Point, length: float, turn: float, ink: Ink, fat: float = 0.2) -> tuple[Path, ...]:
    """Return a leaf with a midrib, from its base along `turn`."""
    half = length * fat
    shape: list[Point] = [(0, 0), (0, 0), (half, -length * 0.4), (half * 0.5, -length * 0.78),
                          (0, -length), (0, -length), (-half * 0.5, -length * 0.78),
                          (-half, -length * 0.4)]  # fmt: skip
    transform = place(*base, 1, turn)
    rib = [transform((0, -length * 0.1)), transform((0, -length * 0.72))]
    return (blob([transform(p) for p in shape], ink), line(rib, PAPER, max(1.0, length * 0.05)))


def frond(base: Point, length: float, turn: float, ink: Ink) -> tuple[Path, ...]:
    """Return a slim, pointed leaf without a midrib, from its base along `turn`."""
    shape: list[Point] = [(0, 0), (0, 0), (length * 0.16, -length * 0.45), (0, -length),
                          (0, -length), (-length * 0.16, -length * 0.45)]  # fmt: skip
    return (blob(list(map(place(*base, 1, turn), shape)), ink),)


def maple_leaf(point: Point, radius: float, turn: float, ink: Ink) -> tuple[Path, ...]:
    """Return a leaf of five fingers with its stalk below."""
    transform = place(*point, radius, turn)
    points: list[Point] = []
    for angle, far in ((-118, 0.62), (-62, 0.92), (0, 1.0), (62, 0.92), (118, 0.62)):
        for reach, turn in ((far * 0.6, -15), (far, 0), (far * 0.6, 15), (0.34, 31)):
            points.append(polar((0, 0), reach, angle + turn))
    points[-1] = (0.0, 0.16)
    ribs = tuple(line([transform((0, 0.1)), transform(polar((0, 0), 0.5, a))], PAPER, radius * 0.07)
                 for a in (-62, 0, 62))  # fmt: skip
    return (
        line([transform((0, 0.1)), transform((0.08, 0.75))], ink, radius * 0.12),
        polygon([transform(p) for p in points], ink),
        *ribs,
    )


def stem(points: list[Point], width: float, ink: Ink) -> tuple[Shape, ...]:
    """Return a branch that thins towards its end."""
    return (brush(points, (width, width * 0.75, width * 0.4), ink),)


def blade(points: list[Point], width: float, ink: Ink) -> tuple[Shape, ...]:
    """Return a blade of grass: widest below its middle, pointed."""
    return (brush(points, (width * 0.4, width, width * 0.8, width * 0.45, 0.4), ink),)


def cane(foot: Point, top: Point, width: float, joints: int, ink: Ink) -> tuple[Shape, ...]:
    """Return a bamboo cane of `joints` pieces."""
    shapes: list[Shape] = []
    for k in range(joints):
        start, end = ((foot[0] + (top[0] - foot[0]) * t, foot[1] + (top[1] - foot[1]) * t)
                      for t in ((k + 0.05) / joints, (k + 0.95) / joints))  # fmt: skip
        shapes.append(line([start, end], ink, width * 0.8))
        for x, y in (start, end):
            shapes.append(line([(x - width * 0.42, y), (x + width * 0.42, y)], ink, width * 0.34))
    return tuple(shapes)


def pot(point: Point, width: float, ink: Ink, pattern: Ink) -> tuple[Shape, ...]:
    """Return a bowl whose rim's middle is at `point`."""
    x, y = point
    half, deep = width / 2, width * 0.55
    side: list[Point] = [(1, 0), (1, 0), (0.92, 0.5), (0.5, 1), (0.5, 1)]
    outline = side + [(-u, v) for u, v in reversed(side)]
    bowl = [(x + u * half, y + v * deep) for u, v in outline]
    band = [(x + u * half, y + v * deep) for u, v in ((-0.7, 0.3), (0, 0.5), (0.7, 0.3))]
    return (
        blob(bowl, ink),
        line([(x - half, y), (x + half, y)], ink, width * 0.12),
        line(band, PAPER, width * 0.05, smooth=True),
        Circle((x, y + deep * 0.72), width * 0.07, pattern),
    )


def pine(foot: Point, width: float, length: float, turn: float, ink: Ink) -> tuple[Shape, ...]:
    """Return six needles, fanned out about `turn`."""
    fan = range(-50, 51, 20)
    return tuple(line([foot, polar(foot, length, turn + each)], ink, width) for each in fan)


def snowflake(point: Point, radius: float, ink: Ink) -> tuple[Shape, ...]:
    """Return a star of six rays, each with two twigs."""
    shapes: list[Shape] = []
    for turn in range(0, 360, 60):
        tip, knot = polar(point, radius, turn), polar(point, radius * 0.55, turn)
        shapes.append(line([point, tip], ink, radius * 0.16))
        for side in (-40, 40):
            twig = polar(knot, radius * 0.36, turn + side)
            shapes.append(line([knot, twig], ink, radius * 0.13))
    return tuple(shapes)


BLOSSOMS = (plum_blossom, many_petals, peony, orchid_flower)
