"""Right answers are marked right, others wrong, and what follows from one's own figures counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.match.settlement import settle
from scorer.message import Message, to_english
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.score import score
from scorer.teach.practice.exercises import Exercise, make_exercise
from scorer.teach.practice.levels import levels_for, rules_known_at
from scorer.teach.practice.questions import (
    MAX_ANSWER_NUMBER,
    Question,
    QuestionStep,
    mark_answer,
    mark_answers,
)
from tests.scorer.teach.practice.answers import right_answers

pytestmark = pytest.mark.slow

BMJA, SAFALRA = load_builtin("bmja"), load_builtin("safalra")
ALL = [(rules.name, level.key) for rules in (BMJA, SAFALRA) for level in levels_for(rules)]
of_every_level = pytest.mark.parametrize(
    ("book", "key"), ALL, ids=[f"{book}-{key}" for book, key in ALL]
)
seeds = st.integers(0, 10**9)


def questions(exercise: Exercise) -> list[Question]:
    return [question for step in exercise.steps for question in step.questions]


def question_named(exercise: Exercise, name: str) -> Question:
    return next(question for question in questions(exercise) if question.name == name)


@of_every_level
@settings(max_examples=20, deadline=None)
@given(seed=seeds, wrong=st.integers(-5, 3000))
def test_an_exercise_is_asked_marked_and_added_up_rightly(
    book: str, key: str, seed: int, wrong: int
) -> None:
    rules = load_builtin(book)
    exercise = make_exercise(key, seed, rules)
    right = right_answers(exercise)
    marked_answers = mark_answers(exercise.steps, right)
    assert len(marked_answers) == exercise.question_count
    assert all(each.right and not each.followed for each in marked_answers)
    for question in questions(exercise):
        can_be_answered_and_gives_its_reason(question)
        if wrong != question.expected:
            other = mark_answer(question, wrong, right)
            assert not other.counts, "after right answers nothing else follows"
        assert not mark_answer(question, None, right).counts
        assert not mark_answer(question, None, {}).counts
    names = [question.name for question in questions(exercise)]
    assert len(set(names)) == len(names)
    add_up_to_the_scorers_total(exercise, right, rules)
    offers_doubles_that_are_taught_and_not_only_true_ones(exercise, key, rules)


def can_be_answered_and_gives_its_reason(question: Question) -> None:
    assert question.accepts(question.expected)
    assert not question.accepts(-1)
    if question.form == "figure":
        assert question.expected in question.figures
        assert len(question.figures) > 1
    if question.form == "word":
        assert len(set(question.choices)) == len(question.choices) > 1
    if question.asks in ("set", "bonus", "win", "double", "special", "fishing"):
        assert question.reasons
        assert question.rule


def add_up_to_the_scorers_total(
    exercise: Exercise, answers: Mapping[str, int], rules: Ruleset
) -> None:
    breakdown = score(exercise.drawn_hands.hands[0], rules)
    asks = exercise.drawn_hands.level.asks
    if asks in ("points", "doubles", "limit"):
        points = [q.expected for q in questions(exercise) if q.asks in ("set", "bonus", "win")]
        assert sum(points) == breakdown.base
    if asks == "points":
        assert sum(points) == breakdown.total
    if asks in ("doubles", "limit"):
        product = answers["sum"] << answers["count"]
        assert answers["product"] == product
        assert breakdown.total == min(product, 1000 if rules.limit else product)
    if asks == "limit":
        assert answers["cut"] == int(breakdown.limited)
    if asks == "special":
        assert breakdown.special == question_named(exercise, "name").rule
        assert min(answers.get("product", answers["value"]), 1000) == breakdown.total
    if asks == "both":
        assert answers["total"] == breakdown.total
        assert answers["takes"] == int(breakdown.special is not None)
    if asks == "payments":
        scores = {h.seat_wind: score(h, rules).total for h in exercise.drawn_hands.hands}
        assert {wind: answers[f"score{wind}"] for wind in "ESWN"} == scores
        winner = next(h.seat_wind for h in exercise.drawn_hands.hands if h.winner)
        payments = settle(scores, winner).payments
        assert sum(p.amount for p in payments) == sum(
            answers[name] for name in answers if name.startswith("pays")
        )


def offers_doubles_that_are_taught_and_not_only_true_ones(
    exercise: Exercise, key: str, rules: Ruleset
) -> None:
    doubling_questions = [q for q in questions(exercise) if q.asks == "double"]
    if doubling_questions:
        assert {q.rule for q in doubling_questions} <= rules_known_at(key)
        assert len({(q.rule, q.label) for q in doubling_questions}) == len(doubling_questions)
        if rules is BMJA:
            assert 2 <= sum(not q.expected for q in doubling_questions) <= 4


MISTAKES: list[tuple[str, dict[str, int], Callable[[Mapping[str, int]], int] | None, str]] = [
    ("sum", {"p0": 30}, lambda a: a["sum"] - a["p0"] + 30, "one set was misjudged"),
    ("count", {"d0": 1, "d1": 1, "d2": 1, "d3": 1}, None, "doubles that do not apply"),
    ("product", {"sum": 14}, lambda a: 14 << a["count"], "the sum was wrong"),
    ("product", {"count": 5}, lambda a: a["sum"] << 5, "a double too many"),
    ("product", {"sum": 14, "count": 5}, lambda a: 14 << 5, "both were wrong"),
]


@pytest.mark.parametrize("seed", range(20))
def test_what_follows_from_a_mistake_counts(seed: int) -> None:
    exercise = make_exercise("doubles", seed, BMJA)
    right = right_answers(exercise)
    for name, slips, mistake, reason in MISTAKES:
        if not slips.keys() <= right.keys():
            continue
        answers = {**right, **slips}
        question = question_named(exercise, name)
        assert question.follows
        figure = mistake(right) if mistake else question.follows(answers)
        marked_answer = mark_answer(question, figure, answers)
        assert marked_answer.counts, reason
        assert marked_answer.right == (figure == question.expected)
        assert mark_answer(question, question.expected, answers).right, "the true one stays right"
        after = mark_answer(question, figure + 1, answers)
        assert not after.counts or figure + 1 == question.expected


def test_the_limit_is_judged_by_ones_own_figure() -> None:
    cut = next(
        question_named(found, "cut")
        for found in (make_exercise("limit", seed, BMJA) for seed in range(50))
        if question_named(found, "cut").expected
    )
    assert mark_answer(cut, 0, {"product": 640}).followed
    assert not mark_answer(cut, 0, {"product": 1280}).counts


def test_ordinary_hands_are_asked_about_their_own_limit() -> None:
    rules = replace(BMJA, limit=2000, ordinary_limit=300)
    for seed in range(20):
        cut = question_named(make_exercise("limit", seed, rules), "cut")
        assert cut.values == (300,)


def test_payments_follow_from_ones_own_scores() -> None:
    exercise = make_exercise("settlement", 3, BMJA)
    scores = {f"score{wind}": score for wind, score in zip("ESWN", (10, 20, 30, 40), strict=True)}
    winner = next(hand.seat_wind for hand in exercise.drawn_hands.hands if hand.winner)
    for payment in settle({w: scores[f"score{w}"] for w in "ESWN"}, winner).payments:
        for question in questions(exercise):
            if question.name in (
                f"pays{payment.payer}{payment.payee}", f"pays{payment.payee}{payment.payer}",
            ):  # fmt: skip
                assert mark_answer(question, payment.amount, scores).counts


def test_a_table_by_the_misprint_pays_double_to_the_prevailing_wind() -> None:
    misprint = BMJA.with_choices(("prevailing_wind_doubles:on",))
    for rules, doubling, other in (
        (BMJA, "BMJA-M03", "BMJA-C15"),
        (misprint, "BMJA-C15", "BMJA-M03"),
    ):
        rule_ids = {
            q.rule for seed in range(5) for q in questions(make_exercise("settlement", seed, rules))
        }
        assert doubling in rule_ids
        assert other not in rule_ids


def test_a_line_left_empty_is_no_figure_to_follow_from() -> None:
    total = make_exercise("sets", 3, BMJA).steps[-1].questions[0]
    assert not mark_answer(total, 1, {}).counts


def test_reasons_of_a_claimed_set_say_so() -> None:
    for seed in range(60):
        for question in questions(make_exercise("how-won", seed, BMJA)):
            if question.rule == "BMJA-K02":
                assert "claimed" in to_english(question.reasons[0])
                assert question.row == "concealed"
                return
    raise AssertionError("no claimed set in 200 hands")


def test_answers_beyond_reason_are_none() -> None:
    number = Question("n", "sum", "number", 4)
    tick = replace(number, form="tick")
    assert number.accepts(MAX_ANSWER_NUMBER)
    assert not number.accepts(MAX_ANSWER_NUMBER + 1)
    assert not tick.accepts(2)
    assert mark_answers([QuestionStep("sum", (number,))], {"n": 4})[0].right


def names_with_one_choice(seed: int) -> set[Message]:
    """Return the names of all special hands that a hand is; to choose from is one of them alone."""
    exercise = make_exercise("special", seed, BMJA)
    true_names = {way.special.name for way in exercise.table[0].ways if way.special}
    assert len(true_names.intersection(question_named(exercise, "name").choices)) == 1
    return true_names


@pytest.mark.parametrize("seed", [37, 59, 146, 326])
def test_a_hand_that_is_two_special_hands_has_one_right_name(seed: int) -> None:
    assert len(names_with_one_choice(seed)) > 1, "it waits for two at once (BMJA-S09)"


@given(seeds)
@settings(max_examples=25, deadline=None)
def test_no_wrong_name_of_a_special_hand_is_true(seed: int) -> None:
    names_with_one_choice(seed)
