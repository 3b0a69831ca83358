"""The special hand of green tiles: Imperial jade (BMJA-S18)."""

from __future__ import annotations

from collections.abc import Iterable

from scorer.decompose.readings import SETS_IN_A_HAND, HandReading
from scorer.reasons import Reason, about, only
from scorer.ruleset import Ruleset
from scorer.sets import GREEN, Trait
from scorer.special.faults import is_a_chow
from scorer.special.held import Held, Missing, sets_and_pair
from scorer.special.shapes import SetsHand, Target

CHOW, NOT_GREEN = int(Trait.CHOW), int(Trait.NOT_GREEN)

GREEN_CHOW = ("B2", "B3", "B4")
"""The one chow of green tiles."""


class ImperialJade(SetsHand):
    """BMJA-S18: nothing but green tiles; without chow, but where the table plays so (BMJA-C14)."""

    def made(self, reading: HandReading, traits: int, rules: Ruleset) -> bool:
        return not traits & NOT_GREEN and (not traits & CHOW or rules.is_on("jade_chows"))

    def why_not(self, reading: HandReading, rules: Ruleset) -> Reason:
        chows_count = not rules.is_on("jade_chows")
        return only(
            about("not-green", each)
            if not GREEN.issuperset(each.faces)
            else is_a_chow(each)
            if chows_count
            else None
            for each in reading.sets
        )

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        yield sets_and_pair(held, GREEN)
        if rules.is_on("jade_chows") and rules.chows_for(held.hand):
            yield _with_green_chow(held)


def _with_green_chow(held: Held) -> Target:
    """Let the chow stand for one set, and look at the rest of the tiles without it."""
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
