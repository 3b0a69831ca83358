"""Practise: the page with the exercises and the pupil's progress in each, and the quizzes.

A quiz asks rounds of questions about tiles or sets, one per screen. The address holds the whole
state. It ends in the question's number, and `said` has a digit for each answer so far: the position
of the choice. So a phone may go back, reload or sleep at any point.

Scoring a hand has its own pages (`device.web.tutor.exercises`).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from random import Random

from flask import Blueprint, Response, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.people import PeopleRepository
from device.i18n.words import is_said, say
from device.tutoring.first_evening import step_with_exercise
from device.tutoring.progress import (
    MAX_PUPIL_NAME_CHARACTERS,
    BadNameError,
    LevelStanding,
    Tally,
    check_name,
    is_same_pupil,
)
from device.views.tutor.quiz import SET_QUIZ, TILE_QUIZ, QuestionCard, Quiz
from device.web.contexts import records, room
from device.web.fields import form, form_or_query
from device.web.links import next_url, redirect_to
from device.web.phone_identity import has_pupil, pupil_name, remember_pupil
from device.web.tutor.rules import rules_in_force
from scorer.teach.practice.tile_questions import CHOICES_PER_QUESTION

pages = Blueprint("practice", __name__, url_prefix="/practise")
quiz_pages = Blueprint("quiz", __name__, url_prefix="/practise")

HAND_EXERCISE = "hand"
"""The key of the exercise with its own pages."""

QUIZZES = {each.key: each for each in (TILE_QUIZ, SET_QUIZ)}

MAX_SEEDS = 10**6

_QUIZ_ROUTE = "/<any(tile, set):exercise>/<level>/"

_REFUSED_STATUS = 422

_PICTURE_AGE_S = 365 * 24 * 3600
"""Seconds that a phone may cache a tile's picture. Each picture has its own name."""


@dataclass(frozen=True, slots=True)
class LevelView:
    """One level, with the pupil's progress."""

    key: str
    name: str
    standing: LevelStanding | None
    advised: bool

    @property
    def passed(self) -> bool:
        """Whether the pupil has passed the level."""
        return self.standing is not None and self.standing.best.passes


@dataclass(frozen=True, slots=True)
class ExerciseView:
    """One exercise with its levels."""

    key: str
    levels: tuple[LevelView, ...]
    advised: bool = False
    """Whether the exercise as a whole is advised next, because its levels are on other pages."""

    @property
    def tally(self) -> Tally:
        """The sum over all levels."""
        standings = [level.standing for level in self.levels if level.standing]
        return Tally(sum(each.right for each in standings), sum(each.asked for each in standings))


@pages.get("/")
def show() -> str:
    """Show who practises, and the exercises."""
    return _practice_page()


@pages.post("/who")
def name() -> AnyResponse | tuple[str, int]:
    """Save on the phone who practises. An empty name means without a name."""
    typed_name = form().word("name")
    try:
        chosen_name = check_name(typed_name)
    except BadNameError:
        return _practice_page(
            typed_name[:MAX_PUPIL_NAME_CHARACTERS],
            say("practise.bad-name", most=MAX_PUPIL_NAME_CHARACTERS),
            form().word("then"),
        ), _REFUSED_STATUS
    known_name = next(
        (each for each in _offered_names() if is_same_pupil(each, chosen_name)), chosen_name
    )
    return remember_pupil(redirect(next_url(url_for("practice.show")), 303), known_name)


@pages.post("/anew")
def reset() -> AnyResponse:
    """Reset the pupil's progress."""
    if pupil_name():
        records().practice.reset(pupil_name())
    return redirect_to("practice.show")


def _practice_page(typed_name: str = "", wrong: str = "", then: str = "") -> str:
    exercises = _exercise_views(pupil_name())
    return render_template(
        "tutor/practice.html",
        choices=name_choices(typed_name, wrong, then),
        exercises=exercises,
        any_done=bool(records().practice.progress(pupil_name())),
    )


