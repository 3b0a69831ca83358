"""What a question shows, whatever it is about."""

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
    """The tiles that lie there."""
    choices: tuple[str, ...]
    right: int
    answer: str
    """What is right, in a few words."""
    explanation: tuple[str, ...]
    """Why, in sentences."""
    about: tuple[str, ...] = ()
    """What has to be known to answer, in sentences."""
    rules: tuple[str, ...] = ()
    """Where to read on: ids of rules."""
    lines: tuple[Line, ...] = ()
    """What it scores, line by line."""
    sum: str = ""
    """How these come together, where it is not plain."""
    bare: bool = False
    """Without the figures in the tiles' corners, which would tell."""
    names: tuple[str, ...] = ()
    """Of the tiles, for those who listen; empty where they would tell."""
    own_picture: bool = False
    """Whether a picture of the players' own tile may stand for the drawing."""
    crop: str = ""
    """The name of that picture, where the box has one."""
    strip: Codes = ()
    """Tiles to compare with, once the answer was wrong."""


@dataclass(frozen=True, slots=True)
class Quiz:
    """One kind of question."""

    key: str
    levels: Callable[[Ruleset], tuple[str, ...]]
    """The keys of its levels by these rules, the easiest first."""
    rights: Callable[[str, int, Ruleset], tuple[int, ...]]
    """The place of the right answer of each question of a level's round, by seed."""
    card: Callable[[str, int, int, Ruleset], QuestionCard]
    """One question of a round by level and seed, from 0."""
