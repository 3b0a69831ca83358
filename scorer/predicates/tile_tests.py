"""The named tests of the tile of a set, and why no set passes one.

A ruleset's file names them (`when = "major"`) and says what a set that passes is worth.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import NamedTuple

from scorer.breakdown import SetKind
from scorer.decompose.arrangements import HandArrangement
from scorer.reasons import Reason, make_reason, make_set_reason
from scorer.ruleset import Ruleset
from scorer.tile_names import name_wind
from scorer.tiles import Tile


class SeatWinds(NamedTuple):
    """The winds that decide what a tile is worth."""

    seat_wind: str
    """Letter of the player's wind."""
    prevailing: str


TileTest = Callable[[Tile, SeatWinds], bool]

TILE_TESTS = MappingProxyType[str, TileTest](
    {
        "any": lambda tile, seat: True,
        "major": lambda tile, seat: tile.is_major,
        "minor": lambda tile, seat: tile.is_minor,
        "suit": lambda tile, seat: tile.is_suit,
        "honour": lambda tile, seat: tile.is_honour,
        "dragon": lambda tile, seat: tile.family == "D",
        "own-wind": lambda tile, seat: tile.code == f"W{seat.seat_wind}",
        "prevailing-wind": lambda tile, seat: tile.code == f"W{seat.prevailing}",
        "neither-dragon-nor-wind-of-use": lambda tile, seat: (
            tile.family != "D" and tile.code not in (f"W{seat.seat_wind}", f"W{seat.prevailing}")
        ),
    }
)
"""The tests by the names that ruleset files use; each looks at a set's first tile."""


def why_no_dragon_pung(arrangement: HandArrangement, rules: Ruleset) -> Reason:
    """BMJA-D01: pairs never double."""
    pairs = [each for each in arrangement.of_kind("pair") if each.tile.family == "D"]
    return make_reason("pair-of-dragons") if pairs else None


def why_no_own_wind_pung(arrangement: HandArrangement, rules: Ruleset) -> Reason:
    """BMJA-D02: a wind doubles only for the player's seat or as the prevailing wind."""
    hand = arrangement.hand
    for tile_set in arrangement.pungs_and_kongs:
        rank = tile_set.tile.rank
        if tile_set.tile.family != "W":
            continue
        if not rules.prevailing_wind and rank != hand.seat_wind:
            return make_reason("not-own-wind", wind=name_wind(rank))
        if rank not in (hand.seat_wind, hand.prevailing_wind):
            return make_reason("no-wind-of-use", wind=name_wind(rank))
    return None


def why_no_honour_pair(arrangement: HandArrangement, rules: Ruleset) -> Reason:
    """SAF-R06."""
    pairs = arrangement.of_kind("pair")
    return make_set_reason("not-of-honours", pairs[0]) if pairs else None


SET_REASONS = MappingProxyType[tuple[str, SetKind], Callable[[HandArrangement, Ruleset], Reason]](
    {
        ("dragon", "pung"): why_no_dragon_pung,
        ("own-wind", "pung"): why_no_own_wind_pung,
        ("honour", "pair"): why_no_honour_pair,
    }
)
"""Why no set passed, by the test and the smallest kind of set that it accepts."""
