"""Special hands of 1s, 9s and honours, and the hand of four kongs.

Heads and tails (BMJA-S16), All pair honours (S12), The thirteen unique wonders (S24); Three great
scholars (S19), Four blessings (S20), All winds and dragons (S21); Fourfold plenty (S22).
"""

from __future__ import annotations

from collections.abc import Iterable

from scorer.decompose.readings import HandReading
from scorer.reasons import Reason, about, only
from scorer.ruleset import Ruleset
from scorer.sets import HONOUR_TRAIT, MINOR_TRAIT
from scorer.special.held import TERMINALS, Held, sets_and_pair, singly
from scorer.special.holding import MAJORS, Holding
from scorer.special.shapes import SetsHand, Target, TilesHand

EVERY_MAJOR = frozenset(MAJORS)

PAIRS = 7
"""Pairs that make a hand."""


class HeadsAndTails(SetsHand):
    """BMJA-S16: only 1s and 9s."""

    def made(self, arrangement: HandReading, traits: int, rules: Ruleset) -> bool:
        return not traits & (HONOUR_TRAIT | MINOR_TRAIT)

    def why_not(self, arrangement: HandReading, rules: Ruleset) -> Reason:
        return only(
            None if TERMINALS.issuperset(each.faces) else about("not-of-1s-or-9s", each)
            for each in arrangement.sets
        )

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        return (sets_and_pair(held, TERMINALS),)


class AllPairHonours(TilesHand):
    """BMJA-S12: seven pairs of major tiles; four alike are two pairs (BMJA-S07)."""

    def made(self, holding: Holding, rules: Ruleset) -> bool:
        if not EVERY_MAJOR.issuperset(holding.natural):
            return False
        # Wild tiles may split a natural pair, one for each half. So only odd tiles count.
        return sum(n % 2 for n in holding.natural.values()) <= holding.wilds

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        """Complete single tiles to pairs first, then begin new pairs."""
        singles = [code for code in MAJORS if held.own.get(code, 0) % 2]
        to_come = PAIRS - sum(held.own.get(code, 0) // 2 for code in MAJORS)
        even = [code for code in MAJORS if held.own.get(code, 0) in (0, 2)]
        begun = even[: max(to_come - len(singles), 0)]
        return (singly([*singles[: max(to_come, 0)], *begun, *begun]),)


class ThirteenUniqueWonders(TilesHand):
    """BMJA-S24: every 1, 9, wind and dragon, and one of them twice."""

    def made(self, holding: Holding, rules: Ruleset) -> bool:
        doubled = holding.natural.total() - len(holding.natural)
        return doubled <= 1 and EVERY_MAJOR.issuperset(holding.natural)

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        missing = [code for code in MAJORS if not held.own.get(code)]
        if not any(held.own.get(code, 0) > 1 for code in MAJORS):
            missing.append(next((code for code in MAJORS if held.own.get(code)), MAJORS[0]))
        return (singly(missing),)
