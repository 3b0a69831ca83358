"""Decide which blocks beside a hand may be part of it, and cut them into sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorer.hand import HAND_SIZE
from scorer.tiles import FACE_DOWN
from vision.geometry.blocks import find_blocks, find_side
from vision.geometry.ownership import group_by_place
from vision.geometry.plane import quads_of
from vision.geometry.rows import Layout
from vision.hand.arrangement import arrange, arrange_beside, to_sets
from vision.hand.assembly import AssembledHand
from vision.hand.hand_doubts import count_excess_faces
from vision.reading import BlockReading, SetReading, TileReading

MIN_HAND_TILES = 9
"""With fewer tiles nobody means to show a whole hand."""


def read_blocks(
    tiles: Sequence[TileReading],
    hand: AssembledHand,
    layout: Layout,
    rules: str,
    rival: Layout | None = None,
) -> Iterator[BlockReading]:
    """Yield what may be the hand instead, then flowers and blocks that may be part of it."""
    codes = [tile.code for tile in tiles]
    if rival:
        other = arrange(codes, rival.rows, rules, rival.sideways)
        places = [[tile for row in each.rows for tile in row.tiles] for each in (rival, layout)]
        quads = quads_of(tiles)
        side = find_side(*(quads[own] for own in places))
        yield BlockReading(side, to_sets(other), instead=True)
    yield from _read_unclear_flowers(tiles, layout)
    if count_tiles(hand) >= HAND_SIZE - 1:
        return
    for block in find_blocks(quads_of(tiles), layout, [code == FACE_DOWN for code in codes]):
        block_hand = arrange_beside(codes, block.rows, rules)
        if may_be_one_hand(AssembledHand((*hand.sets, *block_hand.sets))):
            yield BlockReading(block.side, to_sets(block_hand))


def _read_unclear_flowers(tiles: Sequence[TileReading], layout: Layout) -> Iterator[BlockReading]:
    """Yield the flowers that may be the hand's or another player's, those of each place together.

    Those that are rather the hand's come first. The hand includes them.
    """
    if not layout.unclear:
        return
    quads, hand_tiles = quads_of(tiles), sorted(layout.row_tiles - layout.unclear)
    middles, claimed_tiles = layout.plane.flatten(quads).mean(1), layout.unclear_taken
    for flowers, is_included in ((claimed_tiles, True), (layout.unclear - claimed_tiles, False)):
        for group in group_by_place(middles, sorted(flowers)):
            bonus_set = SetReading(tuple(group), "bonus", "loose")
            side = find_side(quads[group], quads[hand_tiles])
            yield BlockReading(side, (bonus_set,), included=is_included)


def count_tiles(hand: AssembledHand) -> int:
    """Return how many of a hand's fourteen tiles there are: every kong counts as three."""
    playing_sets = [laid for laid in hand.sets if laid.row != "bonus"]
    return sum(len(laid.tiles) for laid in playing_sets) - sum(
        laid.kind == "kong" for laid in playing_sets
    )


def may_be_one_hand(hand: AssembledHand) -> bool:
    """Return whether one player may hold these tiles, and whether they are nearly a hand."""
    return MIN_HAND_TILES <= count_tiles(hand) <= HAND_SIZE and not count_excess_faces(hand)
