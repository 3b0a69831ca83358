"""Special hands of dragons and winds in sets (BMJA-S19 to BMJA-S21)."""

from __future__ import annotations

from collections.abc import Iterable

from scorer.decompose.readings import HandReading
from scorer.reasons import Reason, about, only
from scorer.ruleset import Ruleset
from scorer.sets import CHOW_TRAIT, SUIT_TRAITS
from scorer.special.faults import is_a_chow, only_a_pair
from scorer.special.held import ALL, DRAGONS, HONOURS, WINDS, Held, sets_and_pair
from scorer.special.shapes import SetsHand, Target


class ThreeGreatScholars(SetsHand):
    """BMJA-S19: all three dragons in sets, and no chow."""

    def made(self, arrangement: HandReading, traits: int, rules: Ruleset) -> bool:
        return not traits & CHOW_TRAIT and _has_sets_of(arrangement, DRAGONS)

    def why_not(self, arrangement: HandReading, rules: Ruleset) -> Reason:
        return only((*only_a_pair(arrangement, DRAGONS), *map(is_a_chow, arrangement.sets)))

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        return (sets_and_pair(held, ALL, DRAGONS),)


class FourBlessings(SetsHand):
    """BMJA-S20: all four winds in sets."""

    def made(self, arrangement: HandReading, traits: int, rules: Ruleset) -> bool:
        return not traits & CHOW_TRAIT and _has_sets_of(arrangement, WINDS)

    def why_not(self, arrangement: HandReading, rules: Ruleset) -> Reason:
        return only(only_a_pair(arrangement, WINDS))

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        return (sets_and_pair(held, ALL, WINDS),)


class AllWindsAndDragons(SetsHand):
    """BMJA-S21: only honours."""

    def made(self, arrangement: HandReading, traits: int, rules: Ruleset) -> bool:
        return not traits & SUIT_TRAITS

    def why_not(self, arrangement: HandReading, rules: Ruleset) -> Reason:
        return only(
            about("not-of-honours", each) if each.tile.is_suit else None
            for each in arrangement.sets
        )

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        return (sets_and_pair(held, HONOURS),)


def _has_sets_of(arrangement: HandReading, faces: frozenset[str]) -> bool:
    """Return whether each of these faces has a pung or a kong; wild tiles can make one twice."""
    return faces <= {each.tile.code for each in arrangement.pungs_and_kongs}
