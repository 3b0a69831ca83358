"""Random patterns, also with wild tiles, against brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorer.explain.prospects import specials_within_reach
from scorer.hand import Codes
from scorer.notation import parse_hand
from scorer.patterns.frames import compile_pattern
from scorer.patterns.notation import PatternError
from scorer.score import score
from scorer.special import group_search
from tests.scorer.oracle.groups import PLAYING_CODES
from tests.scorer.oracle.patterns import (
    deal_hand,
    is_of_pattern,
    is_of_pattern_with_wilds,
    random_pattern,
)
from tests.scorer.patterns.own_rules import OWN_ID, drawn_hand, is_made, rules_with

seeds = st.integers(0, 2**32)


def pattern_and_hand(seed: int) -> tuple[str, Codes, Random]:
    """Return a random pattern that can be read, and a hand of it in which some tiles may differ."""
    rng = Random(seed)
    for _ in range(200):
        pattern = random_pattern(rng)
        try:
            compile_pattern(pattern)
        except PatternError:
            continue
        tiles = deal_hand(pattern, rng)
        if tiles:
            return pattern, tiles, rng
    assume(False)
    raise AssertionError


def spoil(tiles: Codes, rng: Random) -> Codes:
    """Return the tiles with up to two others in place of some."""
    new_tiles = list(tiles)
    for _ in range(rng.randint(0, 2)):
        new_tiles[rng.randrange(len(new_tiles))] = rng.choice(PLAYING_CODES)
    return tuple(new_tiles) if max(Counter(new_tiles).values()) <= 4 else tiles


@pytest.mark.slow
@settings(max_examples=50)
@given(seeds)
def test_random_patterns_are_made_as_brute_force_says(seed: int) -> None:
    pattern, tiles, rng = pattern_and_hand(seed)
    hand = spoil(tiles, rng)
    assert is_made(drawn_hand(hand), rules_with(pattern)) == is_of_pattern(pattern, hand)


SEVEN_PAIRS = "WE WE WS WS WW WW WN WN DR DR DG DG DW DW"

WILD = [
    ("pung DR, pung x1, 4 pairs y", "DR DR JK C1 C1 C1", "O1 O1 O3 O3 O5 O5 O7 O7", True,
     "one of three"),
    ("DR DR DR, x111, 4 pairs y", "DR DR JK C1 C1 C1", "O1 O1 O3 O3 O5 O5 O7 O7", True,
     "one of three, written out"),
    ("DR DR DR, x111, 4 pairs y", "DR JK JK C1 C1 C1", "O1 O1 O3 O3 O5 O5 O7 O7", False,
     "two of three"),
    ("pung DR, pung x1, 4 pairs y", "JK JK DR C1 C1 C1", "O1 O1 O3 O3 O5 O5 O7 O7", True,
     "two of three, one of them drawn from the wall"),
    ("pung DR, pung x1, 4 pairs y", "JK JK JK JK DR C1", "O1 O1 O3 O3 O5 O5 O7 O7", False,
     "two of three twice, where one was drawn"),
    (SEVEN_PAIRS, "WE WE WS WS WW WW WN WN DR DR DG DG", "DW JK", True, "one of a pair"),
    (SEVEN_PAIRS, "WE WE WS WS WW WW WN WN DR DR DG DG", "JK JK", False, "both of it"),
    ("6 pairs x, pair wind", "JK JK O1 O1 O3 O3", "O5 O5 O7 O7 O9 O9 O2 O2", True,
     "a pair of wild tiles alone, one of them drawn from the wall"),
    ("6 pairs x, pair wind", "O1 O1 O3 O3 JK JK", "O5 O5 O7 O7 O9 O9 O2 O2", False,
     "a pair of wild tiles alone, and a natural one drawn"),
    ("6 pairs x, 2 tiles wind", "O1 O1 O3 O3 O5 O5", "O7 O7 O9 O9 O2 O2 JK JK", True,
     "single tiles may all be wild"),
    ("3 couples x/y, 2 pungs x, pair wind", "B1 JK B3 JK B5 JK", "B7 B7 B7 B9 B9 B9 WE WE", True,
     "all of one suit are wild, and a couple has it all the same"),
    ("DR DR, pair dragon, 5 pairs x", "DR DR JK JK", "O1 O1 O3 O3 O5 O5 O7 O7 O9 O9", True,
     "one of each pair of dragons, for none is of wild tiles alone"),
    ("DR DR DR, 4 pairs x, pung wind", "DR DR DR WE WE JK", "C1 C1 C3 C3 C5 C5 C7 C7", True,
     "one of a pung"),
    ("DR DR DR, 4 pairs x, kong wind", "DR DR DR JK JK JK", "C1 C1 C3 C3 C5 C5 C7 C7", False,
     "a kong is declared, so it is not made of what nobody laid down"),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "tiles", "rest", "is_expected", "reason"), WILD)
def test_wild_tiles_stand_for_as_many_of_a_group_as_the_rules_let_them(
    pattern: str, tiles: str, rest: str, is_expected: bool, reason: str
) -> None:
    """BMJA-G05."""
    hand = drawn_hand((*tiles.split(), *rest.split()), goulash=True)
    assert is_made(hand, rules_with(pattern)) == is_expected, reason


@pytest.mark.slow
@settings(max_examples=8)
@given(seeds)
def test_one_wild_tile_may_be_any_tile_that_is_missing(seed: int) -> None:
    """B2 is wild in a goulash, too; with one wild tile no group can hold too many (G05)."""
    pattern, tiles, rng = pattern_and_hand(seed)
    rest = spoil(tiles, rng)[1:]
    assume("B2" not in rest and max(Counter(rest).values()) < 4)
    is_match = is_made(drawn_hand((*rest, "JK"), goulash=True), rules_with(pattern))
    assert is_match == any(is_of_pattern(pattern, (*rest, tile)) for tile in PLAYING_CODES)


@pytest.mark.parametrize(
    ("pattern", "tiles", "is_expected"),
    [
        ("7 pairs x/honour", "WEE WSS WWW WNN DRR DGG DWW", False),
        ("7 pairs x/honour", "WEE WSS WWW WNN DRR DGG B55", True),
        ("7 couples x/y/z", "B1234567 C1234567", False),
        ("7 couples x/y/z", "B1234567 C123456 O7", True),
    ],
)
def test_a_suit_that_a_pattern_names_must_occur(
    pattern: str, tiles: str, is_expected: bool
) -> None:
    hand = parse_hand(f"| {tiles} |").concealed
    assert is_made(drawn_hand(hand), rules_with(pattern)) == is_expected
    assert is_of_pattern(pattern, hand) == is_expected


def agrees_with_wilds(seed: int) -> bool:
    """Compare a random pattern, and a hand with two to four wild tiles, with brute force."""
    pattern, tiles, rng = pattern_and_hand(seed)
    wilds = rng.randint(2, 4)
    rest = spoil(tuple(rng.sample(tiles, len(tiles))), rng)[wilds:]
    if "B2" in rest:  # it is wild, too
        return True
    is_match = is_made(drawn_hand((*rest, *["JK"] * wilds), goulash=True), rules_with(pattern))
    return is_match == is_of_pattern_with_wilds(pattern, rest, wilds)


@pytest.mark.slow
@settings(max_examples=15)
@given(seeds)
def test_several_wild_tiles_are_as_brute_force_says(seed: int) -> None:
    assert agrees_with_wilds(seed)


HANDS_OF_A_PART = 100


@pytest.mark.prove
@pytest.mark.parametrize("part", range(40))
def test_thousands_of_hands_with_wild_tiles_are_as_brute_force_says(part: int) -> None:
    numbers = range(part * HANDS_OF_A_PART, (part + 1) * HANDS_OF_A_PART)
    assert [number for number in numbers if not agrees_with_wilds(number)] == []


@pytest.mark.slow
@settings(max_examples=6)
@given(seeds)
def test_what_is_waited_for_and_missing_is_enough(seed: int) -> None:
    pattern, tiles, rng = pattern_and_hand(seed)
    rest = spoil(tiles, rng)[1:]
    hand = replace(drawn_hand(rest), winner=False, won_by=(), winning_tile=None)
    breakdown = score(hand, rules_with(pattern))
    waits = {wait.tile for wait in breakdown.waits if wait.special == OWN_ID}
    assert waits == {
        tile
        for tile in PLAYING_CODES
        if rest.count(tile) < 4 and is_of_pattern(pattern, (*rest, tile))
    }
    for special in breakdown.nearest:
        assert (len(special.needed) == 1) == bool(waits)
        choices = combinations(rest, 14 - len(special.needed))
        assert any(is_of_pattern(pattern, (*tiles, *special.needed)) for tiles in choices)


MAX_TRIED_FILLINGS = 400
"""They are 343, and were 8,214 and 104,856: those that cannot be the best were weighed, too."""


def test_what_chows_and_pungs_lack_is_found_without_weighing_every_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[object] = []
    real = group_search._FrameSearch._take

    def count(
        search: group_search._FrameSearch,
        counts: Sequence[tuple[int, int]],
        wilds: int,
        shortage: group_search.Shortage,
    ) -> group_search.Shortage | None:
        calls.append(counts)
        return real(search, counts, wilds, shortage)

    monkeypatch.setattr(group_search._FrameSearch, "_take", count)
    hand = parse_hand("| B12 C345 O777 B888 DR WE |")
    rules = rules_with("4 chows/pungs/kongs x/y, pair z")
    (special,) = specials_within_reach(hand, rules, {})
    assert len(special.needed) == 4
    assert len(calls) < MAX_TRIED_FILLINGS
