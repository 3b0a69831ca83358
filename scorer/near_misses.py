"""Why a rule that a player may have hoped for does not count: one function a rule, by its id.

A function is asked about a reading to which its rule gave nothing, and returns a sentence when the
rule came near enough to wonder; None when there is nothing to explain.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from scorer.awards import has_bouquet, own_number
from scorer.readings import Reading
from scorer.tiles import BY_CODE, SUITS, WINDS
from scorer.wording import describe

Reason = str | None


def not_from_the_live_wall(reading: Reading) -> Reason:
    """BMJA-B12: a claimed tile, or a loose one, does not score the 2."""
    if reading.hand.claimed:
        return "The winning tile was claimed, not drawn from the live wall."
    if reading.hand.on_loose_tile:
        return "A loose tile is not from the live wall; it doubles instead."
    return None


def dragons_are_only_a_pair(reading: Reading) -> Reason:
    """BMJA-D01: pairs never double."""
    pairs = [each for each in reading.of_kind("pair") if each.tile.family == "D"]
    return "A pair of dragons scores, but never doubles." if pairs else None


def wind_of_another_seat(reading: Reading) -> Reason:
    """BMJA-D02: a wind doubles for its own seat, or while it prevails."""
    hand = reading.hand
    for each in reading.pungs_and_kongs:
        wind = each.tile.rank
        if each.tile.family == "W" and wind not in (hand.seat_wind, hand.prevailing_wind):
            return f"{WINDS[wind]} is neither the player's own wind nor the prevailing wind."
    return None


def not_own_flower(reading: Reading) -> Reason:
    """BMJA-D04."""
    return _not_own(reading, "F")


def not_own_season(reading: Reading) -> Reason:
    """BMJA-D05."""
    return _not_own(reading, "S")


def _not_own(reading: Reading, family: str) -> Reason:
    if has_bouquet(reading, family):
        return "It is one of the two doubles for the bouquet."
    if not any(code[0] == family for code in reading.hand.bonus):
        return None
    own = BY_CODE[family + own_number(reading)]
    return f"{WINDS[reading.hand.seat_wind]}'s own is {own.name}, which the hand does not have."


def bouquet_of_flowers_lacks_one(reading: Reading) -> Reason:
    """BMJA-D06."""
    return _lacks_one(reading, "F")


def bouquet_of_seasons_lacks_one(reading: Reading) -> Reason:
    """BMJA-D07."""
    return _lacks_one(reading, "S")


def _lacks_one(reading: Reading, family: str) -> Reason:
    missing = [family + number for number in "1234" if family + number not in reading.hand.bonus]
    return f"Only {BY_CODE[missing[0]].name} is missing." if len(missing) == 1 else None


def has_a_chow(reading: Reading) -> Reason:
    """BMJA-D09."""
    if reading.hand.goulash:
        return "A goulash has no chows, so to be without one earns nothing."
    if reading.hand.players < 4:
        return (
            "There are no chows with fewer than four players, so to be without one earns nothing."
        )
    return f"The hand has a chow: {describe(reading.of_kind('chow')[0])}."


def not_one_suit_with_honours(reading: Reading) -> Reason:
    """BMJA-D10."""
    match reading.suits:
        case ():
            return "There is no suit tile in the hand."
        case (suit,):
            return f"The {SUITS[suit]} tiles are of one suit, but there is no honour with them."
        case (first, second):
            return f"The hand mixes {SUITS[first]} and {SUITS[second]} tiles."
        case _:
            return None


def not_all_major(reading: Reading) -> Reason:
    """BMJA-D15."""
    with_minors = [
        each for each in reading.sets if any(BY_CODE[code].is_minor for code in each.tiles)
    ]
    match with_minors:
        case []:
            missing = "honour" if reading.suits else "1 or 9"
            return f"Every tile is major, but there is no {missing} among them."
        case [only]:
            return f"One set holds minor tiles: {describe(only)}."
        case _:
            return None


def not_all_concealed(reading: Reading) -> Reason:
    """BMJA-D16."""
    claimed_at = reading.claim.place if reading.claim else None
    match reading.exposed_places:
        case []:
            missing = "honour" if reading.suits else "suit tile"
            return f"Every set is concealed, but there is no {missing} in the hand."
        case [only] if only == claimed_at:
            return f"The winning tile was claimed, which exposes the {reading.sets[only].kind}."
        case [only]:
            return f"One set is not concealed: the {describe(reading.sets[only])}."
        case _:
            return None


NEAR_MISSES = MappingProxyType[str, Callable[[Reading], Reason]](
    {
        "BMJA-B12": not_from_the_live_wall,
        "BMJA-D01": dragons_are_only_a_pair,
        "BMJA-D02": wind_of_another_seat,
        "BMJA-D04": not_own_flower,
        "BMJA-D05": not_own_season,
        "BMJA-D06": bouquet_of_flowers_lacks_one,
        "BMJA-D07": bouquet_of_seasons_lacks_one,
        "BMJA-D09": has_a_chow,
        "BMJA-D10": not_one_suit_with_honours,
        "BMJA-D15": not_all_major,
        "BMJA-D16": not_all_concealed,
    }
)
"""Rule id to the function that explains its absence."""
