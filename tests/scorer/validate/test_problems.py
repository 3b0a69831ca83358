"""What is refused, what is only remarked on, and in which words."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.errors import HandError
from scorer.hand import Hand
from scorer.notation import parse_hand
from scorer.score import score
from tests.scorer.tables import read_table

TEST_FILE = Path(__file__)
REFUSED_HANDS = read_table(TEST_FILE.with_name("refused.toml"), "hand", "code", "says", "why")
REMARKS = read_table(TEST_FILE.with_name("remarks.toml"), "hand", "codes", "says", "why")


def problems_of(hand: Hand) -> dict[str, str]:
    with pytest.raises(HandError) as failure:
        score(hand)
    assert all(problem.text in str(failure.value) for problem in failure.value.problems)
    assert {problem.level for problem in failure.value.problems} == {"error"}
    return {problem.code: problem.text for problem in failure.value.problems}


@pytest.mark.parametrize(("text", "code", "words", "reason"), REFUSED_HANDS)
def test_no_hand_is_refused_in_words(text: str, code: str, words: str, reason: str) -> None:
    problems = problems_of(parse_hand(text))
    assert list(problems) == [code], reason
    assert words in problems[code], reason


BEYOND_TEXT = [
    (Hand(concealed=("X9",)), "unknown-tile", "'X9'"),
    (Hand(winning_tile="X9", winner=True), "unknown-tile", "'X9'"),
    (Hand(seat_wind="X"), "unknown-wind", "seat"),
    (Hand(prevailing_wind=""), "unknown-wind", "prevailing"),
    (Hand(ruleset="riichi"), "unknown-ruleset", "bmja and safalra"),
    (Hand(players=6), "players", "2, 3, 4 and 5 may play, not 6"),
    (Hand(house=("clean_hand",)), "unknown-choice", "NAME:on or NAME:off"),
    (Hand(limit=0), "limit", "above 0"),
    (Hand(won_by=("wall",)), "not-the-winner", "wall"),
    (Hand(exposed=((),)), "not-a-set", "nothing"),
    (Hand(winner=True, won_by=("luck",)), "unknown-won-by", "'luck'"),
]
"""Hands that only a program can make: no text says this."""


@pytest.mark.parametrize(("hand", "code", "words"), BEYOND_TEXT)
def test_no_hand_from_a_program_is_refused_too(hand: Hand, code: str, words: str) -> None:
    assert words in problems_of(hand)[code]


def test_every_defect_is_named_at_once() -> None:
    hand = parse_hand("?? JK B11111 | B1 F1 | C1 seat=W won=wall+discard with=O9")
    assert set(problems_of(hand)) == {
        "face-down", "joker", "five-of-a-kind", "bonus-in-hand", "not-a-bonus",
        "won-by-contradiction",
    }  # fmt: skip
    hand = parse_hand("B124 WEE | B11111 | F1 F1 won=wall with=O9 rules=safalra")
    assert set(problems_of(hand)) == {
        "no-bonus-tiles", "five-of-a-kind", "bonus-twice", "not-a-set", "exposed-pair",
        "winner-count", "winning-tile",
    }  # fmt: skip


@pytest.mark.parametrize(("text", "codes", "words", "reason"), REMARKS)
def test_what_is_remarked_on(text: str, codes: str, words: str, reason: str) -> None:
    problems = score(parse_hand(text)).problems
    assert sorted(problem.code for problem in problems) == codes.split(), reason
    assert all(problem.level == "warning" for problem in problems)
    assert not codes or any(words in problem.text for problem in problems), reason


def test_five_of_a_tile_are_not_called_wild() -> None:
    with pytest.raises(HandError) as failure:
        score(parse_hand("B22222 | |"))
    text = " ".join(problem.text for problem in failure.value.problems)
    assert "are not a chow, pung or kong" in text
    assert "wild" not in text


PLUM = "B222 C345 O777 | O555 B88 | F1"
WARNINGS = read_table(TEST_FILE.with_name("warnings.toml"), "hand", "code", "says", "why")


@pytest.mark.parametrize(("text", "code", "words", "reason"), WARNINGS)
def test_what_is_looked_at_twice(text: str, code: str, words: str, reason: str) -> None:
    problems = [problem for problem in score(parse_hand(text)).problems if problem.code == code]
    if not words:
        assert not problems, reason
        return
    (problem,) = problems
    assert words in problem.text, reason
    assert problem.level == "warning"


def test_a_question_about_an_event_hand_is_answered_by_doing_as_it_says() -> None:
    question, answer = (
        score(parse_hand(f"{PLUM} won=loose")),
        score(parse_hand(f"{PLUM} won=loose with=O5")),
    )
    assert "BMJA-S27" in question.problems[0].text
    assert (question.special, answer.special) == (None, "BMJA-S27")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("| B222 C333 O777 B888 O99 | players=2 won=wall seat=W", "with 4 doubles or 500 points; "
         "this one has 0 doubles and 38"),
        ("B222 C333 O777 | DRRR O99 | players=2 won=wall seat=W", "this one has 1 double"),
        ("B222 C333 | DRRR DGGG O99 | players=2 won=wall seat=W", "this one has 2 doubles"),
    ],
)  # fmt: skip
def test_two_players_need_more(text: str, words: str) -> None:
    with pytest.raises(HandError, match="With two players") as failure:  # BMJA-N02
        score(parse_hand(text))
    assert words in str(failure.value)
