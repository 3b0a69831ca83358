"""The named tests that rules make of the tile of a set, and why no set passes one.

A ruleset's file names them (`when = "major"`); what they find is worth what the file says.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import NamedTuple

from scorer.breakdown import SetKind
from scorer.decompose.readings import HandReading
from scorer.naming import wind
from scorer.reasons import Reason, about, because
from scorer.ruleset import Ruleset
from scorer.tiles import Tile


class SeatWinds(NamedTuple):
    """The winds that a tile is judged by."""

    own: str
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
        "own-wind": lambda tile, seat: tile.code == f"W{seat.own}",
        "prevailing-wind": lambda tile, seat: tile.code == f"W{seat.prevailing}",
        "neither-dragon-nor-wind-of-use": lambda tile, seat: (
            tile.family != "D" and tile.code not in (f"W{seat.own}", f"W{seat.prevailing}")
        ),
    }
)
"""The tests of the tile that stands for a set."""


def dragons_are_only_a_pair(reading: HandReading, rules: Ruleset) -> Reason:
    """BMJA-D01: pairs never double."""
    pairs = [each for each in reading.of_kind("pair") if each.tile.family == "D"]
    return because("pair-of-dragons") if pairs else None


def wind_of_another_seat(reading: HandReading, rules: Ruleset) -> Reason:
    """BMJA-D02: a wind doubles for its own seat, or while it prevails."""
    hand = reading.hand
    for each in reading.pungs_and_kongs:
        rank = each.tile.rank
        if each.tile.family != "W":
            continue
        if not rules.prevailing_wind and rank != hand.seat_wind:
            return because("not-own-wind", wind=wind(rank))
        if rank not in (hand.seat_wind, hand.prevailing_wind):
            return because("no-wind-of-use", wind=wind(rank))
    return None


def pair_of_a_suit(reading: HandReading, rules: Ruleset) -> Reason:
    """SAF-R06."""
    pairs = reading.of_kind("pair")
    return about("not-of-honours", pairs[0]) if pairs else None


SET_REASONS = MappingProxyType[tuple[str, SetKind], Callable[[HandReading, Ruleset], Reason]](
    {
        ("dragon", "pung"): dragons_are_only_a_pair,
        ("own-wind", "pung"): wind_of_another_seat,
        ("honour", "pair"): pair_of_a_suit,
    }
)
"""For a test and the least kind of set that it is made of, why no set passed it."""
