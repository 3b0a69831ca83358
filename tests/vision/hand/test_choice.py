"""Which tiles are the hand, where others lie near or it lies in blocks, and which are exposed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from tests.vision.laid_hand import TILE_HEIGHT, TILE_WIDTH, read_rows, reading_of
from vision.hand.laid_hand import lay_hand
from vision.hand.questions import questions
from vision.reading import Reading, TileReading


@dataclass(frozen=True)
class Block:
    """Rows of codes somewhere on the table, as `tests.vision.laid_hand.laid` takes them."""

    rows: tuple[str, ...]
    dx: float = 0.0
    dy: float = 0.0
    """Of its place, in tile widths and heights; y towards the player."""
    is_turned_round: bool = False
    """Upside down, as the player opposite lays it."""


MELDS = Block(("B2 B2 B2 | C4 C5 C6", "WE WE WE | F1"))
OWN_BLOCK = Block(("O3 O4 O5 DR DR",), dx=11.0)
TWO_ROWS = Block(("B2 B2 B2 | C4 C5 C6", "WE WE WE O3 O4 O5 DR DR"))
OPPOSITE = Block(("B1 B4 B7 C1 C4 C7 C9 O1 O6 O9 WS WN DG",), dy=-3.0, is_turned_round=True)


def read(*blocks: Block) -> Reading:
    return reading_of([tile for block in blocks for tile in _tiles(block)], "a.jpg")


def _tiles(block: Block) -> list[TileReading]:
    block_tiles = read_rows(block.rows).tiles
    right = max(x for tile in block_tiles for x, _ in tile.quad)
    low = max(y for tile in block_tiles for _, y in tile.quad)

    def place(x: float, y: float) -> tuple[float, float]:
        if block.is_turned_round:
            x, y = 200.0 + right - x, 300.0 + low - y
        return x + block.dx * TILE_WIDTH, y + block.dy * TILE_HEIGHT

    moved_tiles = []
    for tile in block_tiles:
        a, b, c, d = (place(*corner) for corner in tile.quad)
        turn = 180 if block.is_turned_round else 0
        moved_tiles.append(TileReading(tile.code, 0.99, (a, b, c, d), turn, (), doubtful=False))
    return moved_tiles


def in_hand(reading: Reading) -> list[str]:
    return sorted(reading.tiles[t].code for s in reading.sets for t in s.tiles)


def codes_of(*blocks: Block) -> list[str]:
    words = (word for block in blocks for row in block.rows for word in row.split())
    return sorted(word for word in words if word != "|")


def rows_of(reading: Reading) -> set[tuple[str, str]]:
    return {(s.row, " ".join(reading.tiles[t].code for t in s.tiles)) for s in reading.sets}


@pytest.mark.parametrize(
    ("hand", "other_blocks", "reason"),
    [
        ([TWO_ROWS], [], "nothing else about"),
        ([MELDS, OWN_BLOCK], [], "melds at the left, the rest at the right"),
        ([TWO_ROWS], [OPPOSITE], "the longer row behind is the opponent's"),
        ([TWO_ROWS], [Block(("B9 B6 C1 C8 O8 WW",), dy=-1.9)], "a row of discards above"),
        (
            [MELDS, OWN_BLOCK],
            [Block(OPPOSITE.rows, dy=-4.5, is_turned_round=True)],
            "blocks, and an opponent",
        ),
    ],
)
def test_the_hand_is_told_from_what_lies_about(
    hand: Sequence[Block], other_blocks: Sequence[Block], reason: str
) -> None:
    assert in_hand(read(*hand, *other_blocks)) == codes_of(*hand), reason


def test_one_tile_too_many_is_left_to_the_player() -> None:
    """It may be a discard, or a flower that was misread."""
    reading = read(TWO_ROWS, Block(("C9",), dx=9.9, dy=1.3))
    assert in_hand(reading) == sorted([*codes_of(TWO_ROWS), "C9"])


def test_tiles_that_lie_for_show_are_not_cut_down_to_a_hand() -> None:
    """A whole set in rows is no hand, and the page says so of all its tiles."""
    rows = tuple(" ".join(f"{suit}{rank}" for rank in range(1, 10)) for suit in "BCO" * 3)
    assert len(in_hand(read(Block(rows)))) == 81


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (Block(("O3 O4 O5 DR DR",), dx=11.0), "the pair is in the block at the right"),
        (Block(("O3 O4 O5 DR DR",), dx=-8.0), "or at the left"),
    ],
)
def test_the_block_with_the_pair_is_concealed(block: Block, reason: str) -> None:
    laid_sets = rows_of(read(MELDS, block))
    exposed = {codes for row, codes in laid_sets if row == "exposed"}
    assert exposed == {"B2 B2 B2", "C4 C5 C6", "WE WE WE"}, reason
    assert ("concealed", "DR DR") in laid_sets, reason


@pytest.mark.parametrize(
    ("forward_heights", "gap_widths", "exposed", "is_asked", "reason"),
    [
        (0.6, 0.0, {"B2 B2 B2", "C4 C5 C6"}, False, "pushed forward by more than half a tile"),
        (0.3, 0.0, {"B2 B2 B2", "C4 C5 C6"}, True, "by a third"),
        (0.1, 0.0, set(), True, "by no more than a careless row wavers"),
        (0.0, 1.5, {"B2 B2 B2", "C4 C5 C6"}, True, "one row with a gap"),
    ],
)
def test_sets_pushed_forward_or_apart_are_exposed(
    forward_heights: float, gap_widths: float, exposed: set[str], is_asked: bool, reason: str
) -> None:
    forward = Block(("B2 B2 B2 | C4 C5 C6",), dy=-forward_heights)
    own_block = Block(("WE WE WE | O3 O4 O5 | DR DR",), dx=7.7 + gap_widths)
    tiles = [tile for block in (forward, own_block) for tile in _tiles(block)]
    hand = lay_hand(tiles, "bmja")
    exposed_codes = {" ".join(s.codes) for s in hand.hand.sets if s.row == "exposed"}
    assert exposed_codes == exposed, reason
    problems = questions([tile.code for tile in hand.tiles], hand.hand, hand.layout)
    assert ("exposed-or-concealed" in {problem.code for problem in problems}) == is_asked, reason


def test_loose_tiles_pushed_forward_are_not_exposed() -> None:
    forward = Block(("B2 C9 WE",), dy=-0.5)
    own_block = Block(("WN WN WN | O3 O4 O5 | DR DR DR",), dx=3.5)
    assert "exposed" not in {row for row, _ in rows_of(read(forward, own_block))}


def test_a_second_hand_is_asked_about_where_it_is_nearly_as_likely() -> None:
    other = Block(("B1 B1 B1 | C7 C8 C9", "WS WS WS O6 O7 O8 DG DG"), dx=11.5)
    reading = read(TWO_ROWS, other)
    (block,) = (each for each in reading.blocks if each.instead)
    both_hands = {
        tuple(in_hand(reading)),
        tuple(sorted(reading.tiles[t].code for t in block.tiles)),
    }
    assert both_hands == {tuple(codes_of(TWO_ROWS)), tuple(codes_of(other))}


def test_no_second_hand_is_asked_about_behind_ones_own() -> None:
    assert not read(TWO_ROWS, OPPOSITE).blocks


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_the_choice_does_not_depend_on_how_the_phone_is_held(turn: int) -> None:
    """Alone on a table a hand in blocks is the same from every side."""
    angle = math.radians(turn)

    def turn_tile(tile: TileReading) -> TileReading:
        a, b, c, d = (
            (
                800 + math.cos(angle) * (x - 800) - math.sin(angle) * (y - 600),
                600 + math.sin(angle) * (x - 800) + math.cos(angle) * (y - 600),
            )
            for x, y in tile.quad
        )
        return TileReading(tile.code, 0.99, (a, b, c, d), turn, (), doubtful=False)

    tiles = [turn_tile(tile) for tile in (*_tiles(MELDS), *_tiles(OWN_BLOCK))]
    laid_hand = lay_hand(tiles, "bmja")
    assert len([t for s in laid_hand.hand.sets for t in s.tiles]) == len(tiles)
