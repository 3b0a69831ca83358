"""The named tests of bonus tiles, and why they find nothing.

A ruleset's file names them (`when = "own-flower"`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from types import MappingProxyType
from typing import NamedTuple

from scorer.cache_sizes import MAX_CACHED_HANDS
from scorer.hand import Codes, Hand
from scorer.reasons import Reason, make_reason
from scorer.ruleset import Ruleset
from scorer.tile_names import name_tile, name_wind
from scorer.tiles import FLOWERS, WINDS


class BonusTiles(NamedTuple):
    """The values that tests of flowers and seasons look at."""

    codes: Codes
    seat_wind: str
    """Letter of the player's wind."""
    own_besides_bouquet: bool
    """Whether the player's own tile still doubles within a bouquet (BMJA-C05)."""

    def own_code(self, family: str) -> str:
        """Return the code of the flower or season of the player's seat (BMJA-T03)."""
        return family + own_bonus_number(self.seat_wind)

    def own_bonus(self, family: str) -> list[Codes]:
        """Return the player's own flower or season, if it doubles by itself."""
        code = self.own_code(family)
        doubles_alone = self.own_besides_bouquet or not self.all_of(family)
        return [(code,)] if code in self.codes and doubles_alone else []

    def all_of(self, family: str) -> list[Codes]:
        """Return all four flowers or seasons, if the hand has them."""
        return [] if self.absent(family) else [_bouquet_codes(family)]

    def absent(self, family: str) -> Codes:
        """Return the flowers or seasons that the hand lacks."""
        return tuple(code for code in _bouquet_codes(family) if code not in self.codes)


def _bouquet_codes(family: str) -> Codes:
    return tuple(family + number for number in FLOWERS)  # seasons have the same numbers


def own_bonus_number(seat_wind: str) -> str:
    """Return the number of a seat's own flower and season (BMJA-T03)."""
    return str(list(WINDS).index(seat_wind) + 1)


def bonus_tiles(hand: Hand, rules: Ruleset) -> BonusTiles:
    """Return the hand's bonus tiles as the tests need them."""
    return BonusTiles(hand.bonus, hand.seat_wind, not rules.is_on("bouquet_includes_own"))


def explain_not_own(family: str, bonus: BonusTiles) -> Reason:
    """BMJA-D04 and D05: the tile belongs to another seat, or is part of a bouquet.

    If only the player's own tile is missing from a bouquet, it would not double by itself either.
    """
    own_code, absent = bonus.own_code(family), bonus.absent(family)
    if not absent:
        return make_reason("within-the-bouquet")
    if len(absent) == len(FLOWERS) or (absent == (own_code,) and not bonus.own_besides_bouquet):
        return None
    return make_reason(
        "not-own-bonus-tile", wind=name_wind(bonus.seat_wind), tile=name_tile(own_code)
    )


def why_no_bouquet(family: str, bonus: BonusTiles) -> Reason:
    """BMJA-D06 and BMJA-D07."""
    absent = bonus.absent(family)
    return make_reason("one-missing", tile=name_tile(absent[0])) if len(absent) == 1 else None


@dataclass(frozen=True, slots=True)
class BonusTest:
    """A test of the bonus tiles, and the reason when it finds nothing."""

    finds: Callable[[BonusTiles], list[Codes]]
    """Return the tiles of every award."""
    explain: Callable[[BonusTiles], Reason] = lambda bonus: None


BONUS_TESTS = MappingProxyType[str, BonusTest](
    {
        "each": BonusTest(lambda bonus: [(code,) for code in bonus.codes]),
        "own-flower": BonusTest(lambda bonus: bonus.own_bonus("F"), partial(explain_not_own, "F")),
        "own-season": BonusTest(lambda bonus: bonus.own_bonus("S"), partial(explain_not_own, "S")),
        "all-flowers": BonusTest(lambda bonus: bonus.all_of("F"), partial(why_no_bouquet, "F")),
        "all-seasons": BonusTest(lambda bonus: bonus.all_of("S"), partial(why_no_bouquet, "S")),
    }
)
"""The tests by the names that ruleset files use."""


@lru_cache(maxsize=MAX_CACHED_HANDS)
def why_no_bonus(test: str, bonus: BonusTiles) -> Reason:
    """Return why a test finds nothing among the bonus tiles."""
    return BONUS_TESTS[test].explain(bonus)
