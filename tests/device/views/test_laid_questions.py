"""Rounds about sets as they lie: what the box reads off each picture is what the page says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.i18n.words import LANGUAGES, catalogue
from device.views.tutor.rules import LAYINGS
from scorer.hand import RULESETS
from scorer.layings import laying_shapes
from scorer.ruleset import Laying
from scorer.rulesets.builtin import load_builtin
from scorer.score import score
from scorer.sets import classify_set
from scorer.teach.practice.set_questions import (
    LAID_ANSWERS,
    SET_LEVELS,
    TRAPS,
    UNLAID_ANSWER,
    SetQuestion,
    SetWorth,
    as_hand,
    find_laying,
    make_set_round,
    name_laid_set,
    usual_shapes,
)
from scorer.teach.practice.tile_questions import CHOICES_PER_QUESTION, QUESTIONS_PER_ROUND
from vision.hand.assembly import AssembledSet, LaidSet, assemble

pytestmark = pytest.mark.slow

SEEDS = st.integers(0, 10**6)
NAMES = st.sampled_from(RULESETS)
LEVELS = st.sampled_from(list(SET_LEVELS))

ALL = [(rules, laying) for rules in RULESETS for laying in LAYINGS[rules]]


def make_questions(rules: str, level: str, seed: int) -> tuple[SetQuestion, ...]:
    return make_set_round(level, seed, load_builtin(rules), LAYINGS)


def read(picture: tuple[str, ...], rules: str) -> tuple[AssembledSet, ...]:
    """Return what the box makes of a group in the exposed row, where all face-up sets lie."""
    return assemble(picture, [LaidSet(tuple(range(len(picture))), "exposed")], rules).sets


@pytest.mark.parametrize(("rules", "layout"), ALL, ids=[f"{r}-{x.shape}" for r, x in ALL])
def test_the_box_reads_every_laying_as_the_set_that_it_is_said_to_be(
    rules: str, layout: Laying
) -> None:
    picture = tuple("??" if mark == "?" else "O5" for mark in layout.shape)
    (read_set,) = read(picture, rules)
    assert (read_set.kind, read_set.row == "concealed") == (layout.kind, layout.concealed)
    assert set(read_set.codes) == {"O5"}


@pytest.mark.parametrize("rules", RULESETS)
def test_every_way_of_laying_is_practised(rules: str) -> None:
    shapes = {q.shape for seed in range(40) for q in make_questions(rules, "laid", seed)}
    assert shapes == {laying.shape for laying in LAYINGS[rules]} >= set(laying_shapes(rules))


@given(NAMES, LEVELS, SEEDS)
def test_the_box_reads_every_picture_as_the_right_answer(rules: str, level: str, seed: int) -> None:
    for question in make_questions(rules, level, seed):
        sets = read(question.picture, question.ruleset)
        right = question.choices[question.right]
        if right == UNLAID_ANSWER:
            assert "??" in {code for each in sets for code in each.codes}, "not to be read"
            continue
        (read_set,) = sets
        if question.laying is None:
            assert read_set.kind in ((right,) if question.subject == "kind" else ("chow", "pair"))
        elif question.subject == "kind":
            assert read_set.kind == right
        else:
            concealed = "concealed" if read_set.row == "concealed" else "exposed"
            assert f"{concealed}-{read_set.kind}" == name_laid_set(question.laying)
            assert right == name_laid_set(question.laying) or question.subject == "worth"
        assert sorted(read_set.codes) == sorted(question.tiles)


@given(NAMES, LEVELS, SEEDS)
def test_every_question_has_four_answers_and_one_is_right(
    rules: str, level: str, seed: int
) -> None:
    questions = make_questions(rules, level, seed)
    assert len(questions) == QUESTIONS_PER_ROUND
    assert questions == make_questions(rules, level, seed), "the same for the same seed"
    for question in questions:
        assert len(set(question.choices)) == len(question.choices) == CHOICES_PER_QUESTION
        assert 0 <= question.right < CHOICES_PER_QUESTION


@given(NAMES, SEEDS)
def test_what_a_set_brings_is_what_the_scorer_says(rules: str, seed: int) -> None:
    for question in make_questions(rules, "worth", seed):
        breakdown = score(as_hand(question), load_builtin(rules))
        assert question.choices[question.right] == SetWorth(breakdown.base, breakdown.doubles)
        assert breakdown.total == breakdown.base << breakdown.doubles
        (scored_set,) = breakdown.sets
        assert scored_set.kind == (
            question.laying.kind if question.laying else classify_set(question.tiles)
        )
        if question.laying:
            assert scored_set.concealed == question.laying.concealed
            assert breakdown.lines
        assert breakdown.lines or breakdown.not_counted, "there is always a reason"


@pytest.mark.parametrize("rules", RULESETS)
def test_what_a_set_brings_is_asked_of_all_kinds_of_sets(rules: str) -> None:
    kinds = {
        classify_set(q.tiles) for seed in range(20) for q in make_questions(rules, "worth", seed)
    }
    assert kinds == {"chow", "pung", "kong", "pair"}


@pytest.mark.parametrize(
    ("shape", "answers"),
    [
        ("XXX", ("exposed-pung", "exposed-pung")),  # read alike
        ("XXX?", ("exposed-kong", "concealed-kong")),  # BMJA-V12: the dangerous one
        ("?XX?", ("concealed-kong", None)),
        ("X?X", ("concealed-pung", "concealed-pung")),
        ("XX?", (None, "concealed-pung")),
    ],
)
def test_one_picture_by_two_rulesets(shape: str, answers: tuple[str | None, ...]) -> None:
    layouts = (find_laying(shape, LAYINGS[rules]) for rules in RULESETS)
    assert tuple(laying and name_laid_set(laying) for laying in layouts) == answers


def test_the_level_of_two_rulesets_asks_for_both_and_offers_the_others_reading() -> None:
    questions = [q for seed in range(60) for q in make_questions("bmja", "both", seed)]
    assert {q.ruleset for q in questions} == set(RULESETS)
    assert {q.shape for q in questions} == set(usual_shapes(LAYINGS)) == {
        "XXX", "XXX?", "?XX?", "X?X", "XX?",
    }  # fmt: skip
    assert {str(q.choices[q.right]) for q in questions} == set(LAID_ANSWERS)
    for question in questions:
        for rules in RULESETS:
            other = find_laying(question.shape, LAYINGS[rules])
            assert (
                name_laid_set(other) if other else UNLAID_ANSWER
            ) in question.choices or not other


def test_every_trap_is_laid_and_is_no_set() -> None:
    traps = [q for seed in range(80) for q in make_questions("bmja", "kinds", seed) if q.trap]
    assert {question.trap for question in traps} == set(TRAPS)
    assert all(question.choices[question.right] == "loose" for question in traps)


@pytest.mark.parametrize("rules", RULESETS)
def test_what_the_scorer_does_not_count_is_said_in_every_language(rules: str) -> None:
    reasons = {
        each.reason
        for seed in range(20)
        for question in make_questions(rules, "worth", seed)
        for each in score(as_hand(question), load_builtin(rules)).not_counted
    }
    assert len(reasons) > 4, "winds, dragons and chows"
    for language in LANGUAGES[1:]:
        book = catalogue(language)
        assert [reason for reason in reasons if not book.has(reason)] == []
