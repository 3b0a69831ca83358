"""Questions about a hand, and how answers are marked, with reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from scorer.hand import Codes
from scorer.message import Words

AnswerForm = Literal["figure", "number", "tick", "word"]
"""The kind of answer: one of some figures, any number, a tick or none, one of some words."""

Answers = Mapping[str, int]
"""Answers by question name; a tick is 1, a word is its index among the choices."""

MAX_ANSWER_NUMBER = 9_999_999
"""The largest possible answer; a larger one is a typing mistake."""


@dataclass(frozen=True, slots=True)
class Question:
    """One line to fill in."""

    name: str
    """Unique in its exercise."""
    asks: str
    """The key of its words on the page: `set`, `sum`, `product`."""
    form: AnswerForm
    expected: int
    reasons: tuple[Words, ...] = ()
    """The explanation, in the scorer's sentences and sums."""
    rule: str = ""
    """The id of the rule that decides it."""
    label: Words = ""
    """The rule's label, if it has one: `Own flower`."""
    names: tuple[Words, ...] = ()
    """The winds that it is about."""
    tiles: Codes = ()
    row: str = ""
    """The row of the tiles: `exposed`, `concealed` or `bonus`."""
    figures: tuple[int, ...] = ()
    choices: tuple[Words, ...] = ()
    values: tuple[int, ...] = ()
    """The figures for the placeholders of its words."""
    follows: Callable[[Answers], int] | None = field(default=None, compare=False, repr=False)
    """Return the result of the player's earlier answers; raise KeyError when one is missing."""

    def accepts(self, answer: int) -> bool:
        """Return whether this is a possible answer."""
        if self.form == "word":
            return 0 <= answer < len(self.choices)
        return 0 <= answer <= (1 if self.form == "tick" else MAX_ANSWER_NUMBER)


@dataclass(frozen=True, slots=True)
class QuestionStep:
    """The questions of one screen."""

    key: str
    """`points`, `sum`, `doubles`, `count`, `product`, `limit`, …"""
    questions: tuple[Question, ...]
    way: str = ""
    """`ordinary` or `special`, when the hand is counted both ways."""


@dataclass(frozen=True, slots=True)
class MarkedAnswer:
    """An answer, marked."""

    question: Question
    answer: int | None
    """None without an answer."""
    right: bool
    followed: bool
    """Whether a wrong answer follows correctly from the player's earlier answers."""

    @property
    def counts(self) -> bool:
        """Whether the answer counts as right: a correct sum of wrong figures does."""
        return self.right or self.followed


def mark_answer(question: Question, answer: int | None, before: Answers) -> MarkedAnswer:
    """Mark an answer; `before` has the answers to all earlier steps."""
    right = answer == question.expected
    return MarkedAnswer(question, answer, right, not right and _follows(question, answer, before))


def _follows(question: Question, answer: int | None, before: Answers) -> bool:
    if answer is None or question.follows is None:
        return False
    try:
        return question.follows(before) == answer
    except KeyError:  # a line was left empty, so nothing follows from it
        return False


def mark_answers(steps: Iterable[QuestionStep], answers: Answers) -> tuple[MarkedAnswer, ...]:
    """Mark every answer, in the order of the questions."""
    return tuple(
        mark_answer(question, answers.get(question.name), answers)
        for step in steps
        for question in step.questions
    )
