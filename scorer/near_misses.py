"""Why a rule that a player may have hoped for does not count: one function a rule, by its id.

A function is asked about a reading to which its rule gave nothing, and returns a sentence when the
rule came near enough to wonder; None when there is nothing to explain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import MappingProxyType

from scorer.breakdown import NotCounted
from scorer.pricing import (
    Award,
    bonus_awards,
    hand_awards,
    set_awards,
    sets_price,
    win_awards,
)
from scorer.readings import Reading
from scorer.ruleset import Ruleset
from scorer.tile_tests import Seat, own_number
from scorer.tiles import BY_CODE, SUITS, WINDS
from scorer.way import Way
from scorer.wording import describe

Reason = str | None


def not_counted(way: Way, rules: Ruleset) -> Iterator[NotCounted]:
    """Yield the rules that give nothing here though a player might think so."""
    reading = way.reading
    said: set[str] = set()
    awards = {id(award.rule): award for award in _awards(reading, rules)}
    given = {award.rule.id for award in awards.values() if award.rule.gives}
    for rule in rules.rules:
        if rule.winner_only and not reading.hand.winner:
            continue
        if id(rule) in awards:
            reason = None if rule.gives else rule.sentence
        elif rule.id in NEAR_MISSES and rule.id not in given:
            reason = NEAR_MISSES[rule.id](reading)
        else:
            reason = None
        if reason and rule.id not in said:
            said.add(rule.id)
            yield NotCounted(rule.id, reason)


def _awards(reading: Reading, rules: Ruleset) -> Iterator[Award]:
    """Yield what an ordinary sum of the reading would have."""
    hand = reading.hand
    seat = Seat(hand.seat_wind, hand.prevailing_wind)
    for each in reading.sets:
        yield from set_awards(rules, seat, each)
    yield from bonus_awards(rules, hand)
    yield from win_awards(rules, hand)
    yield from hand_awards(rules, reading, sets_price(rules, reading).traits)


def has_bouquet(reading: Reading, family: str) -> bool:
    """Return whether the hand has all four flowers, or all four seasons."""
    return sum(code[0] == family for code in reading.hand.bonus) == 4


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
    own = BY_CODE[family + own_number(reading.hand)]
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
