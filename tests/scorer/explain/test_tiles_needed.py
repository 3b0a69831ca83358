"""How many tiles a hand lacks: against every target there is, and step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorer.decompose.arrangements import winning_arrangements
from scorer.decompose.splits import chow_codes_from
from scorer.explain.tiles_needed import min_tiles_needed, useful_tiles
from scorer.hand import RULESETS, Hand
from scorer.notation import parse_hand
from scorer.patterns.frames import PLAYING_CODES
from scorer.rulesets.builtin import load_builtin
from scorer.tiles import JOKER
from tests.scorer.strategies import WonHand, goulash_wins, lost_hands, won_hands

pytestmark = pytest.mark.slow

ROWS = [
    ("| B222 C333 O777 DRRR WE |", 1, "four pungs wait for the pair"),
    ("| B2345 C333 O777 DRR WE |", 2, "a chow and two pungs: a dragon and a pair's tile"),
    ("| B147 C258 O369 WESWN |", 9, "nothing together: one chow of two, three pungs, a pair"),
    ("B222 C333 | O777 DRRR WEE |", 0, "whole, with a tile to spare for no kong"),
    ("B345 | B234 C333 O777 DR |", 3, "H02: the second chow is none, so a pung is wanted"),
    ("B345 B345 | C333 O777 DR |", None, "H02: two chows lie on the table"),
    ("| B234 B345 C333 O777 DR | players=3", 3, "H03: no chow: the pairs of 3s and 4s grow"),
    ("| B2222 C333 O777 DRRR |", 2, "T04: there is no fifth 2, so both of the pair must come"),
    ("O2222 | C333 B777 DRRR O1 |", 1, "a kong on the table is a set"),
    ("| B1234567891 B11 DR | rules=safalra", 1, "SAF-H03: any number of chows"),
    ("C123 | B123456789 DR | rules=safalra", 10, "SAF-H02: the bamboos are of no use"),
    ("C123 B123 | B1 | rules=safalra", None, "SAF-H02: two suits on the table"),
    ("| B111 C333 O777 WEE DR JK | goulash", 1, "G05: the joker stands in one set or the pair"),
    ("| B22 C333 O777 WEEE DR | goulash", 2, "G07: with the 2s wild no pair is of them alone"),
    ("B234 | DR |", 10, "three sets, and the pair's other tile"),
    ("B23 | DR |", None, "what lies on the table is no set"),
    ("B22 | DR |", None, "a pair on the table is no set"),
    ("| |", 14, "no tile at all"),
]


@pytest.mark.parametrize(("text", "missing_count", "reason"), ROWS)
def test_how_many_tiles_are_lacking(text: str, missing_count: int | None, reason: str) -> None:
    hand = parse_hand(text)
    assert min_tiles_needed(hand, load_builtin(hand.ruleset)) == missing_count, reason


@settings(max_examples=12, deadline=None)
@given(lost_hands().filter(lambda hand: len(hand.exposed) == 2), st.sampled_from(RULESETS))
def test_no_target_lacks_fewer(hand: Hand, ruleset: str) -> None:
    """With two sets on the table all targets can be looked at, one by one."""
    hand = replace(hand, ruleset=ruleset)
    rules = load_builtin(ruleset)
    exposed_counts = Counter(code for codes in hand.exposed for code in codes)
    concealed_counts = Counter(hand.concealed)
    chows = rules.chows_for(hand) - sum(len(set(codes)) > 1 for codes in hand.exposed)
    if chows < 0:
        assert min_tiles_needed(hand, rules) is None
        return
    minimum = min(
        (
            sum(max(0, count - concealed_counts[code]) for code, count in target)
            for runs, target in _targets()
            if runs <= chows
            and all(count + exposed_counts[code] <= 4 for code, count in target)
            and not (
                rules.one_suit and len(_suits([*exposed_counts, *(code for code, _ in target)])) > 1
            )
        ),
        default=None,
    )
    assert min_tiles_needed(hand, rules) == minimum


@cache
def _targets() -> list[tuple[int, list[tuple[str, int]]]]:
    """Return all that two sets and a pair can be: how many are runs, and how many of each tile."""
    runs = [run for code in PLAYING_CODES if (run := chow_codes_from(code))]
    sets = combinations_with_replacement([*[(code,) * 3 for code in PLAYING_CODES], *runs], 2)
    targets = []
    for first, other in sets:
        run_count = sum(len(set(each)) > 1 for each in (first, other))
        for pair in PLAYING_CODES:
            targets.append((run_count, [*Counter((*first, *other, pair, pair)).items()]))
    return targets


def _suits(codes: Iterable[str]) -> set[str]:
    return {code[0] for code in codes if code[0] in "BCO"}


@settings(max_examples=10, deadline=None)
@given(lost_hands(), st.booleans())
def test_some_tile_brings_it_one_nearer_and_none_two(hand: Hand, goulash: bool) -> None:
    """Whence, from whole hands back, every number is right that the next test grounds."""
    hand = replace(hand, goulash=goulash)
    rules = load_builtin("bmja")
    current = min_tiles_needed(hand, rules)
    assume(current)
    assert current is not None
    counts = Counter(hand.tiles)
    wild = JOKER if "B2" not in counts else "B2"
    faces = [code for code in PLAYING_CODES if not (goulash and code == "B2")]
    next_codes = [code for code in [*faces, *([wild] if goulash else [])] if counts[code] < 4]
    next_counts = {
        code: min_tiles_needed(replace(hand, concealed=(*hand.concealed, code)), rules)
        for code in next_codes
    }
    assert min(each for each in next_counts.values() if each is not None) == current - 1
    assert all(each in (current, current - 1) for each in next_counts.values())
    assert set(useful_tiles(hand, rules)) == {
        code
        for code, each in next_counts.items()
        if each == current - 1 and code not in hand.wild_codes
    }


@given(lost_hands())
def test_nothing_is_lacking_only_where_a_whole_hand_is_among_the_tiles(hand: Hand) -> None:
    rules = load_builtin("bmja")
    size = len(hand.tiles) - sum(len(codes) == 4 for codes in hand.exposed)
    assert (min_tiles_needed(hand, rules) == 0) == (
        size >= 14 and any(_is_whole(each) for each in _parts(hand, size - 14))
    )


def _parts(hand: Hand, excess: int) -> Iterator[Hand]:
    for out in combinations(range(len(hand.concealed)), excess):
        codes = tuple(code for place, code in enumerate(hand.concealed) if place not in out)
        yield replace(hand, concealed=codes)


def _is_whole(hand: Hand) -> bool:
    win = replace(hand, winner=True, won_by=("wall",))
    return any(True for _ in winning_arrangements(win, load_builtin("bmja")))


@given(st.one_of(won_hands(), goulash_wins()), st.lists(st.sampled_from(PLAYING_CODES), max_size=2))
def test_a_whole_hand_lacks_nothing_whatever_lies_beside_it(
    win: WonHand, extra_tiles: list[str]
) -> None:
    hand = replace(win.hand, winner=False, won_by=(), winning_tile=None)
    hand = replace(hand, concealed=(*hand.concealed, *extra_tiles))
    assume(max(Counter(c for c in hand.tiles if c not in hand.wild_codes).values()) <= 4)
    assert min_tiles_needed(hand, load_builtin("bmja")) == 0
    assert useful_tiles(hand, load_builtin("bmja")) == ()
