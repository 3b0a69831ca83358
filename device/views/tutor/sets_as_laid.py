"""How each ruleset lays sets on the table."""

from __future__ import annotations

from scorer.hand import RULESETS
from scorer.rulesets.builtin import load_builtin
from scorer.teach.practice.set_questions import Layings
from scorer.tiles import FACE_DOWN

LAYINGS: Layings = {rules: load_builtin(rules).layings for rules in RULESETS}
"""All layouts by ruleset; the usual way of each set comes first."""

SHOWN = "C3"
"""The tile that shows a layout."""

_CHOWS = {"BMJA-V01": ("C3", "C4", "C5")}

_AS = {"BMJA-V07": "BMJA-V04", "SAF-V04": "SAF-V01"}
"""Rules that lay a set as another rule does."""


def laid(rule: str) -> tuple[str, ...]:
    """Return a set as this rule lays it; empty for rules about other things.

    >>> laid("BMJA-V05")
    ('C3', '??', 'C3')
    """
    every = (laying for layings in LAYINGS.values() for laying in layings)
    laying = next((each for each in every if each.rule == _AS.get(rule, rule)), None)
    if laying is None:
        return _CHOWS.get(rule, ())
    return tuple(FACE_DOWN if place == "?" else SHOWN for place in laying.shape)
