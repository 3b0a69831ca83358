"""What is asked about a hand, and how an answer is marked: line by line, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from scorer.hand import Codes
from scorer.message import Words

Form = Literal["figure", "number", "tick", "word"]
"""How it is answered: one of some figures, any number, a tick or none, one of some words."""

Answers = Mapping[str, int]
"""Answers by the names of their questions; a tick is 1, a word is its place among the choices."""

MOST = 9_999_999
"""No answer is higher; what is was mistyped."""


@dataclass(frozen=True, slots=True)
class Question:
    """One line to fill in."""

    name: str
    """Unique in its exercise."""
    asks: str
    """The key of its words on the page: `set`, `sum`, `product`."""
    form: Form
    expected: int
    reasons: tuple[Words, ...] = ()
    """Why, in the scorer's own sentences and sums."""
    rule: str = ""
    """The id of the rule that decides it."""
    label: Words = ""
    """What it is about, where the rules have a name for it: `Own flower`."""
    names: tuple[Words, ...] = ()
    """Whom it is about: winds."""
    tiles: Codes = ()
    row: str = ""
    """Where these lie: `exposed`, `concealed` or `bonus`."""
    figures: tuple[int, ...] = ()
    choices: tuple[Words, ...] = ()
    values: tuple[int, ...] = ()
    """The figures that its words are filled with."""
    follows: Callable[[Answers], int] | None = field(default=None, compare=False, repr=False)
    """What it comes to from the player's own answers so far; KeyError where they lack one."""

    def accepts(self, answer: int) -> bool:
        """Return whether this can be an answer at all."""
        if self.form == "word":
            return 0 <= answer < len(self.choices)
        return 0 <= answer <= (1 if self.form == "tick" else MOST)


@dataclass(frozen=True, slots=True)
class QuestionStep:
    """Questions that stand on one screen."""

    key: str
    """`points`, `sum`, `doubles`, `count`, `product`, `limit`, …"""
    questions: tuple[Question, ...]
    way: str = ""
    """How the hand is counted here, where it is counted in two ways: `ordinary` or `special`."""


@dataclass(frozen=True, slots=True)
class Marked:
    """An answer, marked."""

    question: Question
    answer: int | None
    """None where nothing was answered."""
    right: bool
    followed: bool
    """Not the right figure, but right from the player's own figures before it."""

    @property
    def counts(self) -> bool:
        """Whether it counts as right: whoever adds up a wrong figure rightly can add up."""
        return self.right or self.followed


def mark(question: Question, answer: int | None, before: Answers) -> Marked:
    """Return an answer marked; `before` are the answers to all questions before its step."""
    right = answer == question.expected
    return Marked(question, answer, right, not right and _follows(question, answer, before))


def _follows(question: Question, answer: int | None, before: Answers) -> bool:
    if answer is None or question.follows is None:
        return False
    try:
        return question.follows(before) == answer
    except KeyError:  # a line was left empty, so nothing follows from it
        return False


def mark_all(steps: Iterable[QuestionStep], answers: Answers) -> tuple[Marked, ...]:
    """Return every answer marked, in the order of the questions."""
    return tuple(
        mark(question, answers.get(question.name), answers)
        for step in steps
        for question in step.questions
    )
