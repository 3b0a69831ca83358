"""Practise scoring a hand, step by step. The address holds the answers; the box saves the marks."""

from __future__ import annotations

import random
from collections.abc import Mapping
from urllib.parse import urlencode

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import spoken
from device.tutoring.first_evening import step_with_exercise
from device.views.tutor.exercise import (
    ShownHand,
    ask_question,
    describe_answer,
    describe_level,
    describe_verdict,
    earlier_results,
    hand_to_score,
    show_breakdown,
)
from device.views.tutor.play_over import ask_about_deal
from device.web.contexts import records
from device.web.fields import form_or_query, query
from device.web.phone_identity import pupil_name
from device.web.tutor.rules import agreement_in_force, rules_in_force
from scorer.parsing import parse_int
from scorer.play.moves import PlayError
from scorer.teach.practice.exercises import (
    MAX_SEED,
    Exercise,
    NoExerciseError,
    make_exercise,
    parse_seed,
)
from scorer.teach.practice.levels import DEAL_LEVEL, levels_for
from scorer.teach.practice.questions import MAX_ANSWER_NUMBER, QuestionStep, mark_answers

pages = Blueprint("exercises", __name__, url_prefix="/practise/hand")

EXERCISE_KEY = "hand"
"""The key of this exercise in the log."""

_UNREADABLE_STATUS = 422

_Answers = Mapping[str, int]


@pages.get("/")
def show() -> str:
    """Show the levels, what each teaches, and the pupil's progress."""
    rules = rules_in_force()
    progress = records().practice.progress(pupil_name())
    return render_template(
        "tutor/exercises.html",
        levels=[
            (describe_level(level, rules), progress.get((EXERCISE_KEY, level.key)))
            for level in levels_for(rules)
        ],
        seed=random.randrange(1, 10**4),
        notice=spoken(rules.notice),
        players=agreement_in_force().players,
    )


@pages.get("/<level>/<seed>/")
def step(level: str, seed: str) -> str | tuple[str, int]:
    """Show one step: its questions, or the marked answers."""
    exercise = _find_exercise(level, seed)
    step_number = query().place("at", min_value=-1, default=0)
    if not 0 <= step_number < len(exercise.steps):
        abort(404)
    current_step = exercise.steps[step_number]
    is_checked = "checked" in query()
    answers = _read_answers(exercise, current_step if is_checked else None)
    if answers is None:
        return _step_page(
            exercise, seed, step_number, {}, is_checked=False, unreadable=True
        ), _UNREADABLE_STATUS
    return _step_page(exercise, seed, step_number, answers, is_checked=is_checked)


@pages.post("/<level>/<seed>/")
def hand_in(level: str, seed: str) -> AnyResponse:
    """Save the number of right answers, once per exercise; redirect to the whole score."""
    exercise = _find_exercise(level, seed)
    answers = _read_answers(exercise, None) or {}
    right = sum(each.counts for each in mark_answers(exercise.steps, answers))
    address = url_for("exercises.done", level=level, seed=seed)
    records().practice.mark(
        pupil_name(),
        EXERCISE_KEY,
        level,
        right=right,
        asked=exercise.question_count,
        run=seed if level == DEAL_LEVEL.key else str(int(seed)),
    )
    return redirect(f"{address}?{urlencode(answers)}", code=303)


@pages.get("/<level>/<seed>/done")
def done(level: str, seed: str) -> str:
    """Show the result of the exercise, and the whole score as the scorer explains it."""
    exercise = _find_exercise(level, seed)
    answers = _read_answers(exercise, None) or {}
    marked_steps = mark_answers(exercise.steps, answers)
    rules = exercise.drawn_hands.rules
    deal = _deal_of(exercise, seed)
    keys = [level] if deal else [each.key for each in levels_for(rules)]
    place = keys.index(level)
    return render_template(
        "tutor/exercise_done.html",
        found=exercise,
        deal=deal,
        words=describe_level(exercise.drawn_hands.level, rules),
        right=sum(each.counts for each in marked_steps),
        scores=_scored_hands(exercise),
        next_seed="" if deal else (int(seed) + 1) % (MAX_SEED + 1),
        harder=keys[place + 1] if place + 1 < len(keys) else None,
        easier=keys[place - 1] if place else None,
        pupil=pupil_name(),
        evening=step_with_exercise(EXERCISE_KEY, level),
    )


def _find_exercise(level: str, seed: str) -> Exercise:
    """Return the exercise of an address; raise NoExerciseError."""
    if level == DEAL_LEVEL.key:
        return _find_deal_exercise(seed)
    return make_exercise(level, parse_seed(seed), rules_in_force())


def _find_deal_exercise(seed: str) -> Exercise:
    """Return the questions about a deal that is over: `ID-S` about South's hand, `ID` about all."""
    deal_id, _, seat = seed.partition("-")
    try:
        with records().practice_deals.open(deal_id) as live:
            return ask_about_deal(live, (seat,) if seat else live.deal.seats)
    except PlayError as error:  # from another version of the box
        raise NoExerciseError(seed) from error


def _deal_of(exercise: Exercise, seed: str) -> str:
    """Return the id of the deal that an exercise asks about; empty for drawn hands."""
    return seed.partition("-")[0] if exercise.drawn_hands.level is DEAL_LEVEL else ""


def _scored_hands(exercise: Exercise) -> list[ShownHand]:
    """Return the hands with the scorer's breakdown."""
    return [show_breakdown(each.hand, each.breakdown) for each in exercise.table]


def _read_answers(exercise: Exercise, checked_step: QuestionStep | None) -> _Answers | None:
    """Return the answers in the address and the form; None if one is not a valid answer.

    In the step `checked_step`, a box that is not ticked counts as the answer 0.
    """
    answers: dict[str, int] = {}
    for question in (each for step in exercise.steps for each in step.questions):
        text = form_or_query().word(question.name).strip()
        if text:
            answer = parse_int(text, 0, MAX_ANSWER_NUMBER)
            if answer is None or not question.accepts(answer):
                return None
            answers[question.name] = answer
        elif checked_step and question.form == "tick" and question in checked_step.questions:
            answers[question.name] = 0
    return answers


def _answer_texts(answers: _Answers) -> dict[str, str]:
    return {name: str(answer) for name, answer in answers.items()}


def _step_page(
    exercise: Exercise,
    seed: str,
    step_number: int,
    answers: _Answers,
    *,
    is_checked: bool,
    unreadable: bool = False,
) -> str:
    current_step = exercise.steps[step_number]
    names = {each.name for each in current_step.questions}
    return render_template(
        "tutor/exercise.html",
        found=exercise,
        seed=seed,
        deal=_deal_of(exercise, seed),
        words=describe_level(exercise.drawn_hands.level, exercise.drawn_hands.rules),
        hands=[hand_to_score(each) for each in exercise.table],
        step=current_step,
        at=step_number,
        last=step_number + 1 == len(exercise.steps),
        marks=mark_answers((current_step,), answers) if is_checked else (),
        answers=_answer_texts(answers),
        before=_answer_texts({n: a for n, a in answers.items() if n not in names}),
        so_far=earlier_results(exercise.steps[:step_number]),
        scores=_scored_hands(exercise) if is_checked and current_step.key == "scores" else (),
        unreadable=unreadable,
        asked=ask_question,
        answer_words=describe_answer,
        verdict=describe_verdict,
    )
