"""Left-out tiles that lie together beside a hand are found as one block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from scorer.tiles import FACE_DOWN
from tests.vision.laid_tiles import (
    HEIGHT,
    NEAT,
    LaidTile,
    bonus,
    deal,
    discards,
    line,
    neighbour,
    two_rows,
)
from tests.vision.laid_tiles import wall as lay_wall
from tests.vision.pinhole_camera import PhotoOfTiles, View, photograph
from vision.geometry.blocks import TileBlock, find_blocks
from vision.geometry.rows import lay_out

STRAIGHT = View(60.0, fill=0.6)
ASIDE_ROW = -1


def stacked_melds(rng: np.random.Generator, flowers: int = 2) -> list[LaidTile]:
    """Lay three melds one above the other, each a little aside, with flowers above them."""
    melds = [group for group in deal(rng, 3) if group.part == "exposed"]
    groups = [*melds, bonus(rng, flowers)] if flowers else melds
    return [
        tile
        for number, group in enumerate(groups)
        for tile in line(rng, [group], NEAT, 0.3 * (number % 2), number * (HEIGHT + 0.2))
    ]


def own_row(rng: np.random.Generator) -> list[LaidTile]:
    """Lay the concealed tiles: a set and a pair."""
    return line(rng, [group for group in deal(rng, 3) if group.part != "exposed"], NEAT)


def move(tiles: Sequence[LaidTile], x: float, y: float, turn: float = 0.0) -> list[LaidTile]:
    """Turn tiles about where they begin, and move them; they are marked as `ASIDE_ROW`."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return [
        replace(
            t, x=c * t.x - s * t.y + x, y=s * t.x + c * t.y + y, turn=t.turn + turn, group=ASIDE_ROW
        )
        for t in tiles
    ]


def find(photo: PhotoOfTiles) -> tuple[TileBlock, ...]:
    """Return the blocks beside the hand that is found in these tiles."""
    backs = [code == FACE_DOWN for code in photo.codes]
    return find_blocks(photo.quads, lay_out(photo.quads, backs), backs)


@pytest.mark.parametrize("elevation", [90.0, 60.0, 45.0])
@pytest.mark.parametrize(
    ("x", "y", "side"),
    [(-8.5, -2.0, "left"), (11.0, 0.0, "right"), (1.0, 6.0, "above"), (1.0, -12.5, "below")],
)
def test_melds_beside_the_hand_are_one_block(
    x: float, y: float, side: str, elevation: float
) -> None:
    for seed in range(3):
        rng = np.random.default_rng(seed)
        photo = photograph(rng, [*own_row(rng), *move(stacked_melds(rng), x, y)], View(elevation))
        (block,) = find(photo)
        assert set(block.tiles) == {k for k, t in enumerate(photo.tiles) if t.group == ASIDE_ROW}
        assert block.side == side


@pytest.mark.parametrize(
    ("x", "turn", "blocks", "reason"),
    [
        (-9.0, 12.0, 1, "laid by hand, not with a ruler"),
        (-9.0, 40.0, 0, "turned as nobody lays a part of a hand"),
        (16.0, 90.0, 0, "turned to the player at the right"),
        (26.0, 0.0, 0, "farther away than a hand reaches"),
    ],
)
def test_a_block_is_near_and_turned_as_the_hand(
    x: float, turn: float, blocks: int, reason: str
) -> None:
    rng = np.random.default_rng(4)
    hand = two_rows(rng, deal(rng, 2), NEAT)[:8]
    photo = photograph(rng, [*hand, *move(stacked_melds(rng, 0), x, 0.0, turn)], View(75.0))
    assert len(photo.tiles) == len(hand) + 9, "all are in the picture"
    assert len(find(photo)) == blocks, reason


def test_two_blocks_are_told_apart_and_the_nearer_comes_first() -> None:
    rng = np.random.default_rng(6)
    tiles = [
        *own_row(rng),
        *move(stacked_melds(rng, 0), 12.5, 0.0),
        *move(stacked_melds(rng, 0), -8.0, 0.0),
    ]
    near_block, far_block = find(photograph(rng, tiles, STRAIGHT))
    assert (near_block.side, far_block.side) == ("left", "right")
    assert len(near_block.tiles) == len(far_block.tiles) == 9


@pytest.mark.parametrize("clutter", [discards, lay_wall, neighbour])
def test_what_lies_about_a_table_is_no_block(clutter: object) -> None:
    assert callable(clutter)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        hand = two_rows(rng, deal(rng, 2), NEAT)
        photo = photograph(rng, [*hand, *clutter(rng, hand)], View(70.0, fill=0.5))
        assert all(len(block.tiles) < 6 for block in find(photo))


def test_two_tiles_are_no_block() -> None:
    rng = np.random.default_rng(1)
    hand = own_row(rng)
    assert find(photograph(rng, [*hand, *move(hand[:2], -7.0, 0.0)], STRAIGHT)) == ()
