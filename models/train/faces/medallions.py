"""The single dot of the 1 of circles, in several designs of radius 1 about the origin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from .dice import Dice
from .shapes import PAPER, Circle, Ink, Path, Point, Shape, around, blob, line, place
from .style import GreatCircle, Style

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
        *(Circle(around(_CENTRE, 0.8, 22.5 * k), 0.085, leaf) for k in range(16)),
        Circle(_CENTRE, 0.62, leaf, 0.07 * bold),
        *(ray_petal(0.18, 0.56, 0.17, 45 * k, style.red) for k in range(8)),
        Circle(_CENTRE, 0.16, style.red, 0.07),
    )


def _invented(style: Style) -> tuple[Shape, ...]:
    inks = (style.plan_ink("b"), style.green, style.red, style.red)
    return invented_rings(style, Dice(np.random.default_rng([style.seed, 3])).whole(3, 5), inks)


def invented_rings(style: Style, count: int, inks: Sequence[Ink]) -> tuple[Shape, ...]:
    """Return `count` rings that no maker has drawn yet; a style always draws the same."""
    dice = Dice(np.random.default_rng([style.seed, 4, count]))
    shapes: list[Shape] = []
    edges = [1.0, *sorted((dice.between(0.15, 0.85) for _ in range(count - 1)), reverse=True), 0.0]
    for outer, inner in pairwise(edges):
        ink = dice.pick(inks) if outer < 1 else inks[0]
        kind = dice.pick(tuple(_BANDS), (3, 3, 2, 2, 1))
        shapes += [Circle(_CENTRE, outer, PAPER), *_BANDS[kind](inner, outer, ink, dice)]
    return tuple(shapes)


def _solid_band(inner: float, outer: float, ink: Ink, dice: Dice) -> tuple[Shape, ...]:
    return (Circle(_CENTRE, outer * 0.97, ink), Circle(_CENTRE, inner * 1.06, PAPER))


def _line_band(inner: float, outer: float, ink: Ink, dice: Dice) -> tuple[Shape, ...]:
    width = min(0.2, (outer - inner) * dice.between(0.4, 0.8))
    return (Circle(_CENTRE, max(0.02, outer - width / 2), ink, width),)


def _petal_band(inner: float, outer: float, ink: Ink, dice: Dice) -> tuple[Shape, ...]:
    count = dice.whole(6, 16)
    half = min(0.4, 2.2 * outer / count)
    return tuple(ray_petal(inner, outer, half, 360 / count * k, ink) for k in range(count))


def _cut_band(inner: float, outer: float, ink: Ink, dice: Dice) -> tuple[Shape, ...]:
    count, far = dice.whole(4, 14), outer - (outer - inner) * 0.15
    half = min(0.25, 1.4 * outer / count)
    cuts = (ray_petal(inner, far, half, 360 / count * k, PAPER) for k in range(count))
    return (Circle(_CENTRE, outer, ink), *cuts)


def _bead_band(inner: float, outer: float, ink: Ink, dice: Dice) -> tuple[Shape, ...]:
    middle, size = (inner + outer) / 2, (outer - inner) * 0.42
    count = max(4, min(18, int(2.4 * middle / max(size, 0.04))))
    return tuple(Circle(around(_CENTRE, middle, 360 / count * k), size, ink) for k in range(count))


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
    "invented": _invented,
}
"""Each design's drawing."""


def ray_petal(near: float, far: float, half: float, turn: float, ink: Ink) -> Path:
    """Return a petal about the ray at `turn`, `half` units to either side at its widest."""
    points: list[Point] = [(0, -near), (half * 0.75, -near - (far - near) * 0.35)]
    points += [(half, -near - (far - near) * 0.68), (0, -far)]
    points += [(-x, y) for x, y in points[2:0:-1]]
    at = place(0, 0, 1, turn)
    return blob([at(p) for p in points], ink)


def spoke(near: float, far: float, turn: float, ink: Ink, width: float) -> Path:
    """Return a line along the ray at `turn`, from `near` to `far`."""
    return line([around((0, 0), near, turn), around((0, 0), far, turn)], ink, width)
