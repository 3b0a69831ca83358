"""Make exercises: draw hands that teach what a level promises, and ask about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from scorer.breakdown import Score
from scorer.hand import Hand
from scorer.match.settlement import NO_NAMES
from scorer.parsing import parse_int
from scorer.ruleset import Ruleset
from scorer.score import score
from scorer.teach.practice.levels import (
    DEAL_LEVEL,
    LOSER_RECIPE,
    WINNER_RECIPE,
    Asks,
    PracticeLevel,
    levels_for,
    rule_ids,
    rules_known_at,
)
from scorer.teach.practice.payment_questions import payment_steps
from scorer.teach.practice.practice_hand import (
    PracticeHand,
    make_practice_hand,
    make_small_practice_hand,
)
from scorer.teach.practice.questions import QuestionStep
from scorer.teach.practice.random_hands import SeededDice, deal_hand
from scorer.teach.practice.score_questions import double_steps, limit_step, point_steps
from scorer.teach.practice.special_questions import both_steps, special_steps
from scorer.tiles import BY_CODE, WINDS, copies_in_set

MAX_DRAWS = 1000
"""Attempts before giving up; on average one to nine are enough."""

MAX_SEED = 999_999
"""The number of the last hand of a level; the first follows it."""

ROUTINE_WARNING_CODE = "declare-fishing"
"""The warning that every winner gets where fishing must be declared (BMJA-C11)."""


class NoExerciseError(Exception):
    """Raised for an unknown level, or one with nothing to practise under these rules."""


class NoHandsError(NoExerciseError):
    """Raised for a level for which no hand was found: a low limit cuts all that it teaches."""


def parse_seed(text: str) -> int:
    """Return the number of a hand, from 0 to `MAX_SEED`; else raise NoExerciseError."""
    seed = parse_int(text, 0, MAX_SEED)
    if seed is None:
        raise NoExerciseError(text)
    return seed


@dataclass(frozen=True, slots=True)
class DrawnHands:
    """The hands of one exercise, always the same for a level, seed and ruleset."""

    level: PracticeLevel
    seed: int
    rules: Ruleset
    hands: tuple[Hand, ...]
    """One hand, or four by seat from East, one of which won."""


def draw(key: str, seed: int, rules: Ruleset) -> DrawnHands:
    """Return the hands of a level with this seed; raise NoExerciseError."""
    level = next((each for each in levels_for(rules) if each.key == key), None)
    if level is None:
        raise NoExerciseError(key)
    dice = SeededDice(f"{rules.name}/{key}/{seed}")
    draw_once = _draw_four_hands if level.asks == "payments" else _draw_one_hand
    for _ in range(MAX_DRAWS):
        hands = draw_once(level, dice, rules)
        if hands:
            return DrawnHands(level, seed, rules, hands)
    raise NoHandsError(key)


def _draw_one_hand(level: PracticeLevel, dice: SeededDice, rules: Ruleset) -> tuple[Hand, ...]:
    hand = deal_hand(dice.pick(level.recipes), dice, rules)
    if hand is None:
        return ()
    practice_hand = make_practice_hand(hand, rules)
    if not practice_hand.ways or not LEVEL_CONDITIONS[level.asks](level, practice_hand):
        return ()
    return (hand,) if _is_plain(hand, rules) else ()


def _is_plain(hand: Hand, rules: Ruleset) -> bool:
    """Return whether the scorer has no question about the hand."""
    problems = score(hand, rules).problems
    return all(problem.code == ROUTINE_WARNING_CODE for problem in problems)


def _teaches_this_level(level: PracticeLevel, practice_hand: PracticeHand) -> bool:
    """Return whether an ordinary hand uses a rule of this level, and none of later ones."""
    best = practice_hand.best
    rules = practice_hand.rules_at_work(best)
    return (
        practice_hand.special is None
        and best.capped_score(practice_hand.limit) == best.worth
        and rules <= rules_known_at(level.key)
        and not rules.isdisjoint(level.teaches)
    )


def _is_near_limit(level: PracticeLevel, practice_hand: PracticeHand) -> bool:
    """Return whether an ordinary hand scores more than a third of the limit."""
    best, limit = practice_hand.best, practice_hand.limit_in_force
    return practice_hand.special is None and limit is not None and best.worth * 3 > limit


def _has_fixed_value(level: PracticeLevel, practice_hand: PracticeHand) -> bool:
    special = practice_hand.best.special
    return special is not None and bool(special.value)


def _counts_both_ways(level: PracticeLevel, practice_hand: PracticeHand) -> bool:
    """Return whether a hand is special and ordinary, with different scores."""
    ordinary, special = practice_hand.ordinary, practice_hand.special
    return (
        ordinary is not None
        and special is not None
        and special.special is not None
        and not ordinary.bonus_points
        # A winner's fixed value is always more than its sum.
        and not (practice_hand.hand.winner and special.special.value)
        and ordinary.capped_score(practice_hand.limit) != special.capped_score(practice_hand.limit)
    )


LEVEL_CONDITIONS: Mapping[Asks, Callable[[PracticeLevel, PracticeHand], bool]] = MappingProxyType(
    {
        "points": _teaches_this_level,
        "doubles": _teaches_this_level,
        "limit": _is_near_limit,
        "special": _has_fixed_value,
        "both": _counts_both_ways,
    }
)
"""The condition that a hand must meet, by what is asked about it."""


def _draw_four_hands(level: PracticeLevel, dice: SeededDice, rules: Ruleset) -> tuple[Hand, ...]:
    """Return a winner and three losers from one set of tiles; empty if none were found."""
    winner, prevailing = dice.pick(tuple(WINDS)), dice.pick(tuple(WINDS))
    hands: list[Hand] = []
    for wind in WINDS:
        recipe = WINNER_RECIPE if wind == winner else LOSER_RECIPE
        for _ in range(MAX_DRAWS):
            hand = deal_hand(recipe, dice, rules)
            if hand is None or not _fit_one_tile_set([*hands, hand]):
                continue
            hand = replace(hand, seat_wind=wind, prevailing_wind=prevailing)
            if _is_ordinary(hand, rules):
                hands.append(hand)
                break
    return tuple(hands) if len(hands) == len(WINDS) else ()


def _is_ordinary(hand: Hand, rules: Ruleset) -> bool:
    practice_hand = make_practice_hand(hand, rules)
    return bool(practice_hand.ways) and practice_hand.special is None and _is_plain(hand, rules)


def _fit_one_tile_set(hands: list[Hand]) -> bool:
    """Return whether one set of tiles has enough tiles for all the hands (BMJA-T04)."""
    counts = Counter(code for hand in hands for code in (*hand.tiles, *hand.bonus))
    return all(count <= copies_in_set(BY_CODE[code]) for code, count in counts.items())


@dataclass(frozen=True, slots=True)
class Exercise:
    """The hands that a player gets, and the questions about them."""

    drawn_hands: DrawnHands
    table: tuple[PracticeHand, ...]
    """One hand, or four by seat from East."""
    steps: tuple[QuestionStep, ...]

    @property
    def question_count(self) -> int:
        """The number of questions."""
        return sum(len(step.questions) for step in self.steps)


def make_exercise(key: str, seed: int, rules: Ruleset) -> Exercise:
    """Return the exercise of a level and a seed, always the same; raise NoExerciseError.

    >>> from scorer.rulesets.builtin import load_builtin
    >>> [step.key for step in make_exercise("doubles", 1, load_builtin("bmja")).steps]
    ['points', 'sum', 'doubles', 'count', 'product']
    """
    drawn_hands = draw(key, seed, rules)
    table = tuple(make_practice_hand(hand, rules) for hand in drawn_hands.hands)
    return Exercise(drawn_hands, table, tuple(_make_steps(drawn_hands.level, table, seed)))


def make_deal_exercise(
    hands: tuple[Hand, ...],
    rules: Ruleset,
    small_scores: tuple[Score, ...] = (),
    names: Mapping[str, str] = NO_NAMES,
) -> Exercise:
    """Return the questions about a deal that was played: one hand's score, or who pays whom.

    A small game's hands come with their scores; players may have names by seat. Raises
    NoExerciseError for what the questions cannot ask: a hand without points or with the doubles
    of a special hand.
    """
    if small_scores:
        pairs = zip(hands, small_scores, strict=True)
        table = tuple(make_small_practice_hand(hand, rules, each) for hand, each in pairs)
    else:
        table = tuple(make_practice_hand(hand, rules) for hand in hands)
    if not all(each.ways for each in table):
        raise NoExerciseError(DEAL_LEVEL.key)
    if len(table) == 1:
        steps = _make_score_steps(table[0])
    elif rules.specials and any(hand.winner for hand in hands):
        steps = payment_steps(table, names)
    else:
        raise NoExerciseError(DEAL_LEVEL.key)
    return Exercise(DrawnHands(DEAL_LEVEL, 0, rules, hands), table, tuple(steps))


def _make_score_steps(practice_hand: PracticeHand) -> list[QuestionStep]:
    best, small_score = practice_hand.best, practice_hand.small_score
    known_rules = rule_ids(practice_hand.rules)
    if small_score:
        known_rules = frozenset(line.rule for line in small_score.lines)
    if best.special and best.special.value:
        return special_steps(practice_hand, 0)
    points = point_steps(practice_hand, best, known_rules)
    if best.special or not points[0].questions:
        raise NoExerciseError(DEAL_LEVEL.key)
    doubles = double_steps(practice_hand, best, known_rules, points)
    if not doubles[0].questions:
        return points
    steps = points + doubles
    if best.capped_score(practice_hand.limit) < best.worth:
        steps += limit_step(best.worth, practice_hand.limit_in_force, "product")
    return steps


def _make_steps(
    level: PracticeLevel, table: tuple[PracticeHand, ...], seed: int
) -> list[QuestionStep]:
    practice_hand, known_rules = table[0], rules_known_at(level.key)
    if level.asks == "payments":
        return payment_steps(table)
    if level.asks == "special":
        return special_steps(practice_hand, seed)
    if level.asks == "both":
        return both_steps(practice_hand, known_rules)
    points = point_steps(practice_hand, practice_hand.best, known_rules)
    if level.asks == "points":
        return points
    steps = points + double_steps(practice_hand, practice_hand.best, known_rules, points)
    if level.asks == "limit":
        steps += limit_step(practice_hand.best.worth, practice_hand.limit_in_force, "product")
    return steps
