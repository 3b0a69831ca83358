"""The difference of two scores in plain words, and what other choices would make of a hand."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.breakdown import Breakdown, Line
from scorer.diff import describe_diff, diff
from scorer.errors import HandError
from scorer.hand import Hand
from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.score import score
from scorer.what_if import ImpossibleIf, WhatIf, describe_outcome, what_if
from tests.scorer.strategies import lost_hands, won_hands
from tests.scorer.tables import read_table

pytestmark = pytest.mark.slow


def score_text(text: str) -> Breakdown:
    return score(parse_hand(text))


ROWS = read_table(Path(__file__).with_name("diff.toml"), "before", "after", "says", "why")


@pytest.mark.parametrize(("before", "after", "says", "reason"), ROWS)
def test_the_difference_in_words(before: str, after: str, says: str, reason: str) -> None:
    sentences = describe_diff(diff(score_text(before), score_text(after)))
    assert "\n".join(map(to_english, sentences)) == says, reason


def test_a_table_that_doubles_more_often() -> None:
    before = score_text("| DRRR |")
    (pung, double) = before.lines
    double_twice = replace(before, lines=(pung, replace(double, doubles=2)), total=32)
    assert tuple(map(to_english, describe_diff(diff(before, double_twice)))) == (
        "Pung or kong of dragons counts 2 doubles instead of one double.",
        "32 instead of 16: 16 more.",
    )


hands = st.one_of(won_hands().map(lambda win: win.hand), lost_hands())


@given(hands)
def test_a_score_does_not_differ_from_itself(hand: Hand) -> None:
    difference = diff(score(hand), score(hand))
    assert (difference.changed, difference.gone, difference.new) == ((), (), ())
    assert difference.same_kind
    assert tuple(map(to_english, describe_diff(difference))) == (
        f"The total is the same: {difference.before}.",
    )


def worth(lines: list[Line], part: str) -> tuple[int, int]:
    part_lines = [line for line in lines if line.part == part]
    return sum(line.points for line in part_lines), sum(line.doubles for line in part_lines)


@given(hands, hands)
def test_the_difference_accounts_for_every_point_and_double(first: Hand, two: Hand) -> None:
    before, after = score(first), score(two)
    difference = diff(before, after)
    lost_lines = [
        *(each.line for each in difference.gone),
        *(each.before for each in difference.changed),
    ]
    won_lines = [
        *(each.line for each in difference.new),
        *(each.after for each in difference.changed),
    ]
    for part in ("hand", "bonus"):
        for place in (0, 1):
            assert worth(list(before.lines), part)[place] - worth(lost_lines, part)[place] == (
                worth(list(after.lines), part)[place] - worth(won_lines, part)[place]
            )
    assert difference.before + difference.difference == difference.after


@given(hands, hands)
def test_the_way_back_is_the_way_there_turned_round(first: Hand, two: Hand) -> None:
    difference, reverse = diff(score(first), score(two)), diff(score(two), score(first))
    assert difference.difference == -reverse.difference
    assert len(difference.gone) == len(reverse.new)
    assert len(difference.changed) == len(reverse.changed)
    for text in map(to_english, describe_diff(difference)):
        assert re.match(r"[A-Z0-9]", text)
        assert text.endswith(".")


WHAT_IF = [
    ("B222 B333 | B777 WWWW WNN | won=wall", ["clean_hand"], "C17: one suit with honours"),
    ("B222 B333 | B777 WWWW WNN | won=wall house=clean_hand:off", ["clean_hand"],
     "the choice in force is the hand's own"),
    ("B222 C345 O777 | B888 O99 | won=wall", [], "nothing hangs on any choice"),
    ("| B222 C345 O777 B888 WNN | won=wall with=WN", ["concealed_needs_sets", "only_possible_tile",
     "pair_completed"], "C06 and C16"),
    ("B333 | B222 B456 B888 B99 | won=wall", ["one_suit_with_chow"], "C18"),
    ("| B222 C345 | rules=safalra", [], "there are no choices to make"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "names", "reason"), WHAT_IF)
def test_the_choices_that_matter(text: str, names: list[str], reason: str) -> None:
    outcomes = what_if(parse_hand(text))
    assert [each.option.name for each in outcomes] == names, reason
    for outcome in outcomes:
        assert isinstance(outcome, WhatIf)
        sentence = to_english(describe_outcome(outcome)[0])
        assert sentence.startswith(f"{outcome.diff.after} instead of {outcome.diff.before}")
        assert outcome.diff.before == score_text(text).total
        choice = f"{outcome.option.name}:{'off' if outcome.option.value else 'on'}"
        assert outcome.diff.after == score(replace(parse_hand(text), house=(choice,))).total


def test_a_choice_may_leave_no_hand() -> None:
    """The gates of heaven with a claimed 5, where only a 1 or a 9 may be claimed (BMJA-C13)."""
    (outcome,) = what_if(parse_hand("| O111 O2345678 O999 O5 | won=discard with=O5"))
    assert isinstance(outcome, ImpossibleIf)
    assert outcome.option.name == "gates_only_terminal_claimable"
    assert outcome.reason
    assert describe_outcome(outcome) == outcome.reason
    with pytest.raises(HandError):
        what_if(parse_hand("| B22222 |"))


@settings(max_examples=20)
@given(hands)
def test_no_choice_is_passed_over(hand: Hand) -> None:
    option_names = {each.option.name for each in what_if(hand)}
    as_it_is = score(hand)
    for option in as_it_is.options:
        other = replace(hand, house=(f"{option.name}:{'off' if option.value else 'on'}",))
        try:
            changes = score(other).total != as_it_is.total
        except HandError:
            changes = True
        assert (option.name in option_names) == changes
