"""An exercise: hands, their candidates, and the questions step by step."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.ruleset import Ruleset
from scorer.teach.practice.counting import Counted, counted
from scorer.teach.practice.doubles import double_steps, limit_step
from scorer.teach.practice.levels import PracticeLevel, known_at
from scorer.teach.practice.making import Made, make
from scorer.teach.practice.payments import payment_steps
from scorer.teach.practice.points import point_steps
from scorer.teach.practice.questions import QuestionStep
from scorer.teach.practice.special import both_steps, special_steps


@dataclass(frozen=True, slots=True)
class Exercise:
    """The hands that a player gets, and the questions about them."""

    made: Made
    table: tuple[Counted, ...]
    """One hand, or four by seat from East."""
    steps: tuple[QuestionStep, ...]

    @property
    def asked(self) -> int:
        """The number of questions."""
        return sum(len(step.questions) for step in self.steps)


def exercise(key: str, seed: int, rules: Ruleset) -> Exercise:
    """Return the exercise of a level and a seed, always the same; raise NoExerciseError.

    >>> from scorer.rulesets.shipped import shipped
    >>> [step.key for step in exercise("doubles", 1, shipped("bmja")).steps]
    ['points', 'sum', 'doubles', 'count', 'product']
    """
    made = make(key, seed, rules)
    table = tuple(counted(hand, rules) for hand in made.hands)
    return Exercise(made, table, tuple(_steps(made.level, table, seed)))


def _steps(level: PracticeLevel, table: tuple[Counted, ...], seed: int) -> list[QuestionStep]:
    found, known = table[0], known_at(level.key)
    if level.asks == "payments":
        return payment_steps(table)
    if level.asks == "special":
        return special_steps(found, seed)
    if level.asks == "both":
        return both_steps(found, known)
    points = point_steps(found, found.best, known)
    if level.asks == "points":
        return points
    steps = points + double_steps(found, found.best, known, points)
    if level.asks == "limit":
        steps += limit_step(found.best.worth, found.limit, "product")
    return steps
