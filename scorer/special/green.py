"""The special hand of green tiles: Imperial jade (BMJA-S18)."""

from __future__ import annotations

from collections.abc import Iterable

from scorer.decompose.readings import SETS_IN_A_HAND, HandReading
from scorer.reasons import Reason, about, only
from scorer.ruleset import Ruleset
from scorer.sets import CHOW_TRAIT, GREEN, NOT_GREEN_TRAIT
from scorer.special.faults import is_a_chow
from scorer.special.held import Held, Missing, sets_and_pair
from scorer.special.shapes import SetsHand, Target

GREEN_CHOW = ("B2", "B3", "B4")
"""The one chow of green tiles."""


class ImperialJade(SetsHand):
    """BMJA-S18: only green tiles; without chows, unless the table allows them (BMJA-C14)."""

    def made(self, arrangement: HandReading, traits: int, rules: Ruleset) -> bool:
        return not traits & NOT_GREEN_TRAIT and (
            not traits & CHOW_TRAIT or rules.is_on("jade_chows")
        )

    def why_not(self, arrangement: HandReading, rules: Ruleset) -> Reason:
        chows_count = not rules.is_on("jade_chows")
        return only(
            about("not-green", each)
            if not GREEN.issuperset(each.faces)
            else is_a_chow(each)
            if chows_count
            else None
            for each in arrangement.sets
        )

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        yield sets_and_pair(held, GREEN)
        if rules.is_on("jade_chows") and rules.chows_for(held.hand):
            yield _with_green_chow(held)


def _with_green_chow(held: Held) -> Target:
    """Return what is missing when the green chow is one of the sets."""
    chows = [each for each in held.fixed if each.tiles == GREEN_CHOW]
    fixed = tuple(each for each in held.fixed if each not in chows)
    count = dict(held.own)
    missing = []
    for code in () if chows else GREEN_CHOW:
        if count.get(code, 0):
            count[code] -= 1
        else:
            missing.append(code)
    faces = tuple(sorted(held.faces, key=lambda code: -count.get(code, 0)))
    held = held._replace(own=count, faces=faces, fixed=fixed)
    rest = sets_and_pair(held, GREEN, sets=SETS_IN_A_HAND - 1)
    return rest if rest is None else [Missing(tuple(missing)), *rest]
