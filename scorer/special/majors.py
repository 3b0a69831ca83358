"""Special hands of 1s, 9s and honours.

Heads and tails (BMJA-S16), All pair honours (BMJA-S12), The thirteen unique wonders (BMJA-S24).
"""

from __future__ import annotations

from collections.abc import Iterable

from scorer.decompose.readings import HandReading
from scorer.reasons import Reason, about, only
from scorer.ruleset import Ruleset
from scorer.sets import Trait
from scorer.special.held import TERMINALS, Held, sets_and_pair, singly
from scorer.special.holding import MAJORS, Holding
from scorer.special.shapes import SetsHand, Target, TilesHand

HONOUR, MINOR = int(Trait.HONOUR), int(Trait.MINOR)
EVERY_MAJOR = frozenset(MAJORS)

PAIRS = 7
"""How many pairs make a hand."""


class HeadsAndTails(SetsHand):
    """BMJA-S16: nothing but 1s and 9s."""

    def made(self, reading: HandReading, traits: int, rules: Ruleset) -> bool:
        return not traits & (HONOUR | MINOR)

    def why_not(self, reading: HandReading, rules: Ruleset) -> Reason:
        return only(
            None if TERMINALS.issuperset(each.faces) else about("not-of-1s-or-9s", each)
            for each in reading.sets
        )

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        return (sets_and_pair(held, TERMINALS),)


class AllPairHonours(TilesHand):
    """BMJA-S12: seven pairs of major tiles; four alike are two pairs (BMJA-S07)."""

    def made(self, holding: Holding, rules: Ruleset) -> bool:
        if not EVERY_MAJOR.issuperset(holding.natural):
            return False
        # A natural pair may be parted, each half with a wild tile; so only single ones count.
        return sum(n % 2 for n in holding.natural.values()) <= holding.wilds

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        """Single tiles are paired first, then pairs begun."""
        singles = [code for code in MAJORS if held.own.get(code, 0) % 2]
        to_come = PAIRS - sum(held.own.get(code, 0) // 2 for code in MAJORS)
        even = [code for code in MAJORS if held.own.get(code, 0) in (0, 2)]
        begun = even[: max(to_come - len(singles), 0)]
        return (singly([*singles[: max(to_come, 0)], *begun, *begun]),)


class ThirteenUniqueWonders(TilesHand):
    """BMJA-S24: every 1, 9, wind and dragon, and any one of them again."""

    def made(self, holding: Holding, rules: Ruleset) -> bool:
        doubled = holding.natural.total() - len(holding.natural)
        return doubled <= 1 and EVERY_MAJOR.issuperset(holding.natural)

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        missing = [code for code in MAJORS if not held.own.get(code)]
        if not any(held.own.get(code, 0) > 1 for code in MAJORS):
            missing.append(next((code for code in MAJORS if held.own.get(code)), MAJORS[0]))
        return (singly(missing),)
