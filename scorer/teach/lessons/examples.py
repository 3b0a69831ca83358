"""Example hands for rules, from `examples.toml`, and for special hands.

What may be exposed of a special hand is found by scoring variants of its example.

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
    """The example hands of one rule, as hand texts."""

    hands: tuple[str, ...] = ()
    """Hands that show the rule, the simplest first."""
    misses: tuple[str, ...] = ()
    """Hands where the rule does not count though a player might expect it."""
    look: str = ""
    """The rule whose line shows it; empty for the rule itself."""


NO_EXAMPLE = RuleExample()


def example_of(rule: str) -> RuleExample:
    """Return the examples of a rule; without hands for most rules that give no points."""
    return every_example().get(rule, NO_EXAMPLE)


@cache
def every_example() -> Mapping[str, RuleExample]:
    """Return all examples by rule."""
    text = (files("scorer.teach.lessons") / "examples.toml").read_text("utf-8")
    return {
        rule: RuleExample(tuple(row["hands"]), tuple(row.get("misses", ())), row.get("look", ""))
        for rule, row in tomllib.loads(text).items()
    }
