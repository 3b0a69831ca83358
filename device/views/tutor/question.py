"""The quizzes: "name the tile" and "which set is this?"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scorer.breakdown import Line
from scorer.hand import Codes
from scorer.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class QuestionCard:
    """One question with its answers, in words."""

    ask: str
    codes: Codes
    """The tiles that the question shows."""
    choices: tuple[str, ...]
    right: int
    answer: str
    """The right answer in a few words."""
    explanation: tuple[str, ...]
    """The reason, in sentences."""
    about: tuple[str, ...] = ()
    """What one must know to answer, in sentences."""
    rules: tuple[str, ...] = ()
    """Ids of rules to read on."""
    lines: tuple[Line, ...] = ()
    """The score, line by line."""
    sum: str = ""
    """The sum of the lines, where it is not obvious."""
    bare: bool = False
    """Hide the figures in the tiles' corners, which would give the answer away."""
    names: tuple[str, ...] = ()
    """Names of the tiles for screen readers; empty where they would give the answer away."""
    own_picture: bool = False
    """A photograph of the players' own tile may replace the drawing."""
    crop: str = ""
    """The name of that photograph, if the box has one."""
    strip: Codes = ()
    """Tiles to compare with, once the answer was wrong."""


@dataclass(frozen=True, slots=True)
class Quiz:
    """One kind of question."""

    key: str
    levels: Callable[[Ruleset], tuple[str, ...]]
    """Return the keys of the levels under these rules, the easiest first."""
    rights: Callable[[str, int, Ruleset], tuple[int, ...]]
    """Return the index of the right answer for each question of a round, by level and seed."""
    card: Callable[[str, int, int, Ruleset], QuestionCard]
    """Return one question of a round, by level, seed and number from 0."""
