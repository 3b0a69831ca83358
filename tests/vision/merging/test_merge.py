"""Several photographs of one hand become one reading."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.tiles import CODES
from tests.vision.laid_hand import OPPOSITE, SIDE_VIEW, STRAIGHT_VIEW, CodeChance, read_rows
from vision.merging.merge import merge
from vision.reading import Reading

pytestmark = pytest.mark.slow

HAND = ("B2 B2 B2 | O9 O9 O9 ??", "C3 C4 C5 DR DR DR WE WE | F1")
"""Sixteen tiles; the top row is numbered 0 to 6, the bottom row 7 to 15."""

TEXT = "B222 O9999 | C345 DRRR WEE | F1 seat=E round=E"


def codes(reading: Reading) -> list[str]:
    return [tile.code for tile in reading.tiles]


def doubts(reading: Reading) -> list[int]:
    return [place for place, tile in enumerate(reading.tiles) if tile.doubtful]


def problems(reading: Reading) -> list[str]:
    return [problem.code for problem in reading.problems]


@pytest.mark.parametrize(
    "view", [STRAIGHT_VIEW, SIDE_VIEW, OPPOSITE], ids=["above", "aside", "opposite"]
)
def test_a_second_photo_from_anywhere_matches_tile_for_tile(view: npt.NDArray[np.float64]) -> None:
    merged_reading = merge([read_rows(HAND), read_rows(HAND, view=view, names={3: ("O8", 0.98)})])
    assert merged_reading.places == tuple((place, place) for place in range(16))
    assert merged_reading.reading.hand_text == TEXT


@pytest.mark.parametrize(
    ("first", "second", "code", "doubtful", "reason"),
    [
        (("C4", 0.99), ("C4", 0.99), "C4", False, "both are sure"),
        (("C4", 0.6), ("C4", 0.99), "C4", False, "the second photo settles it"),
        (("C5", 0.5), ("C4", 0.99), "C4", False, "also when the first took it for another"),
        (("C4", 0.6), ("C4", 0.7), "C4", True, "neither is sure: both may be misled alike"),
        (("C5", 0.99), ("C4", 0.95), "C4", True, "each is sure of another tile: ask"),
        (("C5", 0.6), ("C4", 0.5), "C4", True, "neither is sure, nor do they agree"),
    ],
)
def test_what_two_photos_make_of_one_tile(
    first: CodeChance, second: CodeChance, code: str, doubtful: bool, reason: str
) -> None:
    tile = merge(
        [read_rows(HAND, {8: first}), read_rows(HAND, {8: second}, SIDE_VIEW)]
    ).reading.tiles[8]
    assert (tile.code, tile.doubtful) == (code, doubtful), reason


def test_each_photos_name_for_a_tile_is_among_the_alternatives() -> None:
    readings = [read_rows(HAND, {8: ("C5", 0.7)}), read_rows(HAND, {8: ("C7", 0.9)}, SIDE_VIEW)]
    tile = merge(readings).reading.tiles[8]
    assert tile.code == "C4", "the only one that both think possible"
    assert {code for code, _ in tile.alternatives[:2]} == {"C5", "C7"}
    assert tile.doubtful


@pytest.mark.parametrize(
    ("hidden_places", "reason"),
    [((8,), "from the middle of a row"), ((0,), "at an end"), ((12,), "one of three alike"),
     ((11, 12), "two side by side"), ((3, 10), "one in each row")],
)  # fmt: skip
def test_a_tile_that_one_photo_misses_is_kept_and_asked_about(
    hidden_places: tuple[int, ...], reason: str
) -> None:
    for readings in permutations(
        [read_rows(HAND), read_rows(HAND, view=SIDE_VIEW, hidden_places=hidden_places)]
    ):
        merged_reading = merge(readings)
        assert merged_reading.reading.hand_text == TEXT, reason
        assert len(doubts(merged_reading.reading)) == len(hidden_places), reason
        assert problems(merged_reading.reading) == ["counts-differ"], reason


def test_a_tile_beyond_a_photos_edge_is_no_disagreement() -> None:
    left = np.array([[1.0, 0, -263], [0, 1, 0], [0, 0, 1]])  # the two leftmost of each row are off
    merged_reading = merge([read_rows(HAND, view=left, hidden_places=(0, 7)), read_rows(HAND)])
    assert merged_reading.reading.hand_text == TEXT
    assert doubts(merged_reading.reading) == []
    assert merged_reading.reading.problems == ()
    assert merged_reading.places[0] == (None, 0)
    assert merged_reading.reading.tiles[0].quad[1] == pytest.approx((-3, 300), abs=0.2), (
        "where it would be"
    )


def test_another_hand_is_left_out() -> None:
    other = read_rows(("B1 B2 B3 B4 B5 B6 B7 B8 B9 O1 O2 O3 O4",), photo="b.jpg")
    merged_reading = merge([read_rows(HAND), other])
    assert merged_reading.reading.hand_text == TEXT
    assert problems(merged_reading.reading) == ["another-hand"]
    assert {second for _, second in merged_reading.places} == {None}


def test_a_photo_without_tiles_takes_nothing_away() -> None:
    merged_reading = merge([read_rows(()), read_rows(HAND)])
    assert merged_reading.reading.hand_text == TEXT
    assert doubts(merged_reading.reading) == []


def test_the_same_photo_twice_is_no_second_witness() -> None:
    single_reading = read_rows(HAND, {8: ("C5", 0.7)})
    assert (
        merge([single_reading, single_reading]).reading.tiles
        == merge([single_reading]).reading.tiles
    )
    assert doubts(merge([single_reading, single_reading]).reading) == [8]


def test_no_photo_is_no_hand() -> None:
    with pytest.raises(ValueError, match="no readings"):
        merge([])


def test_a_flower_beside_the_hand_is_kept() -> None:
    """It lies in no row of either photograph once the tiles before it are hidden."""
    hidden_places = (13, 14)
    straight_reading, side_reading = (
        read_rows(HAND, hidden_places=hidden_places),
        read_rows(HAND, view=SIDE_VIEW, hidden_places=hidden_places, photo="b.jpg"),
    )
    assert "F1" in codes(straight_reading)
    assert (
        codes(merge([straight_reading]).reading)
        == codes(merge([straight_reading, side_reading]).reading)
        == codes(straight_reading)
    )


NAMES = st.dictionaries(
    st.integers(0, 15), st.tuples(st.sampled_from(CODES), st.floats(0.3, 1.0)), max_size=4
)
LEFT = st.sets(st.integers(0, 15), max_size=2)
READINGS = st.builds(
    lambda names, left, view: read_rows(HAND, names, view, tuple(left)),
    NAMES,
    LEFT,
    st.sampled_from([STRAIGHT_VIEW, SIDE_VIEW]),
)


@given(READINGS)
def test_merged_with_itself_nothing_changes(reading: Reading) -> None:
    merged_reading = merge([reading, reading]).reading
    own_places = sorted({place for laid_set in reading.sets for place in laid_set.tiles})
    assert codes(merged_reading) == [reading.tiles[place].code for place in own_places]
    assert [t.doubtful for t in merged_reading.tiles] == [
        reading.tiles[place].doubtful for place in own_places
    ]


@settings(max_examples=20)  # each merges up to six orders of three photographs
@given(st.lists(READINGS, min_size=2, max_size=3))
def test_the_order_of_photos_does_not_matter(readings: list[Reading]) -> None:
    outcomes = set()
    for order in permutations(readings):
        merged_reading = merge(order).reading
        outcomes.add(
            (merged_reading.hand_text, tuple(codes(merged_reading)), tuple(doubts(merged_reading)))
        )
    assert len(outcomes) == 1


@given(READINGS, READINGS)
def test_a_tile_of_either_photo_is_kept_once(first: Reading, second: Reading) -> None:
    merged_reading = merge([first, second])
    for photo, reading in enumerate((first, second)):
        kept_places = [
            places[photo] for places in merged_reading.places if places[photo] is not None
        ]
        own_places = {place for laid_set in reading.sets for place in laid_set.tiles}
        assert len(kept_places) == len(set(kept_places))
        assert set(kept_places) in (own_places, set()), (
            "all of its hand, or none if it is given twice"
        )
