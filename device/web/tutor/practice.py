"""The practice page: who practises, the exercises, and the pupil's progress in each."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.people import PeopleRepository
from device.i18n.words import is_said, say
from device.tutoring.progress import (
    MAX_PUPIL_NAME_CHARACTERS,
    BadNameError,
    LevelStanding,
    Tally,
    check_name,
    is_same_pupil,
)
from device.web.box import box
from device.web.fields import form
from device.web.phone_identity import has_named_pupil, pupil_name, remember_pupil
from device.web.tutor import quiz
from device.web.tutor.rules import rules_in_force

pages = Blueprint("practice", __name__, url_prefix="/practise")
pages.register_blueprint(quiz.pages)

HAND_EXERCISE = "hand"
"""The exercise with its own pages (`device.web.tutor.exercises`)."""

_REFUSED_STATUS = 422


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
        done = [level.standing for level in self.levels if level.standing]
        return Tally(sum(each.right for each in done), sum(each.asked for each in done))


@pages.get("/")
def show() -> str:
    """Show who practises, and the exercises."""
    return _practice_page()


@pages.post("/who")
def name() -> AnyResponse | tuple[str, int]:
    """Save on the phone who practises. An empty name means without a name."""
    said = form().word("name")
    try:
        chosen = check_name(said)
    except BadNameError:
        return _practice_page(
            said[:MAX_PUPIL_NAME_CHARACTERS],
            say("practise.bad-name", most=MAX_PUPIL_NAME_CHARACTERS),
        ), _REFUSED_STATUS
    known = next((each for each in _offered_names() if is_same_pupil(each, chosen)), chosen)
    return remember_pupil(redirect(url_for("practice.show"), 303), known)


@pages.post("/anew")
def anew() -> AnyResponse:
    """Reset the pupil's progress."""
    if pupil_name():
        box().practice.begin_anew(pupil_name())
    return redirect(url_for("practice.show"), 303)


def _practice_page(said: str = "", wrong: str = "") -> str:
    now = pupil_name()
    exercises = _exercise_views(now)
    return render_template(
        "tutor/practice.html",
        pupil=now,
        asked=has_named_pupil(),
        names=tuple(each for each in _offered_names() if not is_same_pupil(each, now)),
        longest=MAX_PUPIL_NAME_CHARACTERS,
        said=said,
        wrong=wrong,
        exercises=exercises,
        any_done=any(each.tally.asked for each in exercises),
    )


def _offered_names() -> tuple[str, ...]:
    """Return the names of the last match's players and of earlier pupils, without repeats."""
    begun = box().matches.newest_begun()
    players = begun.players if begun else ()
    register = PeopleRepository(box().hands.store).register()
    found: list[str] = []
    for each in filter(register.is_shown, (*players, *box().practice.pupils())):
        if not any(is_same_pupil(each, other) for other in found):
            found.append(each)
    return tuple(found)


def _exercise_views(name: str) -> tuple[ExerciseView, ...]:
    """Return all exercises, the easiest first, with the pupil's progress."""
    progress = box().practice.progress(name)
    found, advised = [], False
    for exercise in quiz.QUIZZES.values():
        levels = []
        for key in exercise.levels(rules_in_force()):
            standing = progress.get((exercise.key, key))
            level = LevelView(key, say(f"quiz-level.{exercise.key}.{key}"), standing, False)
            if not advised and not level.passed:
                level = LevelView(key, level.name, standing, True)
                advised = True
            levels.append(level)
        found.append(ExerciseView(exercise.key, tuple(levels)))
    done = (key for exercise, key in progress if exercise == HAND_EXERCISE)
    scored = tuple(
        LevelView(k, _hand_level_name(k), progress[HAND_EXERCISE, k], False) for k in done
    )
    return (*found, ExerciseView(HAND_EXERCISE, scored, advised=not advised))


def _hand_level_name(key: str) -> str:
    named = f"exercise.level.{key}.title"
    return say(named) if is_said(named) else key
