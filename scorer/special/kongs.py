"""The special hand of kongs: Fourfold plenty (BMJA-S22)."""

from __future__ import annotations

from collections.abc import Iterable

from scorer.decompose.readings import SETS_IN_A_HAND, HandReading
from scorer.reasons import Reason, about, only
from scorer.ruleset import Ruleset
from scorer.sets import KONG_TRAIT
from scorer.special.held import ALL, KONG, Held, sets_and_pair
from scorer.special.shapes import SetsHand, Target


class FourfoldPlenty(SetsHand):
    """BMJA-S22: four kongs."""

    def made(self, arrangement: HandReading, traits: int, rules: Ruleset) -> bool:
        return bool(traits & KONG_TRAIT) and len(arrangement.of_kind("kong")) == SETS_IN_A_HAND

    def why_not(self, arrangement: HandReading, rules: Ruleset) -> Reason:
        return only(about("no-kong", each) for each in arrangement.of_kind("pung", "chow"))

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        """Let a pung on the table become a kong yet (BMJA-K07)."""
        return (sets_and_pair(held, ALL, size=KONG),)
