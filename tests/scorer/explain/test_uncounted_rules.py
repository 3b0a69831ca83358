"""What was not counted: the rules that a player may have hoped for, and why they gave nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.breakdown import Breakdown
from scorer.hand import Hand
from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.score import score
from tests.scorer.strategies import lost_hands, won_hands
from tests.scorer.tables import read_table

ROWS = read_table(Path(__file__).with_name("uncounted.toml"), "hand", "rule", "says", "why")


@pytest.mark.parametrize(("text", "rule", "words", "why"), ROWS)
def test_what_was_not_counted_is_explained(text: str, rule: str, words: str, why: str) -> None:
    reasons = {each.rule: to_english(each.reason) for each in score(parse_hand(text)).not_counted}
    if words:
        assert words in reasons[rule], why
    else:
        assert rule not in reasons, why


hands = st.one_of(won_hands().map(lambda won: won.hand), lost_hands())


@given(hands)
def test_each_reason_is_one_short_sentence(hand: Hand) -> None:
    result = score(hand)
    rules = [each.rule for each in result.not_counted]
    assert len(rules) == len(set(rules)), "one entry for each rule"
    for each in result.not_counted:
        text = to_english(each.reason)
        assert re.fullmatch(r"[A-Z0-9][^.]*\.", text), each
        assert len(text) <= 110, each


@given(hands)
def test_what_was_counted_is_not_among_what_was_not(hand: Hand) -> None:
    result: Breakdown = score(hand)
    counted = {line.rule for line in result.lines}
    assert counted.isdisjoint(each.rule for each in result.not_counted)
