"""A block beside a hand is asked about if both may be one hand, and joins it in its sets."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.vision.laid_hand import read_rows, reading_of
from vision.hand.laid_hand import lay_hand
from vision.hand.questions import questions
from vision.reading import Reading, TileReading

MELDS = ["B2 B2 B2", "C4 C5 C6", "WE WE WE ??", "F1 S3"]


def read_beside(hand: str, block: Sequence[str], dx: float = 560.0) -> Reading:
    """Return the reading of a hand in one row, with a block to the right of it."""
    hand_tiles, block_tiles = read_rows([hand]).tiles, read_rows(block).tiles
    return reading_of([*hand_tiles, *(_move_tile(tile, dx) for tile in block_tiles)], "a.jpg")


def _move_tile(tile: TileReading, dx: float) -> TileReading:
    a, b, c, d = ((x + dx, y) for x, y in tile.quad)
    return TileReading(tile.code, 0.99, (a, b, c, d), 0, (), doubtful=False)


def test_a_block_that_makes_the_hand_whole_joins_it() -> None:
    reading = read_beside("O3 O4 O5 DR DR", MELDS)
    laid_sets = {
        (s.row, s.kind, " ".join(reading.tiles[t].code for t in s.tiles)) for s in reading.sets
    }
    assert {
        ("exposed", "pung", "B2 B2 B2"),
        ("exposed", "chow", "C4 C5 C6"),
        ("exposed", "kong", "WE WE WE ??"),
        ("bonus", "loose", "F1 S3"),
    } < laid_sets
    assert not reading.blocks


def test_the_players_own_block_joins_concealed() -> None:
    """The longer row is taken for the hand, be it the melds or the player's own tiles."""
    reading = read_beside("B2 B2 B2 C4 C5 C6 O9 O9 O9", ["WE WE DR O1"], dx=900.0)
    concealed = {t for s in reading.sets if s.row == "concealed" for t in s.tiles}
    assert {reading.tiles[t].code for t in concealed} == {"WE", "DR", "O1"}


@pytest.mark.parametrize(
    ("hand", "block", "asks", "reason"),
    [
        ("O3 O4 O5", ["B2 B2 B2", "C4 C5 C6"], True, "nine: two more may be hidden"),
        ("O3 O4 O5", ["B2 B2 B2"], False, "six: nobody means a hand"),
        ("O3 O4 O5 DR DR O1", MELDS, False, "fifteen are no hand"),
        ("O3 O4 O5 B2 B2", ["B2 B2 B2", "C4 C5 C6", "WE WE"], False, "no set has five 2s"),
        ("O3 O4 O5 DR F1", ["B2 B2 B2", "C4 C5 C6", "F1 S3"], False, "no set has the plum twice"),
    ],
)
def test_it_is_asked_about_if_both_may_be_one_hand(
    hand: str, block: list[str], asks: bool, reason: str
) -> None:
    assert bool(read_beside(hand, block).blocks) == asks, reason


def test_a_block_is_asked_about_in_place_of_a_hidden_tile() -> None:
    reading = read_beside("B2 B2 B2 C4 C5 C6 O9 O9 O1", ["WE WE DR"], dx=900.0)
    laid_hand = lay_hand(reading.tiles, "bmja")
    codes = [tile.code for tile in laid_hand.tiles]
    question_texts = {
        p.code: p.text for p in questions(codes, laid_hand.hand, laid_hand.layout, laid_hand.blocks)
    }
    assert question_texts["tiles-beside"] == "3 tiles lie apart, to the right. Are they yours?"
    assert "tile-count" not in question_texts
    assert "tile-count" in {p.code for p in questions(codes, laid_hand.hand, laid_hand.layout)}
