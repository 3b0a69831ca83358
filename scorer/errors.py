"""Problems with a hand or its text, in words that a player understands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from scorer.message import Message, message, plain_text, to_english

ProblemLevel = Literal["error", "warning"]
"""An error means that the hand cannot be scored; a warning, that the score needs a second look."""


@dataclass(frozen=True, slots=True)
class HandProblem:
    """One problem with a hand."""

    code: str
    """Stable, for programs: `five-of-a-kind`, `winner-count`."""
    level: ProblemLevel
    message: Message
    """One or two sentences for the player: what is wrong and what to do."""

    @property
    def text(self) -> str:
        """The message in English: for terminals and programs."""
        return to_english(self.message)


class RefusalError(Exception):
    """Something cannot be done; the text tells the user what is wrong and what to do."""


class ScorerError(Exception):
    """Base of all errors that this package raises for bad input."""

    def __init__(self, problems: tuple[HandProblem, ...]) -> None:
        super().__init__(problems)
        self.problems = problems
        """Every error at once."""

    def __str__(self) -> str:
        return " ".join(problem.text for problem in self.problems)

    @classmethod
    def raise_for(cls, problems: Iterable[HandProblem]) -> None:
        """Raise an error of this class for these problems, if there are any."""
        if errors := tuple(problems):
            raise cls(errors)


class HandError(ScorerError):
    """Raised for a hand that cannot be scored."""


class NotationError(ScorerError):
    """Raised for hand text that cannot be read."""

    def __init__(self, position: int, reason: Message) -> None:
        text = message("text.at", place=position + 1, what=reason)
        super().__init__((error("hand-text", text),))
        self.position = position
        """The index of the first character that cannot be read."""
        self.reason = reason
        """One sentence that says why."""


def error(code: str, text: Message) -> HandProblem:
    """Return a problem that keeps the hand from being scored."""
    return HandProblem(code, "error", text)


def english_error(code: str, text: str) -> HandProblem:
    """Return an error that only programs and terminals show: its text is English."""
    return error(code, plain_text(text))


def warning(code: str, text: Message) -> HandProblem:
    """Return a problem that the player should look at; the hand is scored."""
    return HandProblem(code, "warning", text)


def problem_to_json(problem: HandProblem) -> dict[str, str]:
    """Return a problem as plain values, in English, for programs."""
    return {"code": problem.code, "level": problem.level, "message": problem.text}
