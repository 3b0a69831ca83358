"""Makes the hands of a level: drawn by chance, kept where they teach what the level promises."""

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
"""Draws before a level is given up; on average one to nine are enough."""

LAST = 999_999
"""The number of the last hand; the first follows it."""

ASKED_OF_EVERY_WINNER = "declare-fishing"
"""What a table that wants fishing declared is reminded of (BMJA-C11)."""


class NoExerciseError(Exception):
    """A level that there is not, or that these rules leave nothing to practise in."""


def seed_of(text: str) -> int:
    """Return the number of a hand, from 0 to `LAST`; raise NoExerciseError for anything else."""
    seed = whole(text, 0, LAST)
    if seed is None:
        raise NoExerciseError(text)
    return seed


@dataclass(frozen=True, slots=True)
class Made:
    """The hands of one exercise: the same for the same level, seed and rules, on any machine."""

    level: PracticeLevel
    seed: int
    rules: Ruleset
    hands: tuple[Hand, ...]
    """One; or four, by seat from East on, one of which won."""


def make(key: str, seed: int, rules: Ruleset) -> Made:
    """Return what a level holds under this number; raise NoExerciseError."""
    level = next((each for each in levels(rules) if each.key == key), None)
    if level is None:
        raise NoExerciseError(key)
    dice = SeededDice(f"{rules.name}/{key}/{seed}")
    draw = _table if level.asks == "payments" else _one_hand
    for _ in range(TRIES):
        hands = draw(level, dice, rules)
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
    """Return whether the scorer has nothing to ask about the hand."""
    problems = score(hand, rules).problems
    return all(problem.code == ASKED_OF_EVERY_WINNER for problem in problems)


def _step_by_step(level: PracticeLevel, found: Counted) -> bool:
    """Return whether an ordinary hand has a rule of this level, and none of later ones."""
    best = found.best
    rules = found.at_work(best)
    return (
        found.special is None
        and best.within(found.limit) == best.worth
        and rules <= known_at(level.key)
        and not rules.isdisjoint(level.teaches)
    )


def _beyond_the_limit(level: PracticeLevel, found: Counted) -> bool:
    """Return whether the limit cuts an ordinary hand, or is not far off."""
    best, limit = found.best, found.limit
    return found.special is None and limit is not None and best.worth * 3 > limit


def _of_a_value(level: PracticeLevel, found: Counted) -> bool:
    special = found.best.special
    return special is not None and bool(special.value)


def _both_ways(level: PracticeLevel, found: Counted) -> bool:
    """Return whether a hand is special and ordinary, and the one is clearly worth more."""
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
"""What must hold of a hand for what is asked about it."""


def _table(level: PracticeLevel, dice: SeededDice, rules: Ruleset) -> tuple[Hand, ...]:
    """Return four hands of one set of tiles, one of which won."""
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
    """Return whether one set of tiles holds all the hands (BMJA-T04)."""
    held = Counter(code for hand in hands for code in (*hand.tiles, *hand.bonus))
    return all(count <= copies(BY_CODE[code]) for code, count in held.items())
