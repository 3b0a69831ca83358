"""Where a tile lies, in words that can be followed at a table."""

from __future__ import annotations

import pytest

from scorer.message import message
from tests.vision.laid_hand import read_rows
from vision.geometry.places import describe_place, describe_places, find_rows
from vision.words import to_english

TWO = ((0, 1, 2, 3), (4, 5, 6, 7, 8))


@pytest.mark.parametrize(
    ("rows", "place", "words", "reason"),
    [
        (TWO, 0, "the leftmost tile in the top row", "an end has a name of its own"),
        (TWO, 3, "the rightmost tile in the top row", "and so has the other"),
        (TWO, 1, "the second tile from the left in the top row", "counted from the nearer end"),
        (TWO, 7, "the second tile from the right in the bottom row", "also from the right"),
        (TWO, 6, "the third tile from the left in the bottom row", "in the middle from the left"),
        (TWO[:1], 2, "the second tile from the right", "a single row has no name"),
        ((*TWO, (9, 10)), 4, "the leftmost tile in the second row", "three rows"),
        ((tuple(range(26)),), 12, "the 13th tile from the left", "a long row"),
        ((*TWO, (9,)), 9, "the single tile in the bottom row", "it has no neighbours"),
        (TWO, 11, "a tile apart", "in no row"),
    ],
)
def test_one_place(rows: tuple[tuple[int, ...], ...], place: int, words: str, reason: str) -> None:
    assert to_english(describe_place(rows, place)) == words, reason


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ([0, 3], "the leftmost tile in the top row and the rightmost tile in the top row"),
        ([0, 1, 2, 3], "the leftmost tile in the top row, the second tile from the left in the top "
         "row, the second tile from the right in the top row and one more"),
        ([0, 3, 4, 8, 5], "the leftmost tile in the top row, the rightmost tile in the top row, "
         "the leftmost tile in the bottom row and 2 more"),
    ],
)  # fmt: skip
def test_several_places(places: list[int], words: str) -> None:
    text = message("seen.glare", places=describe_places(TWO, places))
    assert to_english(text).startswith(f"Light shines on {words}. ")


def test_rows_are_those_of_the_hands_own_tiles() -> None:
    reading = read_rows(("B2 B2 B2", "C3 C4 C5 DR DR DR"))
    assert find_rows(reading.tiles, reading.sets) == ((0, 1, 2), (3, 4, 5, 6, 7, 8))
    assert find_rows(reading.tiles, ()) == ()
