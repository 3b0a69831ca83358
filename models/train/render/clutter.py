"""What else is on the table: walls, discards, other players' tiles, things."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from models.train.render.layouts import Spot, heap, moved, random_habit
from models.train.render.scene import Body, Solid
from models.train.render.things import dice, rail, reaching_hand, score_sheet

Rng = np.random.Generator


def wall(rng: Rng, body: Body) -> list[Spot]:
    """Return face-down tiles side by side, one or two high, along x from the origin."""
    high = 2 if rng.random() < 0.75 else 1
    spots = []
    for k in range(rng.integers(4, 18)):
        for level in range(high):
            spots.append(
                Spot(
                    "??",
                    k * body.width * 1.01,
                    rng.normal(0.0, 0.05),
                    rng.normal(0.0, 0.01),
                    "down",
                    level * body.depth,
                    ignore=True,
                )
            )
    return spots


def standing_row(rng: Rng, body: Body) -> list[Spot]:
    """Return another player's hand: it stands with its back to us."""
    return [
        Spot(
            "??",
            k * body.width * 1.01,
            rng.normal(0.0, 0.03),
            math.pi,
            "standing",
            ignore=True,
        )
        for k in range(rng.integers(6, 14))
    ]


def _free(taken: list[Spot], spots: list[Spot], apart: float) -> list[Spot]:
    return [s for s in spots if all(math.hypot(s.x - t.x, s.y - t.y) > apart for t in taken)]


def _row(rng: Rng, body: Body, x: float, y: float) -> list[Spot]:
    """Return a wall along any of the table's sides, or the hand of the player opposite, at x, y."""
    if rng.random() < 0.8:
        row, angle = wall(rng, body), float(rng.choice((0.0, 0.0, math.pi / 2)))
    else:  # of the neighbours' standing tiles one would see the faces
        row, angle = standing_row(rng, body), 0.0
    angle += float(rng.normal(0.0, 0.08))
    c, s = math.cos(angle), math.sin(angle)
    return [
        replace(p, x=x + c * p.x - s * p.y, y=y + s * p.x + c * p.y, turn=p.turn + angle)
        for p in row
    ]


def clutter(rng: Rng, body: Body, hand: list[Spot], edge: float) -> tuple[list[Spot], list[Solid]]:
    """Return further tiles, clear of the hand's, and other things."""
    apart = math.hypot(body.width, body.height) * 0.97
    top = max(s.y for s in hand) + body.height
    others: list[Spot] = []
    if rng.random() < 0.35:
        strewn = moved(
            heap(rng, body, random_habit(rng)), rng.normal(0.0, 10.0), top + rng.uniform(6.0, 22.0)
        )
        others += _free(hand, strewn, apart)
    for _ in range(rng.choice((0, 1, 2, 3), p=(0.6, 0.2, 0.12, 0.08))):
        row = _row(rng, body, rng.uniform(-30.0, 15.0), top + rng.uniform(1.0, 26.0))
        others += _free(hand + others, row, apart)
    extra = []
    if rng.random() < 0.55:
        extra.append(rail(rng, edge))
    if rng.random() < 0.08:
        extra += score_sheet(rng, rng.normal(0.0, 16.0), top + rng.uniform(11.0, 20.0))
    if rng.random() < 0.1:
        extra += dice(rng, rng.uniform(-15.0, 15.0), top + rng.uniform(1.0, 8.0))
    if rng.random() < 0.06:
        tile = (hand + others)[rng.integers(len(hand + others))]
        extra += reaching_hand(rng, tile.x, tile.y, tile.level + body.depth)
    return others, extra
