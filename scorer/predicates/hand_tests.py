"""The named tests that rules make of a winner's hand as a whole.

A ruleset's file names them (`when = "all-major"`). Each is asked about a reading, the traits of all
its sets together (`scorer.sets.Trait`) and the rules in force.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from scorer.decompose.readings import Reading
from scorer.predicates.waits import tiles_that_complete
from scorer.ruleset import Ruleset
from scorer.sets import ONE_SUIT, SUIT_TRAITS, Trait

CHOW, HONOUR, MINOR, EXPOSED = map(int, (Trait.CHOW, Trait.HONOUR, Trait.MINOR, Trait.EXPOSED))
SUITS = int(SUIT_TRAITS)

HandTest = Callable[[Reading, int, Ruleset], bool]


def no_chows(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """SAF-R08."""
    return not traits & CHOW


def no_chows_where_allowed(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """BMJA-D09, which a table without chows does not have."""
    return not traits & CHOW and rules.chows_for(reading.hand) > 0


def one_suit_with_honours(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """BMJA-D10: a pair is enough, of the suit or of the honours."""
    return bool(traits & HONOUR) and traits & SUITS in ONE_SUIT


def one_suit_only(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """SAF-R09."""
    return not traits & HONOUR and traits & SUITS in ONE_SUIT


def one_suit_with_chow(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """BMJA-C18: neither Purity nor a clean hand."""
    return bool(traits & CHOW) and one_suit_only(reading, traits, rules)


def all_major(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """BMJA-D15: 1s or 9s and honours, at least one set or pair of each."""
    return not traits & MINOR and bool(traits & HONOUR) and bool(traits & SUITS)


def all_concealed(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """BMJA-D16: with at least a pair of a suit and of honours; where C06 is on, a set of each."""
    if traits & EXPOSED or not (traits & HONOUR and traits & SUITS):
        return False
    if not rules.is_on("concealed_needs_sets"):
        return True
    sets = reading.of_kind("chow", "pung", "kong")
    return len({each.tile.is_honour for each in sets}) == 2


def purity_concealed(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """BMJA-S32: Purity as an ordinary hand doubles for all concealed though it has no honours."""
    return not traits & (EXPOSED | CHOW | HONOUR) and traits & SUITS in ONE_SUIT


def only_possible_tile(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """BMJA-C16: no other tile would have completed the hand."""
    return len(tiles_that_complete(reading.hand, rules)) == 1


def pair_completed(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """BMJA-C16: the winning tile is one of the pair."""
    return any(reading.hand.winning_tile in each.tiles for each in reading.of_kind("pair"))


HAND_TESTS = MappingProxyType[str, HandTest](
    {
        "no-chows": no_chows,
        "no-chows-where-allowed": no_chows_where_allowed,
        "one-suit-with-honours": one_suit_with_honours,
        "one-suit-only": one_suit_only,
        "one-suit-with-chow": one_suit_with_chow,
        "all-major": all_major,
        "all-concealed": all_concealed,
        "purity-concealed": purity_concealed,
        "only-possible-tile": only_possible_tile,
        "pair-completed": pair_completed,
    }
)
"""The tests by the names that a ruleset's file uses."""
