"""Why a rule of points or doubles gave nothing here: one function a rule, by its id.

A function is asked about a reading to which its rule gave nothing. It returns a sentence when the
rule came near enough to wonder, and None when there is nothing to explain.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from scorer.decompose.readings import Reading
from scorer.predicates.tile_tests import own_number
from scorer.ruleset import Ruleset
from scorer.tiles import BY_CODE, SUITS, WINDS
from scorer.wording import set_name

Reason = str | None
Miss = Callable[[Reading, Ruleset], Reason]


def not_from_the_live_wall(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-B12: a claimed tile, or a loose one, does not score the 2."""
    if reading.hand.claimed:
        return "The winning tile was claimed, not drawn from the live wall."
    if reading.hand.on_loose_tile:
        return "A loose tile is not from the live wall; it doubles instead."
    return None


def dragons_are_only_a_pair(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-D01: pairs never double."""
    pairs = [each for each in reading.of_kind("pair") if each.tile.family == "D"]
    return "A pair of dragons scores, but never doubles." if pairs else None


def wind_of_another_seat(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-D02: a wind doubles for its own seat, or while it prevails."""
    hand = reading.hand
    for each in reading.pungs_and_kongs:
        wind = each.tile.rank
        if each.tile.family != "W":
            continue
        if not rules.prevailing_wind and wind != hand.seat_wind:
            return f"{WINDS[wind]} is not the player's own wind."
        if wind not in (hand.seat_wind, hand.prevailing_wind):
            return f"{WINDS[wind]} is neither the player's own wind nor the prevailing wind."
    return None


def not_own_flower(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-D04."""
    return _not_own(reading, "F")


def not_own_season(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-D05."""
    return _not_own(reading, "S")


def _not_own(reading: Reading, family: str) -> Reason:
    held = [code for code in reading.hand.bonus if code[0] == family]
    if len(held) == 4:
        return "It is one of the two doubles for the bouquet."
    if not held:
        return None
    own = BY_CODE[family + own_number(reading.hand)]
    return f"{WINDS[reading.hand.seat_wind]}'s own is {own.name}, which the hand does not have."


def bouquet_of_flowers_lacks_one(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-D06."""
    return _lacks_one(reading, "F")


def bouquet_of_seasons_lacks_one(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-D07."""
    return _lacks_one(reading, "S")


def _lacks_one(reading: Reading, family: str) -> Reason:
    missing = [family + number for number in "1234" if family + number not in reading.hand.bonus]
    return f"Only {BY_CODE[missing[0]].name} is missing." if len(missing) == 1 else None


def has_a_chow(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-D09."""
    if reading.hand.goulash:
        return "A goulash has no chows, so to be without one earns nothing."
    if not rules.chows_for(reading.hand):
        return (
            "There are no chows with fewer than four players, so to be without one earns nothing."
        )
    return f"The hand has a chow: the {set_name(reading.of_kind('chow')[0])}."


def not_one_suit_with_honours(reading: Reading, rules: Ruleset) -> Reason:
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


def not_all_major(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-D15."""
    with_minors = [
        each for each in reading.sets if any(BY_CODE[code].is_minor for code in each.faces)
    ]
    match with_minors:
        case []:
            missing = "honour" if reading.suits else "1 or 9"
            return f"Every tile is major, but there is no {missing} among them."
        case [only]:
            return f"One set holds minor tiles: the {set_name(only)}."
        case _:
            return None


def not_all_concealed(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-D16."""
    claimed_at = reading.claim.place if reading.claim else None
    match reading.exposed_places:
        case []:
            return _too_little_concealed(reading)
        case [only] if only == claimed_at:
            return f"The winning tile was claimed, which exposes the {reading.sets[only].kind}."
        case [only]:
            return f"One set is not concealed: the {set_name(reading.sets[only])}."
        case _:
            return None


def _too_little_concealed(reading: Reading) -> Reason:
    """Name what a wholly concealed hand lacks; some tables want more than a pair (BMJA-C06)."""
    if not reading.suits:
        return "Every set is concealed, but there is no suit tile in the hand."
    if not reading.has_honours:
        return "Every set is concealed, but there is no honour in the hand."
    pair = reading.of_kind("pair")[0]
    return f"The {set_name(pair)} is only a pair; at this table it must be a set."


def pair_of_a_suit(reading: Reading, rules: Ruleset) -> Reason:
    """SAF-R06."""
    pairs = reading.of_kind("pair")
    return f"The {set_name(pairs[0])} is not of winds or dragons." if pairs else None


def no_set_that_doubles(reading: Reading, rules: Ruleset) -> Reason:
    """SAF-R07."""
    return wind_of_another_seat(reading, rules) or dragons_are_only_a_pair(reading, rules)


def part_of_the_winners_points(reading: Reading, rules: Ruleset) -> Reason:
    """SAF-R08: the points for no chows and for a drawn tile, besides those for going Mah Jong."""
    chows = reading.of_kind("chow")
    claimed = reading.hand.claimed
    if chows and claimed:
        return f"The hand has a chow, the {set_name(chows[0])}, and the winning tile was claimed."
    if chows:
        return f"The hand has a chow: the {set_name(chows[0])}."
    return "The winning tile was claimed, not drawn." if claimed else None


def honours_in_one_suit(reading: Reading, rules: Ruleset) -> Reason:
    """SAF-R09."""
    honours = [each for each in reading.sets if each.tile.is_honour]
    if not reading.suits:
        return "There is no suit tile in the hand."
    return f"One set is of honours: the {set_name(honours[0])}." if len(honours) == 1 else None


NEAR_MISSES = MappingProxyType[str, Miss](
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
        "SAF-R06": pair_of_a_suit,
        "SAF-R07": no_set_that_doubles,
        "SAF-R08": part_of_the_winners_points,
        "SAF-R09": honours_in_one_suit,
    }
)
"""Rule id to the function that explains its absence."""

SEVERAL_IN_ONE = frozenset({"SAF-R08"})
"""Rules that give several things, so that one may be missed while another is given."""
