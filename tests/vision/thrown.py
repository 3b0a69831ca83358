"""Flowers as people throw them down: askew, off any side of their hand, others' tiles about.

Geometry alone, as in `tests.vision.laid`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np

from scorer.tiles import CODES
from tests.vision.laid import (
    HEIGHT,
    NEAT,
    Laid,
    Layout,
    Part,
    Rng,
    deal,
    discards,
    neighbour,
    two_rows,
)

BONUS = [code for code in CODES if code[0] in "FS"]

SIDES = ("right", "left", "above", "below")


def thrown_down(rng: Rng, laid: Sequence[Laid], side: str) -> list[Laid]:
    """Add one to four flowers askew, the first one to four tile widths off a side of the hand."""
    codes = rng.choice(BONUS, int(rng.integers(1, 5)), replace=False)
    return [*laid, *_thrown(rng, laid, [str(code) for code in codes], side, "bonus")]


def _thrown(
    rng: Rng, laid: Sequence[Laid], codes: Sequence[str], side: str, part: Part
) -> list[Laid]:
    """Throw tiles down off a side of those laid: each beside the one before, turned up to 60°."""
    axis, way = {"right": (0, 1), "left": (0, -1), "above": (1, 1), "below": (1, -1)}[side]
    edge = np.array([way * (tile.x, tile.y)[axis] for tile in laid])
    ends = [tile for tile, at in zip(laid, edge, strict=True) if at > edge.max() - 0.7]
    thrown: list[Laid] = []
    for code in codes:
        beside = thrown[-1] if thrown else ends[int(rng.integers(len(ends)))]
        while True:
            gap = rng.uniform(0, 0.8) if thrown else rng.uniform(1.0, 4.0)
            off = (1.0, HEIGHT)[axis] + gap
            aside = rng.uniform(-0.8, 0.8)
            if thrown and rng.random() < 0.5:  # along the hand's side as often as away from it
                off, aside = aside, rng.choice((-1, 1)) * off
            step = (way * off, aside) if axis == 0 else (aside, way * off)
            x, y = beside.x + step[0], beside.y + step[1]
            if all(math.hypot(x - t.x, y - t.y) > 1.4 for t in (*laid, *thrown)):
                break
        turn = rng.uniform(-60, 60) + rng.choice((0, 180))
        thrown.append(Laid(code, code, x, y, turn, part))
    return thrown


def _flowers_thrown(rng: Rng, side: str) -> list[Laid]:
    return thrown_down(rng, two_rows(rng, deal(rng, 2), NEAT), side)


def _flowers_and_discards(rng: Rng) -> list[Laid]:
    """Throw flowers down off any side of a hand with discards beyond it."""
    hand = two_rows(rng, deal(rng, 2), NEAT)
    laid = thrown_down(rng, hand, str(rng.choice(SIDES)))
    return [*laid, *_clear_of(discards(rng, hand), laid)]


def _flowers_of_two(rng: Rng) -> list[Laid]:
    """Throw down this hand's flowers, and another's that lies at the right beside that one."""
    hand = two_rows(rng, deal(rng, 2), NEAT)
    laid = thrown_down(rng, hand, str(rng.choice(SIDES)))
    other = _clear_of(neighbour(rng, hand), laid)
    if len(other) < 3:
        return laid
    codes = [code for code in BONUS if code not in {tile.code for tile in laid}]
    theirs = _thrown(rng, other, rng.choice(codes, 2, replace=False).tolist(),
                     str(rng.choice(SIDES)), "out")  # fmt: skip
    return [*laid, *other, *_clear_of(theirs, laid)]


def _clear_of(tiles: Iterable[Laid], laid: Sequence[Laid]) -> list[Laid]:
    return [t for t in tiles if all(math.hypot(t.x - o.x, t.y - o.y) > 1.4 for o in laid)]


THROWN: dict[str, Layout] = {
    **{f"flowers askew, {side}": partial(_flowers_thrown, side=side) for side in SIDES},
    "flowers askew, and discards": _flowers_and_discards,
    "flowers askew, and another's": _flowers_of_two,
}
