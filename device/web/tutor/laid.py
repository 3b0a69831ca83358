"""How sets lie on the table by each ruleset: what the box reads off a photo, and face-up sets."""

from __future__ import annotations

from scorer.hand import RULESETS
from scorer.practice.layings import Laying, Layings
from vision.assemble import layings as face_down

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
