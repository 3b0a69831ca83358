"""Rounds about single tiles: what must hold of every one that can be made."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.hand import Hand
from scorer.rulesets.builtin import load_builtin
from scorer.score import score
from scorer.teach.practice.tile_questions import (
    CHOICES_PER_QUESTION,
    QUESTIONS_PER_ROUND,
    find_owner,
    make_tile_round,
    tile_levels,
)
from scorer.tiles import BY_CODE, CODES, WINDS

LEVELS = st.sampled_from(list(tile_levels()))
SEEDS = st.integers(0, 10**6)


@given(LEVELS, SEEDS)
def test_every_question_has_one_right_answer(level: str, seed: int) -> None:
    for question in make_tile_round(level, seed):
        right = find_owner(question.code) if question.subject == "whose" else question.code
        assert question.choices[question.right] == right
        assert len(set(question.choices)) == len(question.choices) == CHOICES_PER_QUESTION


@given(LEVELS, SEEDS)
def test_a_round_keeps_to_its_level_and_asks_nothing_twice_running(level: str, seed: int) -> None:
    questions = make_tile_round(level, seed)
    codes = [question.code for question in questions]
    choice_codes = {code for question in questions for code in question.choices}
    assert len(codes) == QUESTIONS_PER_ROUND
    assert set(codes) <= set(tile_levels()[level].codes)
    assert choice_codes <= {*tile_levels()[level].codes, *(WINDS if level == "bonus" else ())}
    assert len(set(codes)) == min(QUESTIONS_PER_ROUND, len(tile_levels()[level].codes)), (
        "none again too soon"
    )
    assert all(one != other for one, other in pairwise(codes))


@given(LEVELS, SEEDS)
def test_a_round_is_the_same_for_the_same_seed(level: str, seed: int) -> None:
    assert make_tile_round(level, seed) == make_tile_round(level, seed)
    assert make_tile_round(level, seed) != make_tile_round(level, seed + 1)


@pytest.mark.parametrize("level", tile_levels())
def test_every_tile_of_a_level_comes_in_reach_and_every_place_is_right_at_times(level: str) -> None:
    questions = [question for seed in range(60) for question in make_tile_round(level, seed)]
    assert {question.code for question in questions} == set(tile_levels()[level].codes)
    assert {question.right for question in questions} == set(range(CHOICES_PER_QUESTION))


def test_the_last_level_has_every_tile() -> None:
    assert tile_levels()[list(tile_levels())[-1]].codes == CODES


@given(SEEDS)
def test_a_game_without_flowers_never_speaks_of_them(seed: int) -> None:
    assert "bonus" not in tile_levels(bonus_tiles=False)
    for level in tile_levels(bonus_tiles=False):
        for question in make_tile_round(level, seed, bonus_tiles=False):
            assert not any(BY_CODE[code].is_bonus for code in (question.code, *question.choices))


@given(SEEDS)
def test_a_wrong_answer_is_a_near_one(seed: int) -> None:
    for question in make_tile_round("suits", seed):
        tile = BY_CODE[question.code]
        tiles = [BY_CODE[code] for code in question.choices if code != question.code]
        assert all(each.family == tile.family or each.rank == tile.rank for each in tiles)


@pytest.mark.parametrize(
    ("code", "look_alikes"),
    [("C6", {"C8", "C4", "C5"}), ("B1", {"S1", "F1", "F4"}), ("C7", {"C9"})],
)
def test_look_alikes_are_among_the_answers(code: str, look_alikes: set[str]) -> None:
    questions = (q for seed in range(200) for q in make_tile_round("alike", seed) if q.code == code)
    question = next(questions)
    assert look_alikes & set(question.choices)


@pytest.mark.parametrize("code", [code for code in CODES if BY_CODE[code].is_bonus])
def test_whose_a_flower_is_is_what_the_scorer_doubles(code: str) -> None:
    winds = {
        wind: score(Hand(bonus=(code,), seat_wind=wind), load_builtin("bmja")).doubles
        for wind in WINDS
    }
    assert winds == {wind: int(wind == find_owner(code)) for wind in WINDS}


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(KeyError):
        make_tile_round("dominoes", 1)
