"""The named tests that rules make of the tile of a set and of the bonus tiles.

A ruleset's file names them (`when = "major"`); what they find is worth what the file says.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import NamedTuple

from scorer.hand import Codes, Hand
from scorer.ruleset import Ruleset
from scorer.tiles import FLOWERS, WINDS, Tile


class Seat(NamedTuple):
    """The winds that a tile is judged by."""

    own: str
    """Letter of the player's wind."""
    prevailing: str


TileTest = Callable[[Tile, Seat], bool]

TILE_TESTS = MappingProxyType[str, TileTest](
    {
        "any": lambda tile, seat: True,
        "major": lambda tile, seat: tile.is_major,
        "minor": lambda tile, seat: tile.is_minor,
        "suit": lambda tile, seat: tile.is_suit,
        "honour": lambda tile, seat: tile.is_honour,
        "dragon": lambda tile, seat: tile.family == "D",
        "own-wind": lambda tile, seat: tile.code == f"W{seat.own}",
        "prevailing-wind": lambda tile, seat: tile.code == f"W{seat.prevailing}",
        "neither-dragon-nor-wind-of-use": lambda tile, seat: (
            tile.family != "D" and tile.code not in (f"W{seat.own}", f"W{seat.prevailing}")
        ),
    }
)
"""The tests of the tile that stands for a set."""


class BonusTiles(NamedTuple):
    """What the tests of flowers and seasons ask about."""

    codes: Codes
    own_number: str
    """The number of the player's own flower and season (BMJA-T03)."""
    own_besides_bouquet: bool
    """Whether the own tile still doubles within a bouquet (BMJA-C05)."""

    def own(self, family: str) -> list[Codes]:
        """Return the own flower or season, where it doubles by itself."""
        code = family + self.own_number
        alone = self.own_besides_bouquet or not self.all_of(family)
        return [(code,)] if code in self.codes and alone else []

    def all_of(self, family: str) -> list[Codes]:
        """Return all four flowers, or all four seasons, if the hand has them."""
        bouquet = tuple(family + number for number in FLOWERS)  # seasons have the same numbers
        return [bouquet] if set(bouquet) <= set(self.codes) else []


def bonus_tiles(hand: Hand, rules: Ruleset) -> BonusTiles:
    """Return the hand's bonus tiles as the tests need them."""
    return BonusTiles(hand.bonus, own_number(hand), not rules.is_on("bouquet_includes_own"))


def own_number(hand: Hand) -> str:
    """Return the number of the player's own flower and season (BMJA-T03)."""
    return str(list(WINDS).index(hand.seat_wind) + 1)


BONUS_TESTS = MappingProxyType[str, Callable[[BonusTiles], list[Codes]]](
    {
        "each": lambda bonus: [(code,) for code in bonus.codes],
        "own-flower": lambda bonus: bonus.own("F"),
        "own-season": lambda bonus: bonus.own("S"),
        "all-flowers": lambda bonus: bonus.all_of("F"),
        "all-seasons": lambda bonus: bonus.all_of("S"),
    }
)
"""The tests of the bonus tiles: each returns the tiles of every award that it finds."""
