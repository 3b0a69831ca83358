"""The same picture by another hand: stretched, leaning, bent, repainted or engraved in lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import cos, pi, radians, sin

from models.train.drawing.faces.dice import Dice
from models.train.drawing.faces.shapes import (
    PAPER,
    Affine,
    Circle,
    Colour,
    Group,
    Ink,
    Path,
    Point,
    Shape,
    move,
)

_WAVE_COUNT = 3
_MAX_STRETCH = 1.3


@dataclass(frozen=True, slots=True)
class Bend:
    """A smooth displacement: a few waves that run across the picture in any direction."""

    waves: tuple[tuple[float, float, float, float, float], ...]
    """Of each: waves per unit along x and y, phase, and how far it moves along x and y."""
    scale: float = 1.0

    def __call__(self, point: Point) -> Point:
        """Return where a point goes."""
        x, y = point
        for across, down, phase, dx, dy in self.waves:
            swing = sin(across * point[0] + down * point[1] + phase)
            x, y = x + dx * swing, y + dy * swing
        return x, y


def random_bend(dice: Dice, size: float, amount: float) -> Bend:
    """Return a bend of a picture `size` across, by up to about `amount` of it."""
    waves = []
    for _ in range(_WAVE_COUNT):
        turn, way = dice.uniform(0, 2 * pi), dice.uniform(0, 2 * pi)
        pace = 2 * pi / (size * dice.uniform(0.7, 2.0))
        max_shift = amount * size * dice.uniform(0.2, 0.6)
        waves.append((pace * cos(turn), pace * sin(turn), dice.uniform(0, 2 * pi),
                      max_shift * cos(way), max_shift * sin(way)))  # fmt: skip
    return Bend(tuple(waves))


def random_lean(dice: Dice, middle: Point, amount: float) -> Affine:
    """Return a stretch, turn and shear about a middle; `amount` 1 is as much as looks natural."""
    wide, high = (1 + amount * dice.uniform(-0.22, 0.12) for _ in range(2))
    turn, shear = radians(amount * dice.uniform(-14, 14)), amount * dice.uniform(-0.2, 0.2)
    a, b, c, d = wide * cos(turn), wide * sin(turn), high * (shear - sin(turn)), high * cos(turn)
    x, y = middle
    return Affine(a, b, c, d, x - a * x - c * y, y - b * x - d * y)


def vary_hand(shapes: Iterable[Shape], dice: Dice, size: Point, amount: float) -> tuple[Shape, ...]:
    """Return a picture leaning and bent; with `amount` 0 as it was."""
    middle = (size[0] / 2, size[1] / 2)
    leaning = move(shapes, random_lean(dice, middle, amount))
    return move(leaning, random_bend(dice, max(size), 0.06 * amount))


def repaint(
    shapes: Iterable[Shape], dice: Dice, inks: tuple[Colour, ...], share: float
) -> tuple[Shape, ...]:
    """Return the shapes, a share of them in other inks; cuts stay cuts."""
    repainted_shapes: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Group):
            repainted_shapes.append(replace(shape, shapes=repaint(shape.shapes, dice, inks, share)))
        else:
            ink: Ink = dice.pick(inks) if shape.ink and dice.chance(share) else shape.ink
            repainted_shapes.append(replace(shape, ink=ink))
    return tuple(repainted_shapes)


def fit_picture(shapes: tuple[Shape, ...], size: Point) -> tuple[Shape, ...]:
    """Return a picture as large as fits the box from the origin to `size`, in its middle.

    What is left over to the sides may be filled by stretching it, up to `_MAX_STRETCH`.
    """
    xs, ys = zip(*_points(shapes), strict=True)
    left, top, wide, high = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
    room = size[0] / max(wide, 1.0), size[1] / max(high, 1.0)
    x_scale, y_scale = (min(scale, min(room) * _MAX_STRETCH) for scale in room)
    x, y = (size[0] - wide * x_scale) / 2, (size[1] - high * y_scale) / 2
    return move(shapes, Affine(x_scale, 0.0, 0.0, y_scale, x - left * x_scale, y - top * y_scale))


def _points(shapes: Iterable[Shape]) -> Iterator[Point]:
    for shape in shapes:
        match shape:
            case Group(shapes=inner):
                yield from _points(inner)
            case Circle(centre=(x, y), radius=radius):
                yield from ((x - radius, y - radius), (x + radius, y + radius))
            case Path(contours=contours):
                for contour in contours:
                    yield from contour


_MIN_OUTLINED_WIDTHS = 1.7
"""Shapes less than this many line widths broad stay solid."""


def engrave(shapes: Iterable[Shape], width: float) -> tuple[Shape, ...]:
    """Return the shapes as outlines of a line width; what was cut out of ink becomes a line."""
    outlines: list[Shape] = []
    cut: Ink = PAPER
    for shape in shapes:
        if isinstance(shape, Group):
            outlines.append(replace(shape, shapes=engrave(shape.shapes, width)))
        elif shape.ink is PAPER:
            # A line cut into a solid shape stays a cut; in an outlined one it is drawn instead.
            outlines.append(replace(shape, ink=cut) if shape.width else shape)
        elif shape.width or _breadth(shape) < _MIN_OUTLINED_WIDTHS * width:
            outlines.append(shape)
            cut = PAPER
        else:
            outlines += (replace(shape, ink=PAPER), replace(shape, width=width))
            cut = shape.ink
    return tuple(outlines)


def _breadth(shape: Path | Circle) -> float:
    """Return about how wide a filled shape is: its area over half its outline."""
    if isinstance(shape, Circle):
        return shape.radius
    area = outline = 0.0
    for contour in shape.contours:
        for (x, y), (u, v) in zip(contour, contour[1:] + contour[:1], strict=True):
            area += (x * v - u * y) / 2
            outline += ((u - x) ** 2 + (v - y) ** 2) ** 0.5
    return 2 * abs(area) / max(outline, 1e-6)
