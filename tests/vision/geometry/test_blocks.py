"""Left-out tiles that lie together beside a hand are found as one block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from scorer.tiles import FACE_DOWN
from tests.vision.laid import HEIGHT, NEAT, Laid, bonus, deal, discards, line, neighbour, two_rows
from tests.vision.laid import wall as lay_wall
from tests.vision.seen import Seen, View, photograph
from vision.geometry.blocks import TileBlock, find_blocks
from vision.geometry.rows import lay_out

STRAIGHT = View(60.0, fill=0.6)
ASIDE = -1


def stacked(rng: np.random.Generator, flowers: int = 2) -> list[Laid]:
    """Lay three melds one above the other, each a little aside, with flowers above them."""
    melds = [group for group in deal(rng, 3) if group.part == "exposed"]
    groups = [*melds, bonus(rng, flowers)] if flowers else melds
    return [
        tile
        for number, group in enumerate(groups)
        for tile in line(rng, [group], NEAT, 0.3 * (number % 2), number * (HEIGHT + 0.2))
    ]


def own(rng: np.random.Generator) -> list[Laid]:
    """Lay the concealed tiles: a set and a pair."""
    return line(rng, [group for group in deal(rng, 3) if group.part != "exposed"], NEAT)


def moved(tiles: Sequence[Laid], x: float, y: float, turn: float = 0.0) -> list[Laid]:
    """Turn tiles about where they begin, and move them; they are marked as `ASIDE`."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return [
        replace(
            t, x=c * t.x - s * t.y + x, y=s * t.x + c * t.y + y, turn=t.turn + turn, group=ASIDE
        )
        for t in tiles
    ]


def found(seen: Seen) -> tuple[TileBlock, ...]:
    """Return the blocks beside the hand that is found in these tiles."""
    backs = [code == FACE_DOWN for code in seen.codes]
    return find_blocks(seen.quads, lay_out(seen.quads, backs), backs)


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
        seen = photograph(rng, [*own(rng), *moved(stacked(rng), x, y)], View(elevation))
        (block,) = found(seen)
        assert set(block.tiles) == {k for k, t in enumerate(seen.tiles) if t.group == ASIDE}
        assert block.side == side


@pytest.mark.parametrize(
    ("x", "turn", "blocks", "why"),
    [
        (-9.0, 12.0, 1, "laid by hand, not with a ruler"),
        (-9.0, 40.0, 0, "turned as nobody lays a part of a hand"),
        (16.0, 90.0, 0, "turned to the player at the right"),
        (26.0, 0.0, 0, "farther away than a hand reaches"),
    ],
)
def test_a_block_is_near_and_turned_as_the_hand(
    x: float, turn: float, blocks: int, why: str
) -> None:
    rng = np.random.default_rng(4)
    hand = two_rows(rng, deal(rng, 2), NEAT)[:8]
    seen = photograph(rng, [*hand, *moved(stacked(rng, 0), x, 0.0, turn)], View(75.0))
    assert len(seen.tiles) == len(hand) + 9, "all are in the picture"
    assert len(found(seen)) == blocks, why


def test_two_blocks_are_told_apart_and_the_nearer_comes_first() -> None:
    rng = np.random.default_rng(6)
    laid = [*own(rng), *moved(stacked(rng, 0), 12.5, 0.0), *moved(stacked(rng, 0), -8.0, 0.0)]
    near, far = found(photograph(rng, laid, STRAIGHT))
    assert (near.side, far.side) == ("left", "right")
    assert len(near.tiles) == len(far.tiles) == 9


@pytest.mark.parametrize("about", [discards, lay_wall, neighbour])
def test_what_lies_about_a_table_is_no_block(about: object) -> None:
    assert callable(about)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        hand = two_rows(rng, deal(rng, 2), NEAT)
        seen = photograph(rng, [*hand, *about(rng, hand)], View(70.0, fill=0.5))
        assert all(len(block.tiles) < 6 for block in found(seen))


def test_two_tiles_are_no_block() -> None:
    rng = np.random.default_rng(1)
    hand = own(rng)
    assert found(photograph(rng, [*hand, *moved(hand[:2], -7.0, 0.0)], STRAIGHT)) == ()
