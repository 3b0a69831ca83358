"""Several photographs of one hand become one reading."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.tiles import CODES
from tests.vision.laid_hand import ABOVE, ASIDE, OPPOSITE, Said, laid
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


@pytest.mark.parametrize("view", [ABOVE, ASIDE, OPPOSITE], ids=["above", "aside", "opposite"])
def test_a_second_photo_from_anywhere_matches_tile_for_tile(view: npt.NDArray[np.float64]) -> None:
    merged = merge([laid(HAND), laid(HAND, view=view, said={3: ("O8", 0.98)})])
    assert merged.places == tuple((place, place) for place in range(16))
    assert merged.reading.hand_text == TEXT


@pytest.mark.parametrize(
    ("first", "second", "code", "doubtful", "why"),
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
    first: Said, second: Said, code: str, doubtful: bool, why: str
) -> None:
    tile = merge([laid(HAND, {8: first}), laid(HAND, {8: second}, ASIDE)]).reading.tiles[8]
    assert (tile.code, tile.doubtful) == (code, doubtful), why


def test_each_photos_name_for_a_tile_is_among_the_alternatives() -> None:
    readings = [laid(HAND, {8: ("C5", 0.7)}), laid(HAND, {8: ("C7", 0.9)}, ASIDE)]
    tile = merge(readings).reading.tiles[8]
    assert tile.code == "C4", "the only one that both think possible"
    assert {code for code, _ in tile.alternatives[:2]} == {"C5", "C7"}
    assert tile.doubtful


@pytest.mark.parametrize(
    ("without", "why"),
    [((8,), "from the middle of a row"), ((0,), "at an end"), ((12,), "one of three alike"),
     ((11, 12), "two side by side"), ((3, 10), "one in each row")],
)  # fmt: skip
def test_a_tile_that_one_photo_misses_is_kept_and_asked_about(
    without: tuple[int, ...], why: str
) -> None:
    for readings in permutations([laid(HAND), laid(HAND, view=ASIDE, without=without)]):
        merged = merge(readings)
        assert merged.reading.hand_text == TEXT, why
        assert len(doubts(merged.reading)) == len(without), why
        assert problems(merged.reading) == ["counts-differ"], why


def test_a_tile_beyond_a_photos_edge_is_no_disagreement() -> None:
    left = np.array([[1.0, 0, -263], [0, 1, 0], [0, 0, 1]])  # the two leftmost of each row are off
    merged = merge([laid(HAND, view=left, without=(0, 7)), laid(HAND)])
    assert merged.reading.hand_text == TEXT
    assert doubts(merged.reading) == []
    assert merged.reading.problems == ()
    assert merged.places[0] == (None, 0)
    assert merged.reading.tiles[0].quad[1] == pytest.approx((-3, 300), abs=0.2), "where it would be"


def test_another_hand_is_left_out() -> None:
    other = laid(("B1 B2 B3 B4 B5 B6 B7 B8 B9 O1 O2 O3 O4",), photo="b.jpg")
    merged = merge([laid(HAND), other])
    assert merged.reading.hand_text == TEXT
    assert problems(merged.reading) == ["another-hand"]
    assert {second for _, second in merged.places} == {None}


def test_a_photo_without_tiles_takes_nothing_away() -> None:
    merged = merge([laid(()), laid(HAND)])
    assert merged.reading.hand_text == TEXT
    assert doubts(merged.reading) == []


def test_the_same_photo_twice_is_no_second_witness() -> None:
    once = laid(HAND, {8: ("C5", 0.7)})
    assert merge([once, once]).reading.tiles == merge([once]).reading.tiles
    assert doubts(merge([once, once]).reading) == [8]


def test_no_photo_is_no_hand() -> None:
    with pytest.raises(ValueError, match="no readings"):
        merge([])


def test_a_flower_beside_the_hand_is_kept() -> None:
    """It lies in no row of either photograph once the tiles before it are hidden."""
    hidden = (13, 14)
    once, aside = laid(HAND, without=hidden), laid(HAND, view=ASIDE, without=hidden, photo="b.jpg")
    assert "F1" in codes(once)
    assert codes(merge([once]).reading) == codes(merge([once, aside]).reading) == codes(once)


SAID = st.dictionaries(
    st.integers(0, 15), st.tuples(st.sampled_from(CODES), st.floats(0.3, 1.0)), max_size=4
)
LEFT = st.sets(st.integers(0, 15), max_size=2)
READINGS = st.builds(
    lambda said, left, view: laid(HAND, said, view, tuple(left)),
    SAID,
    LEFT,
    st.sampled_from([ABOVE, ASIDE]),
)


@given(READINGS)
def test_merged_with_itself_nothing_changes(reading: Reading) -> None:
    merged = merge([reading, reading]).reading
    own = sorted({place for laid_set in reading.sets for place in laid_set.tiles})
    assert codes(merged) == [reading.tiles[place].code for place in own]
    assert [t.doubtful for t in merged.tiles] == [reading.tiles[place].doubtful for place in own]


@settings(max_examples=20)  # each merges up to six orders of three photographs
@given(st.lists(READINGS, min_size=2, max_size=3))
def test_the_order_of_photos_does_not_matter(readings: list[Reading]) -> None:
    outcomes = set()
    for order in permutations(readings):
        merged = merge(order).reading
        outcomes.add((merged.hand_text, tuple(codes(merged)), tuple(doubts(merged))))
    assert len(outcomes) == 1


@given(READINGS, READINGS)
def test_a_tile_of_either_photo_is_kept_once(first: Reading, second: Reading) -> None:
    merged = merge([first, second])
    for photo, reading in enumerate((first, second)):
        kept = [places[photo] for places in merged.places if places[photo] is not None]
        own = {place for laid_set in reading.sets for place in laid_set.tiles}
        assert len(kept) == len(set(kept))
        assert set(kept) in (own, set()), "all of its hand, or none if it is given twice"
