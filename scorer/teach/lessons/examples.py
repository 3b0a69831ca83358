"""Hands that show a rule at work, from `examples.toml`.

>>> example_of("BMJA-D01").hands
('DGGG | | seat=S',)
>>> example_of("BMJA-P12").hands
()
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class RuleExample:
    """Hand texts about one rule."""

    hands: tuple[str, ...] = ()
    """They show the rule, the plainest first."""
    misses: tuple[str, ...] = ()
    """It is not counted in these, though a player might think so."""
    look: str = ""
    """The rule whose line to look at; empty for its own."""


NO_EXAMPLE = RuleExample()


def example_of(rule: str) -> RuleExample:
    """Return the hands about a rule; none for most that give no points."""
    return every_example().get(rule, NO_EXAMPLE)


@cache
def every_example() -> Mapping[str, RuleExample]:
    """Return all of them by rule."""
    text = (files("scorer.teach.lessons") / "examples.toml").read_text("utf-8")
    return {
        rule: RuleExample(tuple(row["hands"]), tuple(row.get("misses", ())), row.get("look", ""))
        for rule, row in tomllib.loads(text).items()
    }
