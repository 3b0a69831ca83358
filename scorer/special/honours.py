"""Special hands of dragons and winds in sets (BMJA-S19 to BMJA-S21)."""

from __future__ import annotations

from collections.abc import Iterable

from scorer.decompose.readings import HandReading
from scorer.reasons import Reason, about, only
from scorer.ruleset import Ruleset
from scorer.sets import SUIT_TRAITS, Trait
from scorer.special.faults import is_a_chow, only_a_pair
from scorer.special.held import ALL, DRAGONS, HONOURS, WINDS, Held, sets_and_pair
from scorer.special.shapes import SetsHand, Target

CHOW, SUITS = int(Trait.CHOW), int(SUIT_TRAITS)


class ThreeGreatScholars(SetsHand):
    """BMJA-S19: all three dragons in sets, and no chow."""

    def made(self, reading: HandReading, traits: int, rules: Ruleset) -> bool:
        return not traits & CHOW and _has_sets_of(reading, DRAGONS)

    def why_not(self, reading: HandReading, rules: Ruleset) -> Reason:
        return only((*only_a_pair(reading, DRAGONS), *map(is_a_chow, reading.sets)))

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        return (sets_and_pair(held, ALL, DRAGONS),)


class FourBlessings(SetsHand):
    """BMJA-S20: all four winds in sets."""

    def made(self, reading: HandReading, traits: int, rules: Ruleset) -> bool:
        return not traits & CHOW and _has_sets_of(reading, WINDS)

    def why_not(self, reading: HandReading, rules: Ruleset) -> Reason:
        return only(only_a_pair(reading, WINDS))

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        return (sets_and_pair(held, ALL, WINDS),)


class AllWindsAndDragons(SetsHand):
    """BMJA-S21: nothing but honours."""

    def made(self, reading: HandReading, traits: int, rules: Ruleset) -> bool:
        return not traits & SUITS

    def why_not(self, reading: HandReading, rules: Ruleset) -> Reason:
        return only(
            about("not-of-honours", each) if each.tile.is_suit else None for each in reading.sets
        )

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        return (sets_and_pair(held, HONOURS),)


def _has_sets_of(reading: HandReading, faces: frozenset[str]) -> bool:
    """Whether each of these faces is a pung or a kong; wild tiles can make one twice."""
    return faces <= {each.tile.code for each in reading.pungs_and_kongs}
