"""Practise: who practises, how far they are, and the quizzes about single tiles and sets."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.people_log import PeopleLog
from device.i18n.names import Name
from device.i18n.words import is_said, say
from device.tutoring.progress import (
    LONGEST_NAME,
    BadNameError,
    LevelStanding,
    Tally,
    checked_name,
    same_pupil,
)
from device.web.box import box
from device.web.fields import form
from device.web.tutor import quiz
from device.web.tutor.in_force import rules_in_force
from device.web.tutor.pupil import pupil, remember, was_asked

pages = Blueprint("practice", __name__, url_prefix="/practise")
pages.register_blueprint(quiz.pages)

HAND = "hand"
"""The exercise that has pages of its own."""

_REFUSED = 422


@dataclass(frozen=True, slots=True)
class LevelView:
    """One level, and how far the pupil is."""

    key: str
    name: str
    standing: LevelStanding | None
    advised: bool

    @property
    def passed(self) -> bool:
        """Whether there is no need of more of it."""
        return self.standing is not None and self.standing.best.passes


@dataclass(frozen=True, slots=True)
class ExerciseView:
    """One exercise with its levels."""

    key: str
    levels: tuple[LevelView, ...]
    advised: bool = False
    """Whether it is next as a whole: its levels are chosen on pages of its own."""

    @property
    def tally(self) -> Tally:
        """All its levels together."""
        done = [level.standing for level in self.levels if level.standing]
        return Tally(sum(each.right for each in done), sum(each.asked for each in done))


@pages.get("/")
def show() -> str:
    """Show who practises, and what there is to practise."""
    return _page()


@pages.post("/who")
def name() -> AnyResponse | tuple[str, int]:
    """Let the phone know who practises; an empty name is nobody's."""
    said = form().word("name")
    try:
        chosen = checked_name(said)
    except BadNameError:
        return _page(
            Name(said[:LONGEST_NAME]), say("practise.bad-name", most=LONGEST_NAME)
        ), _REFUSED
    known = next((each for each in _names() if same_pupil(each, chosen)), chosen)
    return remember(redirect(url_for("practice.show"), 303), known)


@pages.post("/anew")
def anew() -> AnyResponse:
    """Let the pupil begin anew."""
    if pupil():
        box().practice.begin_anew(pupil())
    return redirect(url_for("practice.show"), 303)


def _page(said: str = "", wrong: str = "") -> str:
    now = pupil()
    exercises = _exercises(now)
    return render_template(
        "tutor/practice.html",
        pupil=now,
        asked=was_asked(),
        names=tuple(each for each in _names() if not same_pupil(each, now)),
        longest=LONGEST_NAME,
        said=said,
        wrong=wrong,
        exercises=exercises,
        any_done=any(each.tally.asked for each in exercises),
    )


def _names() -> tuple[str, ...]:
    """Return the names of those at the table and of earlier pupils, each once."""
    begun = box().matches.newest_begun()
    players = tuple(map(Name, begun.players)) if begun else ()
    register = PeopleLog(box().hands.store).register()
    found: list[str] = []
    for each in filter(register.is_shown, (*players, *box().practice.pupils())):
        if not any(same_pupil(each, other) for other in found):
            found.append(each)
    return tuple(found)


def _exercises(name: str) -> tuple[ExerciseView, ...]:
    """Return every exercise, the easiest first."""
    progress = box().practice.progress(name)
    found, advised = [], False
    for exercise in quiz.EXERCISES.values():
        levels = []
        for key in exercise.levels(rules_in_force()):
            standing = progress.get((exercise.key, key))
            level = LevelView(key, say(f"quiz-level.{exercise.key}.{key}"), standing, False)
            if not advised and not level.passed:
                level = LevelView(key, level.name, standing, True)
                advised = True
            levels.append(level)
        found.append(ExerciseView(exercise.key, tuple(levels)))
    done = (key for exercise, key in progress if exercise == HAND)
    scored = tuple(LevelView(k, _hand_level(k), progress[HAND, k], False) for k in done)
    return (*found, ExerciseView(HAND, scored, advised=not advised))


def _hand_level(key: str) -> str:
    named = f"exercise.level.{key}.title"
    return say(named) if is_said(named) else key
