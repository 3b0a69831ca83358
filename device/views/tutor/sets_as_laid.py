"""How sets lie on the table by each ruleset: what the box reads off a photo, and face-up sets."""

from __future__ import annotations

from scorer.hand import RULESETS
from scorer.teach.practice.layings import Laying, Layings
from scorer.tiles import FACE_DOWN
from vision.hand.assemble import layings as face_down

_FACE_UP = {
    "bmja": (Laying("XXX", concealed=False, rule="BMJA-V02"),),
    "safalra": (
        Laying("XXX", concealed=False, rule="SAF-V01"),
        Laying("XXXX", concealed=False, rule="SAF-V01"),
    ),
}
"""In the exposed row, or where all tiles lie in one."""

_PROMOTED = {"bmja": "BMJA-V10", "safalra": "SAF-V01"}
"""The rule by which an exposed pung lies that has become a kong: as any exposed kong."""


def _all(rules: str) -> tuple[Laying, ...]:
    found = [
        *_FACE_UP[rules],
        *(Laying(p.shape, p.row == "concealed", p.rule) for p in face_down(rules)),
    ]
    kong = next(each for each in found if each.kind == "kong" and not each.concealed)
    return (*found, Laying(kong.shape, concealed=False, rule=_PROMOTED[rules], promoted=True))


LAYINGS: Layings = {rules: _all(rules) for rules in RULESETS}
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
