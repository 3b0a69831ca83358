"""Make exercises: draw hands that teach what a level promises, and ask about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from scorer.hand import Hand
from scorer.ruleset import Ruleset
from scorer.score import score
from scorer.teach.practice.counting import Counted, counted
from scorer.teach.practice.dealing import deal
from scorer.teach.practice.dice import SeededDice
from scorer.teach.practice.levels import LOSERS, WINNERS, Asks, PracticeLevel, known_at, levels
from scorer.tiles import BY_CODE, WINDS, copies
from scorer.whole import whole

TRIES = 1000
"""Attempts before giving up; on average one to nine are enough."""

LAST = 999_999
"""The number of the last hand of a level; the first follows it."""

ASKED_OF_EVERY_WINNER = "declare-fishing"
"""The warning that every winner gets where fishing must be declared (BMJA-C11)."""


class NoExerciseError(Exception):
    """Raised for an unknown level, or one with nothing to practise under these rules."""


def seed_of(text: str) -> int:
    """Return the number of a hand, from 0 to `MAX_SEED`; else raise NoExerciseError."""
    seed = whole(text, 0, LAST)
    if seed is None:
        raise NoExerciseError(text)
    return seed


@dataclass(frozen=True, slots=True)
class Made:
    """The hands of one exercise, always the same for a level, seed and ruleset."""

    level: PracticeLevel
    seed: int
    rules: Ruleset
    hands: tuple[Hand, ...]
    """One hand, or four by seat from East, one of which won."""


def make(key: str, seed: int, rules: Ruleset) -> Made:
    """Return the hands of a level with this seed; raise NoExerciseError."""
    level = next((each for each in levels(rules) if each.key == key), None)
    if level is None:
        raise NoExerciseError(key)
    dice = SeededDice(f"{rules.name}/{key}/{seed}")
    draw_once = _table if level.asks == "payments" else _one_hand
    for _ in range(TRIES):
        hands = draw_once(level, dice, rules)
        if hands:
            return Made(level, seed, rules, hands)
    raise NoExerciseError(key)


def _one_hand(level: PracticeLevel, dice: SeededDice, rules: Ruleset) -> tuple[Hand, ...]:
    hand = deal(dice.pick(level.recipes), dice, rules)
    if hand is None:
        return ()
    found = counted(hand, rules)
    if not found.ways or not PROMISES[level.asks](level, found):
        return ()
    return (hand,) if _is_plain(hand, rules) else ()


def _is_plain(hand: Hand, rules: Ruleset) -> bool:
    """Return whether the scorer has no question about the hand."""
    problems = score(hand, rules).problems
    return all(problem.code == ASKED_OF_EVERY_WINNER for problem in problems)


def _step_by_step(level: PracticeLevel, found: Counted) -> bool:
    """Return whether an ordinary hand uses a rule of this level, and none of later ones."""
    best = found.best
    rules = found.at_work(best)
    return (
        found.special is None
        and best.within(found.limit) == best.worth
        and rules <= known_at(level.key)
        and not rules.isdisjoint(level.teaches)
    )


def _beyond_the_limit(level: PracticeLevel, found: Counted) -> bool:
    """Return whether an ordinary hand scores more than a third of the limit."""
    best, limit = found.best, found.limit
    return found.special is None and limit is not None and best.worth * 3 > limit


def _of_a_value(level: PracticeLevel, found: Counted) -> bool:
    special = found.best.special
    return special is not None and bool(special.value)


def _both_ways(level: PracticeLevel, found: Counted) -> bool:
    """Return whether a hand is special and ordinary, with different scores."""
    ordinary, special = found.ordinary, found.special
    return (
        ordinary is not None
        and special is not None
        and special.special is not None
        and not ordinary.bonus_points
        # A winner's fixed value is always more than its sum.
        and not (found.hand.winner and special.special.value)
        and ordinary.within(found.limit) != special.within(found.limit)
    )


PROMISES: Mapping[Asks, Callable[[PracticeLevel, Counted], bool]] = MappingProxyType(
    {
        "points": _step_by_step,
        "doubles": _step_by_step,
        "limit": _beyond_the_limit,
        "special": _of_a_value,
        "both": _both_ways,
    }
)
"""The condition that a hand must meet, by what is asked about it."""


def _table(level: PracticeLevel, dice: SeededDice, rules: Ruleset) -> tuple[Hand, ...]:
    """Return four hands from one set of tiles, one of which won; empty if none were found."""
    winner, prevailing = dice.pick(tuple(WINDS)), dice.pick(tuple(WINDS))
    hands: list[Hand] = []
    for wind in WINDS:
        recipe = WINNERS if wind == winner else LOSERS
        for _ in range(TRIES):
            hand = deal(recipe, dice, rules)
            if hand is None or not _fit([*hands, hand]):
                continue
            hand = replace(hand, seat_wind=wind, prevailing_wind=prevailing)
            if _is_ordinary(hand, rules):
                hands.append(hand)
                break
    return tuple(hands) if len(hands) == len(WINDS) else ()


def _is_ordinary(hand: Hand, rules: Ruleset) -> bool:
    found = counted(hand, rules)
    return bool(found.ways) and found.special is None and _is_plain(hand, rules)


def _fit(hands: list[Hand]) -> bool:
    """Return whether one set of tiles has enough tiles for all the hands (BMJA-T04)."""
    held = Counter(code for hand in hands for code in (*hand.tiles, *hand.bonus))
    return all(count <= copies(BY_CODE[code]) for code, count in held.items())
