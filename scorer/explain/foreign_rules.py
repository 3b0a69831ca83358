"""Find what other families of rules count in a hand, and this game does not.

Players who learnt elsewhere claim it. The rows of `[[elsewhere]]` in a ruleset's file say what is
claimed, in which families, and which rule here stands against it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from types import MappingProxyType

from scorer.breakdown import Breakdown, UncountedRule
from scorer.decompose.arrangements import HandArrangement, winning_arrangements
from scorer.errors import HandProblem, error
from scorer.hand import Hand
from scorer.message import Message, message
from scorer.predicates.bonus_tests import BONUS_TESTS, bonus_tiles
from scorer.predicates.hand_tests import HAND_TESTS
from scorer.predicates.tile_tests import TILE_TESTS, SeatWinds
from scorer.ruleset import ForeignRule, Ruleset, RuleSubject
from scorer.scoring.pricing import narrowest_ways
from scorer.sets import HAND_TRAITS, trait_bits
from scorer.special.registry import find_tiles_hands
from scorer.special.set_patterns import find_sets_hands

REFUSAL_CODES = ("not-mah-jong", "too-many-chows")
"""The errors of tiles that can be held, and make no Mah-Jong by these rules."""


def find_foreign_rules(
    hand: Hand, breakdown: Breakdown, rules: Ruleset
) -> tuple[UncountedRule, ...]:
    """Return what other families would count besides this score, in the order of the file.

    `rules` are those of the hand, its choices applied. Beside a special hand, only other hands are
    of interest.
    """
    arrangement = HandArrangement(hand, breakdown.sets)
    hand_ids = _find_foreign_hands(hand, rules) if hand.winner else ()
    return tuple(
        UncountedRule(each.rule, describe_foreign_rule(each, rules))
        for each in rules.foreign_rules
        if (breakdown.special is None or (each.hand and each.rule != breakdown.special))
        and _is_claimed(each, arrangement, hand_ids, rules)
    )


def find_foreign_hands(
    hand: Hand, rules: Ruleset, errors: Iterable[HandProblem]
) -> tuple[HandProblem, ...]:
    """Return a problem for each hand of another family that a refused winner's hand is.

    None where `errors` say that nobody can hold such tiles.
    """
    if not hand.winner or any(each.code not in REFUSAL_CODES for each in errors):
        return ()
    hand_ids = _find_foreign_hands(hand, rules)
    return tuple(
        error(
            "counts-elsewhere",
            message(
                "held.counts-elsewhere", what=describe_foreign_rule(each, rules), rule=each.rule
            ),
        )
        for each in rules.foreign_rules
        if each.hand and each.hand.id in hand_ids and _is_way(each, hand)
    )


def _find_foreign_hands(hand: Hand, rules: Ruleset) -> Collection[str]:
    """Return the ids of the foreign rules' hands that a winner's tiles make."""
    other = rules.with_foreign_hands
    hand_ids = {each.id for each in find_tiles_hands(hand, other)}
    for arrangement in winning_arrangements(hand, other):
        hand_ids.update(each.id for each in find_sets_hands(arrangement, other))
    return hand_ids


def _is_claimed(
    foreign: ForeignRule, arrangement: HandArrangement, hand_ids: Collection[str], rules: Ruleset
) -> bool:
    hand = arrangement.hand
    if foreign.winner_only and not hand.winner:
        return False
    if foreign.hand:
        return foreign.hand.id in hand_ids and _is_way(foreign, hand)
    return _TESTS[foreign.of](foreign, arrangement, rules)


def _is_way(foreign: ForeignRule, hand: Hand) -> bool:
    return not foreign.ways or not narrowest_ways(hand).isdisjoint(foreign.ways)


def _has_such_a_set(foreign: ForeignRule, arrangement: HandArrangement, rules: Ruleset) -> bool:
    seat = SeatWinds(arrangement.hand.seat_wind, arrangement.hand.prevailing_wind)
    sets = arrangement.of_kind(*foreign.kinds)
    return any(TILE_TESTS[foreign.when](each.tile, seat) for each in sets)


def _has_such_bonus_tiles(
    foreign: ForeignRule, arrangement: HandArrangement, rules: Ruleset
) -> bool:
    return bool(BONUS_TESTS[foreign.when].finds(bonus_tiles(arrangement.hand, rules)))


def _is_such_a_hand(foreign: ForeignRule, arrangement: HandArrangement, rules: Ruleset) -> bool:
    """Return whether the test holds; loose tiles of a losing hand count for it, too."""
    bits = 0
    for each in arrangement.sets:
        bits |= trait_bits(each)
    return HAND_TESTS[foreign.when].holds(arrangement, HAND_TRAITS[bits], rules)


_TESTS = MappingProxyType[RuleSubject, Callable[[ForeignRule, HandArrangement, Ruleset], bool]](
    {
        "set": _has_such_a_set,
        "bonus": _has_such_bonus_tiles,
        "hand": _is_such_a_hand,
        "win": lambda foreign, arrangement, rules: _is_way(foreign, arrangement.hand),
    }
)


def _list_worths(foreign: ForeignRule) -> Iterator[Message]:
    """Yield what a foreign rule gives where it counts: points, doubles or the limit."""
    if foreign.points:
        yield message("foreign-worth.points", count=foreign.points)
    if foreign.doubles:
        yield message("foreign-worth.doubles", count=foreign.doubles)
    if foreign.limit:
        yield message("foreign-worth.limit")


def describe_foreign_rule(foreign: ForeignRule, rules: Ruleset) -> Message:
    """Return the sentence: what it is and gives, where it counts, and that it does not here.

    What these rules call the same is counted here, too, but differently.
    """
    differs = any(rule.heading == foreign.label for rule in rules.rules)
    claim = "elsewhere.differs" if differs else "elsewhere.claim"
    return message(
        "elsewhere.choice" if foreign.option else claim,
        label=foreign.label,
        worth=tuple(_list_worths(foreign)),
        families=tuple(message(f"family.{each}") for each in foreign.families),
        rules=rules.title,
    )
