"""The named tests that rules make of a winner's hand as a whole, and why a hand fails one.

A ruleset's file names them (`when = "all-major"`). Each is asked about a reading, the traits of all
its sets together (`scorer.sets.Trait`) and the rules in force; its reason is asked for only where
it failed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType

from scorer.decompose.readings import HandReading
from scorer.message import message
from scorer.predicates.waits import tiles_that_complete
from scorer.reasons import Reason, about, because, only
from scorer.ruleset import Ruleset
from scorer.sets import ONE_SUIT, SUIT_TRAITS, Trait
from scorer.tiles import BY_CODE

CHOW, HONOUR, MINOR, EXPOSED = map(int, (Trait.CHOW, Trait.HONOUR, Trait.MINOR, Trait.EXPOSED))
SUITS = int(SUIT_TRAITS)


def nothing_to_wonder_about(reading: HandReading, rules: Ruleset) -> Reason:
    """Return no reason: the hand is far from it, or nobody expects it."""
    return None


@dataclass(frozen=True, slots=True)
class HandTest:
    """A test of a hand, and the one thing that keeps a hand from it."""

    holds: Callable[[HandReading, int, Ruleset], bool]
    why_not: Callable[[HandReading, Ruleset], Reason] = nothing_to_wonder_about


def no_chows(reading: HandReading, traits: int, rules: Ruleset) -> bool:
    """SAF-R08."""
    return not traits & CHOW


def has_chows(reading: HandReading, rules: Ruleset) -> Reason:
    """Name the chow, or say how many there are."""
    chows = reading.of_kind("chow")
    return because("has-chows", count=len(chows)) if chows[1:] else about("has-a-chow", chows[0])


def no_chows_where_allowed(reading: HandReading, traits: int, rules: Ruleset) -> bool:
    """BMJA-D09, which a table without chows does not have."""
    return not traits & CHOW and rules.chows_for(reading.hand) > 0


def no_chow_is_allowed(reading: HandReading, rules: Ruleset) -> Reason:
    """BMJA-H03: where nobody may have a chow, to be without one earns nothing."""
    hand = reading.hand
    if rules.chows_for(hand):
        return has_chows(reading, rules)
    if not hand.goulash:
        return because("no-chows-with-few-players")
    otherwise = rules.chows_for(replace(hand, goulash=False))
    return because("no-chows-in-a-goulash") if otherwise else None


def one_suit_with_honours(reading: HandReading, traits: int, rules: Ruleset) -> bool:
    """BMJA-D10: a pair is enough, of the suit or of the honours."""
    return bool(traits & HONOUR) and traits & SUITS in ONE_SUIT


def no_suit_two_suits_or_no_honour(reading: HandReading, rules: Ruleset) -> Reason:
    """BMJA-D10."""
    match reading.suits, reading.has_honours:
        case (), _:
            return because("no-suit-tile")
        case (one,), _:
            return because("one-suit-no-honour", suit=message(f"suit.{one}"))
        case (first, second), True:
            return because(
                "mixes-suits", one=message(f"suit.{first}"), other=message(f"suit.{second}")
            )
        case _:
            return None


def one_suit_only(reading: HandReading, traits: int, rules: Ruleset) -> bool:
    """SAF-R09."""
    return not traits & HONOUR and traits & SUITS in ONE_SUIT


def honours_in_one_suit(reading: HandReading, rules: Ruleset) -> Reason:
    """SAF-R09: one set of honours beside sets of one suit."""
    honours = [each for each in reading.sets if each.tile.is_honour]
    if len(reading.suits) != 1 or len(honours) != 1:
        return None
    return about("set-of-honours", honours[0])


def one_suit_with_chow(reading: HandReading, traits: int, rules: Ruleset) -> bool:
    """BMJA-C18: neither Purity nor a clean hand."""
    return bool(traits & CHOW) and one_suit_only(reading, traits, rules)


def all_major(reading: HandReading, traits: int, rules: Ruleset) -> bool:
    """BMJA-D15: 1s or 9s and honours, at least one set or pair of each."""
    return not traits & MINOR and bool(traits & HONOUR) and bool(traits & SUITS)


def minors_or_one_kind_of_majors(reading: HandReading, rules: Ruleset) -> Reason:
    """BMJA-D15."""
    with_minors = [
        each for each in reading.sets if any(BY_CODE[code].is_minor for code in each.faces)
    ]
    if not with_minors:
        return because("majors-no-honour" if reading.suits else "majors-no-terminal")
    return only(about("set-of-minors", each) for each in with_minors)


def all_concealed(reading: HandReading, traits: int, rules: Ruleset) -> bool:
    """BMJA-D16: with at least a pair of a suit and of honours; where C06 is on, a set of each."""
    if traits & EXPOSED or not (traits & HONOUR and traits & SUITS):
        return False
    return not rules.is_on("concealed_needs_sets") or _has_sets_of_both(reading)


def _has_sets_of_both(reading: HandReading) -> bool:
    sets = reading.of_kind("chow", "pung", "kong")
    return len({each.tile.is_honour for each in sets}) == 2


def exposed_or_too_little(reading: HandReading, rules: Ruleset) -> Reason:
    """BMJA-D16."""
    return only((*_exposures(reading), _too_little(reading, rules)))


def _exposures(reading: HandReading) -> Iterator[Reason]:
    claimed_at = reading.claim.place if reading.claim else None
    for place in reading.exposed_places:
        exposed = reading.sets[place]
        if place == claimed_at:
            yield because("claim-exposes", kind=message(f"set-kind.{exposed.kind}"))
        else:
            yield about("not-concealed", exposed)


def _too_little(reading: HandReading, rules: Ruleset) -> Reason:
    """Name what a wholly concealed hand has none of; some tables want more than a pair (C06)."""
    if not reading.suits:
        return because("concealed-no-suit-tile")
    if not reading.has_honours:
        return because("concealed-no-honour")
    if rules.is_on("concealed_needs_sets") and not _has_sets_of_both(reading):
        return about("pair-must-be-a-set", reading.of_kind("pair")[0])
    return None


def purity_concealed(reading: HandReading, traits: int, rules: Ruleset) -> bool:
    """BMJA-S32: Purity as an ordinary hand doubles for all concealed though it has no honours."""
    return not traits & (EXPOSED | CHOW | HONOUR) and traits & SUITS in ONE_SUIT


def only_possible_tile(reading: HandReading, traits: int, rules: Ruleset) -> bool:
    """BMJA-C16: no other tile would have completed the hand."""
    return len(tiles_that_complete(reading.hand, rules)) == 1


def pair_completed(reading: HandReading, traits: int, rules: Ruleset) -> bool:
    """BMJA-C16: the winning tile is one of the pair."""
    return any(reading.hand.winning_tile in each.tiles for each in reading.of_kind("pair"))


HAND_TESTS = MappingProxyType[str, HandTest](
    {
        "no-chows": HandTest(no_chows, has_chows),
        "no-chows-where-allowed": HandTest(no_chows_where_allowed, no_chow_is_allowed),
        "one-suit-with-honours": HandTest(one_suit_with_honours, no_suit_two_suits_or_no_honour),
        "one-suit-only": HandTest(one_suit_only, honours_in_one_suit),
        "one-suit-with-chow": HandTest(one_suit_with_chow),
        "all-major": HandTest(all_major, minors_or_one_kind_of_majors),
        "all-concealed": HandTest(all_concealed, exposed_or_too_little),
        "purity-concealed": HandTest(purity_concealed),
        "only-possible-tile": HandTest(only_possible_tile),
        "pair-completed": HandTest(pair_completed),
    }
)
"""The tests by the names that a ruleset's file uses."""
