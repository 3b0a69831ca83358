"""Where tiles lie: centimetres on a table, x to the right and y away from the player.

Nothing here is shared with the painter, not even how spots are shifted and turned. The pictures
that judge a network must not have the faults of those that taught it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

Rng = np.random.Generator
Part = Literal["exposed", "concealed", "bonus", "other"]


@dataclass(frozen=True, slots=True)
class Shape:
    """A tile body: width, height and depth in centimetres, its bevel and how deep its back is."""

    width: float
    height: float
    depth: float
    bevel: float
    back: float


@dataclass(frozen=True, slots=True)
class Spot:
    """One tile of the picture and what it is of the hand."""

    code: str
    x: float
    y: float
    turn: float = 0.0
    """Radians anticlockwise, from above; 0 is upright for a player at the near edge."""
    down: bool = False
    part: Part = "other"
    group: int = -1
    """Which set of its hand; -1 for a tile of none."""
    won: bool = False
    owner: str = ""
    """The side of the table where its owner sits; empty for none."""
    degrees: int | None = None
    """How far it is turned, anticlockwise, where that is what is measured."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A tile of a row that is still to be laid."""

    code: str
    down: bool = False
    won: bool = False


@dataclass(frozen=True, slots=True)
class Habit:
    """How somebody lays tiles: gaps in tile widths, angles in radians."""

    gap: float
    """Between sets."""
    slack: float
    """Between neighbours, at most."""
    wobble: float
    """Deviation of a tile's turn, and, in tile heights, of its place."""
    upside_down: float = 0.0
    """Share of the tiles."""


def lay_row(
    rng: Rng,
    groups: Sequence[tuple[Part, int, Sequence[Mark]]],
    shape: Shape,
    habit: Habit,
) -> list[Spot]:
    """Lay sets from x = 0 to the right, near edges at y = 0; won tiles sideways, either way."""
    spots: list[Spot] = []
    x = 0.0
    for part, group, marks in groups:
        for mark in marks:
            wide, tall = (shape.height, shape.width) if mark.won else (shape.width, shape.height)
            turn = rng.normal(0.0, habit.wobble)
            room = abs(math.sin(turn)) * tall
            x += rng.uniform(0.1, 1.0) * habit.slack * shape.width + room / 2 + 0.01
            if mark.won:
                turn += rng.choice((-1, 1)) * math.pi / 2
            elif rng.random() < habit.upside_down:
                turn += math.pi
            y = tall / 2 + rng.normal(0.0, habit.wobble) * shape.height
            spots.append(
                Spot(mark.code, x + wide / 2, y, float(turn), mark.down, part, group, mark.won)
            )
            x += wide + room / 2
        x += habit.gap * shape.width * rng.uniform(0.85, 1.2)
    return spots


def shift_spots(spots: Sequence[Spot], dx: float, dy: float) -> list[Spot]:
    """Return the spots shifted."""
    return [replace(s, x=s.x + dx, y=s.y + dy) for s in spots]


def rotate_spots(spots: Sequence[Spot], angle: float) -> list[Spot]:
    """Return the spots turned together about the origin, radians anticlockwise."""
    c, s = math.cos(angle), math.sin(angle)
    return [
        replace(p, x=c * p.x - s * p.y, y=s * p.x + c * p.y, turn=p.turn + angle) for p in spots
    ]


def centre_spots(spots: Sequence[Spot]) -> list[Spot]:
    """Return the spots with the middle of what they cover at the origin."""
    xs, ys = [s.x for s in spots], [s.y for s in spots]
    return shift_spots(spots, -(min(xs) + max(xs)) / 2, -(min(ys) + max(ys)) / 2)


def corners(spot: Spot, shape: Shape) -> np.ndarray:
    """Return (4, 3): what is seen of a tile from above, from its own top left clockwise.

    Of a tile lying face down that is its back, from the top left as one looks at it.
    """
    half = np.array(((-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0))) * (
        shape.width / 2,
        shape.height / 2,
    )
    c, s = math.cos(spot.turn), math.sin(spot.turn)
    flat = half @ np.array(((c, s), (-s, c))) + (spot.x, spot.y)
    return np.column_stack((flat, np.full(4, shape.depth)))
