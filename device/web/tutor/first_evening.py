"""The first evening: eleven steps for a newcomer, one question a screen."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.tutoring.first_evening import (
    BOX_ANSWER_PREFIX,
    EVENING,
    EVENING_RULESET,
    STEPS,
    EveningStep,
    find_step,
    finished_steps,
    mark_read,
    next_step,
    step_after,
)
from device.views.tutor.box_answers import BoxAnswer, box_answers
from device.views.tutor.lesson import LessonView, lesson_view
from device.web.contexts import records
from device.web.phone_identity import pupil_name
from device.web.tutor.play import DEAL_EXERCISE
from device.web.tutor.practice import HAND_EXERCISE, QUIZZES, name_choices
from device.web.tutor.rules import agreement_in_force, rules_in_force
from scorer.teach.lessons.lessons import lessons_of
from scorer.teach.practice.levels import levels_for

pages = Blueprint("evening", __name__, url_prefix="/learn/first-evening")

_FIRST_HAND_SEED = 1
"""The hand of each level that the evening begins with."""


@pages.get("/")
def show() -> str:
    """Show all steps, and where to start or go on."""
    finished_ids = _finished_ids()
    return render_template(
        "tutor/first_evening.html",
        steps=STEPS,
        done=finished_ids,
        current=next_step(finished_ids),
        choices=name_choices(then=url_for(".resume")),
    )


@pages.get("/onward")
def resume() -> AnyResponse:
    """Redirect to the first step that is not finished, or to its exercise once it was read.

    After the last, redirect to the list of all.
    """
    progress = records().practice.progress(pupil_name())
    step = next_step(finished_steps(progress))
    exercise_url = _exercise_url(step) if step and (EVENING, step.id) in progress else None
    return redirect(exercise_url) if exercise_url else _redirect_to(step)


@pages.get("/<step>/<int:number>")
def screen(step: str, number: int) -> str:
    """Show one question of a step with its answer. Questions are counted from 1."""
    current = _find_step(step)
    if not 1 <= number <= len(current.answers):
        abort(404)
    answer_id = current.answers[number - 1]
    return render_template(
        "tutor/evening_step.html",
        step=current,
        steps=STEPS,
        number=number,
        lesson=_lesson(answer_id),
        box_answer=_box_answer(answer_id),
        has_exercise=_exercise_url(current) is not None,
        pupil=pupil_name(),
        done=len(_finished_ids()),
    )


@pages.post("/<step>/done")
def finish(step: str) -> AnyResponse:
    """Record that a step was read; redirect to its exercise, else to what follows."""
    current = _find_step(step)
    exercise_url = _exercise_url(current)
    mark_read(records().practice, pupil_name(), current, has_exercise=exercise_url is not None)
    return redirect(exercise_url or url_for(".go_on", step=step), 303)


@pages.get("/<step>/after")
def go_on(step: str) -> AnyResponse:
    """Redirect to what follows a step: the next one, else the list of all."""
    return _redirect_to(step_after(_find_step(step)))


def _finished_ids() -> frozenset[str]:
    """Return the ids of the steps that this phone's pupil has finished."""
    return finished_steps(records().practice.progress(pupil_name()))


def _redirect_to(step: EveningStep | None) -> AnyResponse:
    """Redirect to a step's first question; to the list of steps for None."""
    if step is None:
        return redirect(url_for(".show"))
    return redirect(url_for(".screen", step=step.id, number=1))


def _find_step(step_id: str) -> EveningStep:
    step = find_step(step_id)
    if step is None:
        abort(404)
    return step


def _lesson(answer_id: str) -> LessonView | None:
    lessons = (each for each in lessons_of(EVENING_RULESET) if each.id == answer_id)
    return next((lesson_view(each, agreement_in_force()) for each in lessons), None)


def _box_answer(answer_id: str) -> BoxAnswer | None:
    answers = (each for each in box_answers() if f"{BOX_ANSWER_PREFIX}{each.id}" == answer_id)
    return next(answers, None)


def _exercise_url(step: EveningStep) -> str | None:
    """Return the address of the step's exercise; None without one under the rules in force."""
    if step.exercise is None:
        return None
    exercise, level = step.exercise
    rules = rules_in_force()
    if exercise == DEAL_EXERCISE:
        return url_for("play.show", game=level)
    if exercise == HAND_EXERCISE:
        if level not in {each.key for each in levels_for(rules)}:
            return None
        return url_for("exercises.step", level=level, seed=_FIRST_HAND_SEED)
    if level not in QUIZZES[exercise].levels(rules):
        return None
    return url_for("quiz.begin", exercise=exercise, level=level)
