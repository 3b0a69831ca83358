"""Special hands of 1s, 9s and honours, and the hand of four kongs.

Heads and tails (BMJA-S16), All pair honours (S12), The thirteen unique wonders (S24); Three great
scholars (S19), Four blessings (S20), All winds and dragons (S21); Fourfold plenty (S22).
"""

from __future__ import annotations

from collections.abc import Iterable

from scorer.decompose.arrangements import SETS_PER_HAND, HandArrangement
from scorer.reasons import Reason, make_set_reason, sole_reason
from scorer.ruleset import Ruleset
from scorer.sets import HandTraits
from scorer.special.base import (
    ALL_CODES,
    ALL_WIND_CODES,
    DRAGON_CODES,
    HONOUR_CODES,
    KONG_TILES,
    MAJOR_CODES,
    TERMINAL_CODES,
    MissingFromTarget,
    PlayerTiles,
    SetsHand,
    TileCounts,
    TilesHand,
    missing_from_sets,
    missing_pungs,
    missing_singles,
    why_not_pung,
)

MAJOR_CODE_SET = frozenset(MAJOR_CODES)

PAIRS_PER_HAND = 7
"""Pairs that make a hand."""


class HeadsAndTails(SetsHand):
    """BMJA-S16: only 1s and 9s."""

    def matches(self, arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
        return not (traits.has_honours or traits.has_minors)

    def why_not(self, arrangement: HandArrangement, rules: Ruleset) -> Reason:
        return sole_reason(
            None
            if TERMINAL_CODES.issuperset(each.faces)
            else make_set_reason("not-of-1s-or-9s", each)
            for each in arrangement.sets
        )

    def missing(self, held: PlayerTiles, rules: Ruleset) -> Iterable[MissingFromTarget]:
        return (missing_from_sets(held, TERMINAL_CODES),)


class AllPairHonours(TilesHand):
    """BMJA-S12: seven pairs of major tiles; four alike are two pairs (BMJA-S07)."""

    def matches(self, holding: TileCounts, rules: Ruleset) -> bool:
        if not MAJOR_CODE_SET.issuperset(holding.natural):
            return False
        # Wild tiles may split a natural pair, one for each half. So only odd tiles count.
        return sum(n % 2 for n in holding.natural.values()) <= holding.wilds

    def missing(self, held: PlayerTiles, rules: Ruleset) -> Iterable[MissingFromTarget]:
        """Complete single tiles to pairs first, then begin new pairs."""
        singles = [code for code in MAJOR_CODES if held.own.get(code, 0) % 2]
        to_come = PAIRS_PER_HAND - sum(held.own.get(code, 0) // 2 for code in MAJOR_CODES)
        even = [code for code in MAJOR_CODES if held.own.get(code, 0) in (0, 2)]
        begun = even[: max(to_come - len(singles), 0)]
        return (missing_singles([*singles[: max(to_come, 0)], *begun, *begun]),)


class ThirteenUniqueWonders(TilesHand):
    """BMJA-S24: every 1, 9, wind and dragon, and one of them twice."""

    def matches(self, holding: TileCounts, rules: Ruleset) -> bool:
        doubled = holding.natural.total() - len(holding.natural)
        return doubled <= 1 and MAJOR_CODE_SET.issuperset(holding.natural)

    def missing(self, held: PlayerTiles, rules: Ruleset) -> Iterable[MissingFromTarget]:
        missing = [code for code in MAJOR_CODES if not held.own.get(code)]
        if not any(held.own.get(code, 0) > 1 for code in MAJOR_CODES):
            missing.append(
                next((code for code in MAJOR_CODES if held.own.get(code)), MAJOR_CODES[0])
            )
        return (missing_singles(missing),)


class ThreeGreatScholars(SetsHand):
    """BMJA-S19: all three dragons in sets, and no chow."""

    def matches(self, arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
        return not traits.has_chows and _has_sets_of(arrangement, DRAGON_CODES)

    def why_not(self, arrangement: HandArrangement, rules: Ruleset) -> Reason:
        return sole_reason(
            (*missing_pungs(arrangement, DRAGON_CODES), *map(why_not_pung, arrangement.sets))
        )

    def missing(self, held: PlayerTiles, rules: Ruleset) -> Iterable[MissingFromTarget]:
        return (missing_from_sets(held, ALL_CODES, DRAGON_CODES),)


class FourBlessings(SetsHand):
    """BMJA-S20: all four winds in sets."""

    def matches(self, arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
        return not traits.has_chows and _has_sets_of(arrangement, ALL_WIND_CODES)

    def why_not(self, arrangement: HandArrangement, rules: Ruleset) -> Reason:
        return sole_reason(missing_pungs(arrangement, ALL_WIND_CODES))

    def missing(self, held: PlayerTiles, rules: Ruleset) -> Iterable[MissingFromTarget]:
        return (missing_from_sets(held, ALL_CODES, ALL_WIND_CODES),)


class AllWindsAndDragons(SetsHand):
    """BMJA-S21: only honours."""

    def matches(self, arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
        return not traits.suits

    def why_not(self, arrangement: HandArrangement, rules: Ruleset) -> Reason:
        return sole_reason(
            make_set_reason("not-of-honours", each) if each.tile.is_suit else None
            for each in arrangement.sets
        )

    def missing(self, held: PlayerTiles, rules: Ruleset) -> Iterable[MissingFromTarget]:
        return (missing_from_sets(held, HONOUR_CODES),)


def _has_sets_of(arrangement: HandArrangement, faces: frozenset[str]) -> bool:
    """Return whether each of these faces has a pung or a kong; wild tiles can make one twice."""
    return faces <= {each.tile.code for each in arrangement.pungs_and_kongs}


class FourfoldPlenty(SetsHand):
    """BMJA-S22: four kongs."""

    def matches(self, arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
        return traits.has_kongs and len(arrangement.of_kind("kong")) == SETS_PER_HAND

    def why_not(self, arrangement: HandArrangement, rules: Ruleset) -> Reason:
        return sole_reason(
            make_set_reason("no-kong", each) for each in arrangement.of_kind("pung", "chow")
        )

    def missing(self, held: PlayerTiles, rules: Ruleset) -> Iterable[MissingFromTarget]:
        """Let a pung on the table become a kong yet (BMJA-K07)."""
        return (missing_from_sets(held, ALL_CODES, size=KONG_TILES),)