@dataclass(frozen=True, slots=True)
class NameChoices:
    """Who practises on this phone, and the names to choose from."""

    pupil: str
    """The name in use; empty for none."""
    has_chosen: bool
    """Whether it is known who practises, with or without a name."""
    names: tuple[str, ...]
    typed_name: str
    """The name that was typed and refused."""
    error: str
    """The reason of the refusal."""
    then: str = ""
    """The page to go to with a name; empty for the one of all exercises."""
    max_length: int = MAX_PUPIL_NAME_CHARACTERS


def name_choices(typed_name: str = "", error: str = "", then: str = "") -> NameChoices:
    """Return who practises on this phone, and the names to choose from."""
    current_name = pupil_name()
    names = tuple(each for each in _offered_names() if not is_same_pupil(each, current_name))
    return NameChoices(current_name, has_pupil(), names, typed_name, error, then)


def _offered_names() -> tuple[str, ...]:
    """Return the names of the last match's players and of earlier pupils, without repeats."""
    newest_match = room().matches.newest_start()
    players = newest_match.players if newest_match else ()
    register = PeopleRepository(records().store).register()
    names: list[str] = []
    for each in filter(register.is_shown, (*players, *records().practice.pupils())):
        if not any(is_same_pupil(each, other) for other in names):
            names.append(each)
    return tuple(names)


def _exercise_views(name: str) -> tuple[ExerciseView, ...]:
    """Return all exercises, the easiest first, with the pupil's progress."""
    progress = records().practice.progress(name)
    views, is_advised = [], False
    for exercise in QUIZZES.values():
        levels = []
        for key in exercise.levels(rules_in_force()):
            standing = progress.get((exercise.key, key))
            level = LevelView(key, say(f"quiz-level.{exercise.key}.{key}"), standing, False)
            if not is_advised and not level.passed:
                level = LevelView(key, level.name, standing, True)
                is_advised = True
            levels.append(level)
        views.append(ExerciseView(exercise.key, tuple(levels)))
    level_keys = (key for exercise, key in progress if exercise == HAND_EXERCISE)
    hand_levels = tuple(
        LevelView(k, _hand_level_name(k), progress[HAND_EXERCISE, k], False) for k in level_keys
    )
    return (*views, ExerciseView(HAND_EXERCISE, hand_levels, advised=not is_advised))


def _hand_level_name(key: str) -> str:
    title_key = f"exercise.level.{key}.title"
    return say(title_key) if is_said(title_key) else key


@dataclass(frozen=True, slots=True)
class QuizRound:
    """One round of a quiz, with the answers so far."""

    exercise: Quiz
    level: str
    seed: int
    rights: tuple[int, ...]
    said: str

    @property
    def ticks(self) -> tuple[bool, ...]:
        """For each answer so far, whether it is right."""
        pairs = zip(self.said, self.rights, strict=False)
        return tuple(int(said) == right for said, right in pairs)

    @property
    def tally(self) -> Tally:
        """The number of right answers and of questions so far."""
        return Tally(sum(self.ticks), len(self.ticks))

    @property
    def next_level(self) -> str:
        """The key of the next level; empty after the last."""
        levels = self.exercise.levels(rules_in_force())
        after = levels.index(self.level) + 1
        return levels[after] if after < len(levels) else ""

    def card(self, place: int) -> QuestionCard:
        """Return one question, counted from 0."""
        card = self.exercise.card(self.level, self.seed, place, rules_in_force())
        crop = _own_picture(card.codes[0], f"{self.seed} {place}") if card.own_picture else ""
        return replace(card, crop=crop)


@quiz_pages.get(_QUIZ_ROUTE)
def begin(exercise: str, level: str) -> AnyResponse:
    """Begin a new round with a random seed."""
    if level not in QUIZZES[exercise].levels(rules_in_force()):
        abort(404)
    seed = secrets.randbelow(MAX_SEEDS)
    return redirect(url_for(".show", exercise=exercise, level=level, seed=seed, number=1))


