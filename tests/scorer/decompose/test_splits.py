"""Ways to split tiles into sets, in tables and against brute force; wild ones: `test_wilds`."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scorer.decompose.splits import split_into_sets
from scorer.decompose.unfinished_splits import group_alike

pytestmark = pytest.mark.slow

COMPLETE = [
    ("", 0, 0, 1, "nothing is nothing, in one way"),
    ("B1 B1 B1", 1, 0, 1, "a pung"),
    ("B1 B1 B1", 1, 1, 0, "no tiles are left for the pair"),
    ("B1 B1 B1 B1", 1, 0, 1, "a kong"),
    ("B1 B1 B1 B1", 0, 1, 0, "four are not one pair"),
    ("B1 B1 B1 B2 B2 B2 B3 B3 B3", 3, 0, 2, "three pungs or three chows"),
    ("B8 B9 B1", 1, 0, 0, "runs do not wrap (H04)"),
    ("B1 C2 O3", 1, 0, 0, "nor mix suits"),
    ("WE WS WW", 1, 0, 0, "nor are of winds"),
]


@pytest.mark.parametrize(("codes", "sets", "pairs", "ways", "reason"), COMPLETE)
def test_ways_to_use_every_tile(codes: str, sets: int, pairs: int, ways: int, reason: str) -> None:
    assert len(list(split_into_sets(codes.split(), sets=sets, pairs=pairs, chows=4))) == ways, (
        reason
    )


def test_no_more_chows_than_allowed() -> None:
    codes = ["B1", "B1", "B1", "B2", "B2", "B2", "B3", "B3", "B3"]
    kinds = [
        [
            [each.kind for each in way]
            for way in split_into_sets(codes, sets=3, pairs=0, chows=chows)
        ]
        for chows in (2, 3)
    ]
    assert kinds == [[["pung"] * 3], [["chow"] * 3, ["pung"] * 3]]


EQUAL_TILES = [
    ("B2 B3 B4 B4 WE", 1, "pair loose", "alike together first: no chow is left"),
    ("B2 B3 B4 O4 WE", 1, "chow loose", "a chow of single tiles"),
    ("B2 B3 B4 O4 WE", 0, "loose", "no chow where none is allowed"),
    ("B2 B3 B4 C2 C3 C4", 1, "chow loose", "only so many chows"),
    ("B1 B1 B1 B1 B2 B3", 1, "kong loose", "K05: four in hand are a kong"),
    ("", 1, "", "nothing"),
]


@pytest.mark.parametrize(("codes", "chows", "kinds", "reason"), EQUAL_TILES)
def test_how_a_hand_that_is_not_complete_is_read(
    codes: str, chows: int, kinds: str, reason: str
) -> None:
    assert [each.kind for each in group_alike(codes.split(), chows=chows)] == kinds.split(), reason


SMALL = ["B1", "B2", "B3", "B4", "B5", "WE"]
CHOWS = [("B1", "B2", "B3"), ("B2", "B3", "B4"), ("B3", "B4", "B5")]
SETS = [*[(code,) * size for code in SMALL for size in (3, 4)], *CHOWS]


@given(
    st.lists(st.sampled_from(SETS), min_size=2, max_size=3),
    st.sampled_from(SMALL),
    st.integers(0, 3),
    st.permutations(range(14)),
)
def test_grouping_finds_what_brute_force_finds(
    sets: list[tuple[str, ...]], pair: str, chows: int, order: list[int]
) -> None:
    """Every choice of so many sets and a pair is tried."""
    codes = [*(code for each in sets for code in each), pair, pair]
    codes = [codes[place] for place in order if place < len(codes)]
    target = Counter(codes)
    assume(max(target.values()) <= 4)
    expected = {
        tuple(sorted((*chosen, (two,) * 2)))
        for chosen in combinations_with_replacement(SETS, len(sets))
        for two in SMALL
        if sum(each in CHOWS for each in chosen) <= chows
        and Counter(code for each in (*chosen, (two,) * 2) for code in each) == target
    }
    groupings = [
        tuple(sorted(each.tiles for each in way))
        for way in split_into_sets(codes, sets=len(sets), pairs=1, chows=chows)
    ]
    assert len(groupings) == len(set(groupings)), "a way was found twice"
    assert set(groupings) == expected
