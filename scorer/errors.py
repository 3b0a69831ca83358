"""What can be wrong with a hand or its text, in words that a player understands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["error", "warning"]
"""An error means that the hand cannot be scored; a warning, that the score needs a second look."""


@dataclass(frozen=True, slots=True)
class HandProblem:
    """One thing about a hand that its player should know."""

    code: str
    """Stable, for programs: `five-of-a-kind`, `winner-count`."""
    level: Level
    message: str
    """One or two sentences for the player: what is wrong and what to do."""


class ScorerError(Exception):
    """Base of everything that this package raises for bad input."""

    def __init__(self, problems: tuple[HandProblem, ...]) -> None:
        super().__init__(" ".join(problem.message for problem in problems))
        self.problems = problems
        """Every error at once."""


class HandError(ScorerError):
    """A hand that is no hand."""


class NotationError(ScorerError):
    """A line of hand text that cannot be read."""

    def __init__(self, position: int, reason: str) -> None:
        super().__init__((error("hand-text", f"At character {position + 1}: {reason}"),))
        self.position = position
        """Where the text stops making sense: an index into it, counted from 0."""
        self.reason = reason
        """One sentence that says why."""


def error(code: str, message: str) -> HandProblem:
    """Return a problem that keeps the hand from being scored."""
    return HandProblem(code, "error", message)


def warning(code: str, message: str) -> HandProblem:
    """Return a problem that the player should look at; the hand is scored."""
    return HandProblem(code, "warning", message)
