"""The hands of real photographs: as they lie there, and as they are read."""

from __future__ import annotations

import pytest

from scorer.tiles import CODES
from tests.prove.real_hands import load_hands, print_results, read_hands

LEAST_RIGHT = 111
"""Of 114 hands, before any question. They were 106 when flowers far off were taken in."""


def test_what_is_written_down_are_hands() -> None:
    hands = load_hands()
    assert len({hand.file for hand in hands}) == len(hands) == 114
    for hand in hands:
        assert hand.tiles.keys() <= set(CODES), hand.file
        bonus = [count for code, count in hand.tiles.items() if code[0] in "FS"]
        assert set(bonus) <= {1}, hand.file
        assert max(hand.tiles.values()) <= 4, hand.file
        assert 12 <= hand.tiles.total() - len(bonus) <= 18, hand.file


@pytest.mark.prove
def test_most_are_right_before_any_question_and_none_is_wrong_unasked() -> None:
    results = read_hands()
    print_results(results)
    assert sum(each.is_right for each in results) >= LEAST_RIGHT
    assert not [each.hand.file for each in results if each.is_wrong_unasked]
