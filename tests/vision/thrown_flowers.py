"""Flowers as people throw them down: askew, off any side of their hand, others' tiles about.

Geometry alone, as in `tests.vision.laid_tiles`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np

from scorer.tiles import CODES
from tests.vision.laid_tiles import (
    HEIGHT,
    NEAT,
    LaidTile,
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


def throw_flowers(rng: Rng, tiles: Sequence[LaidTile], side: str) -> list[LaidTile]:
    """Add one to four flowers askew, the first one to four tile widths off a side of the hand."""
    codes = rng.choice(BONUS, int(rng.integers(1, 5)), replace=False)
    return [*tiles, *_throw_tiles(rng, tiles, [str(code) for code in codes], side, "bonus")]


def _throw_tiles(
    rng: Rng, tiles: Sequence[LaidTile], codes: Sequence[str], side: str, part: Part
) -> list[LaidTile]:
    """Throw tiles down off a side of those laid: each beside the one before, turned up to 60°."""
    axis, way = {"right": (0, 1), "left": (0, -1), "above": (1, 1), "below": (1, -1)}[side]
    edge = np.array([way * (tile.x, tile.y)[axis] for tile in tiles])
    ends = [tile for tile, at in zip(tiles, edge, strict=True) if at > edge.max() - 0.7]
    thrown_tiles: list[LaidTile] = []
    for code in codes:
        neighbour_tile = thrown_tiles[-1] if thrown_tiles else ends[int(rng.integers(len(ends)))]
        while True:
            gap = rng.uniform(0, 0.8) if thrown_tiles else rng.uniform(1.0, 4.0)
            distance = (1.0, HEIGHT)[axis] + gap
            sideways = rng.uniform(-0.8, 0.8)
            if (
                thrown_tiles and rng.random() < 0.5
            ):  # along the hand's side as often as away from it
                distance, sideways = sideways, rng.choice((-1, 1)) * distance
            step = (way * distance, sideways) if axis == 0 else (sideways, way * distance)
            x, y = neighbour_tile.x + step[0], neighbour_tile.y + step[1]
            if all(math.hypot(x - t.x, y - t.y) > 1.4 for t in (*tiles, *thrown_tiles)):
                break
        turn = rng.uniform(-60, 60) + rng.choice((0, 180))
        thrown_tiles.append(LaidTile(code, code, x, y, turn, part))
    return thrown_tiles


def _flowers_thrown(rng: Rng, side: str) -> list[LaidTile]:
    return throw_flowers(rng, two_rows(rng, deal(rng, 2), NEAT), side)


def _flowers_and_discards(rng: Rng) -> list[LaidTile]:
    """Throw flowers down off any side of a hand with discards beyond it."""
    hand = two_rows(rng, deal(rng, 2), NEAT)
    tiles = throw_flowers(rng, hand, str(rng.choice(SIDES)))
    return [*tiles, *_clear_of(discards(rng, hand), tiles)]


def _flowers_of_two(rng: Rng) -> list[LaidTile]:
    """Throw down this hand's flowers, and another's that lies at the right beside that one."""
    hand = two_rows(rng, deal(rng, 2), NEAT)
    tiles = throw_flowers(rng, hand, str(rng.choice(SIDES)))
    other = _clear_of(neighbour(rng, hand), tiles)
    if len(other) < 3:
        return tiles
    codes = [code for code in BONUS if code not in {tile.code for tile in tiles}]
    their_flowers = _throw_tiles(rng, other, rng.choice(codes, 2, replace=False).tolist(),
                     str(rng.choice(SIDES)), "out")  # fmt: skip
    return [*tiles, *other, *_clear_of(their_flowers, tiles)]


def _clear_of(tiles: Iterable[LaidTile], laid_tiles: Sequence[LaidTile]) -> list[LaidTile]:
    return [t for t in tiles if all(math.hypot(t.x - o.x, t.y - o.y) > 1.4 for o in laid_tiles)]


THROWN_LAYOUTS: dict[str, Layout] = {
    **{f"flowers askew, {side}": partial(_flowers_thrown, side=side) for side in SIDES},
    "flowers askew, and discards": _flowers_and_discards,
    "flowers askew, and another's": _flowers_of_two,
}
