"""How sets lie on the table by each ruleset, as the tutor shows and asks it."""

from __future__ import annotations

from scorer.hand import RULESETS
from scorer.rulesets.shipped import shipped
from scorer.teach.practice.layings import Layings
from scorer.tiles import FACE_DOWN

LAYINGS: Layings = {rules: shipped(rules).layings for rules in RULESETS}
"""The usual way of each set comes before its others."""

SHOWN = "C3"
"""The tile that a set laid by a rule is shown with."""

_CHOWS = {"BMJA-V01": ("C3", "C4", "C5")}

_AS = {"BMJA-V07": "BMJA-V04", "SAF-V04": "SAF-V01"}
"""What is laid as another rule has it."""


def laid(rule: str) -> tuple[str, ...]:
    """Return the tiles of a set that is laid by this rule; none for rules about other things.

    >>> laid("BMJA-V05")
    ('C3', '??', 'C3')
    """
    every = (laying for layings in LAYINGS.values() for laying in layings)
    laying = next((each for each in every if each.rule == _AS.get(rule, rule)), None)
    if laying is None:
        return _CHOWS.get(rule, ())
    return tuple(FACE_DOWN if place == "?" else SHOWN for place in laying.shape)
