"""Group the tiles that were left out into blocks: parts of the hand that may lie apart from it.

Faces play no part here. A block lies in rows as a hand does, near the hand and turned as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.geometry.plane import Quads, mean_sides
from vision.geometry.rows import Layout, TileRow, lay_out_in_turn
from vision.preprocess import Float64s
from vision.reading import BlockSide, LeftOutReason

MIN_BLOCK_TILES = 3
"""Fewest tiles of a block. One or two tiles beside a hand are mostly discards."""

MAX_BLOCK_DISTANCE_WIDTHS = 10.0
"""Greatest distance between a block and the hand, in tile widths between middles."""

MAX_BLOCK_TURN_RAD = np.radians(25)
"""A block whose rows are turned further against the hand's is another player's."""

REASONS_OF_BLOCKS: frozenset[LeftOutReason] = frozenset(("apart", "far", "askew"))
"""Reasons for leaving out a tile that may be part of a block."""


@dataclass(frozen=True, slots=True)
class TileBlock:
    """Left-out tiles that lie together beside the hand."""

    rows: tuple[TileRow, ...]
    """Positions as in the hand's layout."""
    side: BlockSide

    @property
    def tiles(self) -> tuple[int, ...]:
        """All positions in the block, row by row."""
        return tuple(tile for row in self.rows for tile in row.tiles)


def find_blocks(quads: Quads, layout: Layout, backs: Sequence[bool]) -> tuple[TileBlock, ...]:
    """Return the blocks beside the hand, the nearest first.

    `layout` is the hand's and refers to `quads`; `backs` says which tiles lie face down.
    """
    hand = [tile for row in layout.rows for tile in row.tiles]
    rest = [
        tile
        for tile, why in layout.left_out.items()
        if why in REASONS_OF_BLOCKS and tile not in layout.odd
    ]
    if not hand or len(rest) < MIN_BLOCK_TILES:
        return ()
    flat_quads = layout.plane.flatten(quads)
    ranked_blocks: list[tuple[float, TileBlock]] = []
    for part in lay_out_in_turn(quads, backs, rest, MIN_BLOCK_TILES):
        rows = part.rows
        block_tiles = [tile for row in rows for tile in row.tiles]
        distance = _distance(flat_quads, block_tiles, hand)
        if (
            distance <= MAX_BLOCK_DISTANCE_WIDTHS
            and _row_turn(flat_quads, rows) <= MAX_BLOCK_TURN_RAD
        ):
            ranked_blocks.append(
                (distance, TileBlock(rows, find_side(quads[block_tiles], quads[hand])))
            )
    return tuple(
        block for _, block in sorted(ranked_blocks, key=lambda ranked_block: ranked_block[0])
    )


def _distance(flat_quads: Float64s, block_tiles: Sequence[int], hand: Sequence[int]) -> float:
    middles = flat_quads.mean(1)
    return float(np.linalg.norm(middles[block_tiles][:, None] - middles[hand], axis=2).min())


def _row_turn(flat_quads: Float64s, rows: Sequence[TileRow]) -> float:
    """Return the turn of a block's longest row against the hand's rows, 0 to 90 degrees."""
    longest = max((row.tiles for row in rows), key=len)
    middles = flat_quads[list(longest)].mean(1)
    if len(longest) > 1:
        dx, dy = middles[-1] - middles[0]
    else:
        dx, dy = mean_sides(flat_quads[list(longest)])[0][0]
    return float(np.arctan2(abs(dy), abs(dx)))


def find_side(block: Quads, hand: Quads) -> BlockSide:
    """Return where a block lies from the hand, as the photograph is held."""
    (left, top), (right, bottom) = block.min((0, 1)), block.max((0, 1))
    (hand_left, hand_top), (hand_right, hand_bottom) = hand.min((0, 1)), hand.max((0, 1))
    gaps: dict[BlockSide, float] = {
        "left": float(hand_left - right),
        "right": float(left - hand_right),
        "above": float(hand_top - bottom),
        "below": float(top - hand_bottom),
    }
    return max(gaps, key=lambda side: gaps[side])