@quiz_pages.get(f"{_QUIZ_ROUTE}<int:seed>/<int:number>", endpoint="show")
def show_question(exercise: str, level: str, seed: int, number: int) -> str | AnyResponse:
    """Show a question; once it is answered, show the right answer."""
    quiz_round = _find_round(exercise, level, seed)
    if not 1 <= number <= len(quiz_round.rights):
        abort(404)
    if len(quiz_round.said) not in (number - 1, number):
        return redirect(
            _question_url(quiz_round, min(len(quiz_round.said) + 1, len(quiz_round.rights)))
        )
    is_answered = len(quiz_round.said) == number
    return render_template(
        "tutor/quiz.html",
        round=quiz_round,
        number=number,
        card=quiz_round.card(number - 1),
        chosen=int(quiz_round.said[-1]) if is_answered else None,
    )


@quiz_pages.post(f"{_QUIZ_ROUTE}<int:seed>/done")
def finish(exercise: str, level: str, seed: int) -> AnyResponse:
    """Save the result of the round, once."""
    quiz_round = _find_finished_round(exercise, level, seed)
    records().practice.mark(
        pupil_name(),
        exercise,
        level,
        right=quiz_round.tally.right,
        asked=quiz_round.tally.asked,
        run=str(seed),
    )
    return redirect_to(".done", exercise=exercise, level=level, seed=seed, said=quiz_round.said)


@quiz_pages.get(f"{_QUIZ_ROUTE}<int:seed>/done")
def done(exercise: str, level: str, seed: int) -> str:
    """Show the result of the round, and again the questions that were answered wrongly."""
    quiz_round = _find_finished_round(exercise, level, seed)
    name = pupil_name()
    return render_template(
        "tutor/quiz_done.html",
        round=quiz_round,
        evening=step_with_exercise(exercise, level),
        missed=tuple(
            quiz_round.card(place) for place, right in enumerate(quiz_round.ticks) if not right
        ),
        pupil=name,
        standing=records().practice.progress(name).get((exercise, level)),
    )


@quiz_pages.get("/picture/<name>")
def picture(name: str) -> Response:
    """Return a picture of one of the players' own tiles."""
    chosen_set = records().sets.chosen_set(room().table).id
    if name not in records().store.crops(chosen_set):
        abort(404)
    answer = Response(records().store.crop(chosen_set, name), mimetype="image/png")
    answer.cache_control.max_age = _PICTURE_AGE_S
    return answer


def _own_picture(code: str, seed: str) -> str:
    """Return the name of a picture of this tile in the table's own set; empty without one."""
    sets = records().sets
    codes = sets.codes(sets.chosen_set(room().table).id)
    pictures = sorted(name for name, shown in codes.items() if shown == code)
    return Random(seed).choice(pictures) if pictures else ""


def _find_round(exercise: str, level: str, seed: int) -> QuizRound:
    """Return the round of an address. Answer 404 if there is no such round."""
    quiz, answers = QUIZZES[exercise], form_or_query().word("said")
    if level not in quiz.levels(rules_in_force()) or seed >= MAX_SEEDS:
        abort(404)
    rights = quiz.rights(level, seed, rules_in_force())
    if len(answers) > len(rights) or not set(answers) <= set(map(str, range(CHOICES_PER_QUESTION))):
        abort(404)
    return QuizRound(quiz, level, seed, rights, answers)


def _find_finished_round(exercise: str, level: str, seed: int) -> QuizRound:
    quiz_round = _find_round(exercise, level, seed)
    if len(quiz_round.said) < len(quiz_round.rights):
        abort(404)
    return quiz_round


def _question_url(quiz_round: QuizRound, number: int) -> str:
    return url_for(
        ".show",
        exercise=quiz_round.exercise.key,
        level=quiz_round.level,
        seed=quiz_round.seed,
        number=number,
        said=quiz_round.said or None,
    )
