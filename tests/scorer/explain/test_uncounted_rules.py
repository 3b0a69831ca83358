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


@pytest.mark.parametrize(("text", "rule", "words", "reason"), ROWS)
def test_what_was_not_counted_is_explained(text: str, rule: str, words: str, reason: str) -> None:
    reasons = {each.rule: to_english(each.reason) for each in score(parse_hand(text)).not_counted}
    if words:
        assert words in reasons[rule], reason
    else:
        assert rule not in reasons, reason


hands = st.one_of(won_hands().map(lambda win: win.hand), lost_hands())


@given(hands)
def test_each_reason_is_one_short_sentence(hand: Hand) -> None:
    result = score(hand)
    rules = [each.rule for each in result.not_counted]
    assert len(rules) == len(set(rules)), "one entry for each rule"
    for rule in result.not_counted:
        text = to_english(rule.reason)
        assert re.fullmatch(r"[A-Z0-9][^.]*\.", text), rule
        assert len(text) <= 110, rule


@given(hands)
def test_what_was_counted_is_not_among_what_was_not(hand: Hand) -> None:
    result: Breakdown = score(hand)
    counted_rules = {line.rule for line in result.lines}
    assert counted_rules.isdisjoint(each.rule for each in result.not_counted)
