"""What the scorer says: every kind of sentence that it can hand to the page, really emitted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise

from scorer.breakdown import Breakdown
from scorer.diff import describe_diff, diff
from scorer.errors import HandError, NotationError, ScorerError
from scorer.hand import Hand
from scorer.match.game import Game
from scorer.match.penalties import PENALTIES
from scorer.match.settlement import Terms, settle
from scorer.message import Words
from scorer.notation import parse_hand
from scorer.ruleset import PaymentFigures
from scorer.rulesets.builtin import load_builtin
from scorer.score import score
from scorer.tile_names import describe_set
from scorer.what_if import describe_outcome, what_if
from tests.scorer import test_diff, test_notation
from tests.scorer.explain import test_uncounted_rules
from tests.scorer.match import test_game, test_reachable_scores, test_settlement
from tests.scorer.test_cases import CASES, UNREADABLE
from tests.scorer.validate import test_problems

PLAYERS = frozenset({"Ann", "Bob", "Cy", "Di", "Eve", "Zoe"})
"""Everybody who is named."""

EVERY_DEAL = 12
"""One in so many hands is asked what it would be otherwise."""

MORE_HANDS = (
    "| B222 C345 O777 B888 O99 | won=heaven+wall",
    "| B222 C345 O777 B888 O99 | seat=S won=earth original-call",
    "B222 C333 B444 | O555 DRR | F1 won=wall players=2",
    "| B1234567 C12345 O123 |",
)
"""What no table of the scorer's tests has: two origins, too early a call, one double, too many."""


@cache
def everything() -> tuple[Words, ...]:
    """Return every different text, in the order of their coming."""
    return tuple(
        dict.fromkeys(
            text
            for source in (_of_hands, _of_texts, _of_differences, _of_payments, _of_games)
            for text in source()
        )
    )


@cache
def hands() -> tuple[Hand, ...]:
    """Return the hands of all tables of the scorer's tests, the refused ones too."""
    texts = [case.hand for case in CASES.values() if case.error != UNREADABLE]
    texts += [row[0] for row in (*test_problems.REFUSED_HANDS, *test_problems.REMARKS)]
    texts += [row[0] for row in (*test_problems.WARNINGS, *test_uncounted_rules.ROWS)]
    texts += MORE_HANDS
    return (*map(parse_hand, dict.fromkeys(texts)), *(row[0] for row in test_problems.BEYOND_TEXT))


def _of_hands() -> Iterator[Words]:
    for hand in hands():
        try:
            yield from _of_a_score(score(hand))
        except HandError as failure:
            yield from _of_a_failure(failure)


def _of_a_score(breakdown: Breakdown) -> Iterator[Words]:
    yield from (each.reason for each in breakdown.not_counted)
    yield from (each.message for each in breakdown.problems)
    for way in breakdown.compared:
        yield way.label
        yield way.working
    yield from (describe_set(each) for each in breakdown.sets if each.kind != "loose")
    for line in breakdown.lines:
        yield line.label
        yield line.sentence
    yield from (each.name for each in breakdown.nearest)
    yield from (each.sentence for each in breakdown.options)
    yield breakdown.notice


def _of_a_failure(failure: ScorerError) -> Iterator[Words]:
    yield from (each.message for each in failure.problems)


def _of_texts() -> Iterator[Words]:
    for text, *_ in test_notation.REFUSALS:
        try:
            parse_hand(text)
        except NotationError as failure:
            yield from _of_a_failure(failure)


def _of_differences() -> Iterator[Words]:
    for row in test_diff.ROWS:
        yield from describe_diff(diff(score(parse_hand(row[0])), score(parse_hand(row[1]))))
    scores: list[Breakdown] = []
    for hand in hands()[::EVERY_DEAL]:
        try:
            scores.append(score(hand))
            yield from (each for choice in what_if(hand) for each in describe_outcome(choice))
        except HandError:
            continue
    for one, other in pairwise(scores):
        yield from describe_diff(diff(one, other))


def _of_payments() -> Iterator[Words]:
    names = dict(zip("ESWN", ("Ann", "Bob", "Cy", "Di"), strict=True))
    for scores, winner, *_ in test_settlement.EXAMPLES:
        for terms in (Terms(), Terms(in_full=True), Terms(double="S")):
            for called in ({}, names):
                settlement = settle(scores, winner, terms=terms, names=called)
                yield from (each.why for each in settlement.payments)
    for seat, points, *_ in test_reachable_scores.DOUBTS:
        yield from (each.message for each in test_reachable_scores.find_doubts(seat, points))
    for scores, winner, players, *_ in test_settlement.ERRORS:
        try:
            settle(scores, winner, players=players)
        except ScorerError as failure:
            yield from _of_a_failure(failure)
    for penalty in PENALTIES.values():
        yield penalty.label
        for figures in (PaymentFigures(misnamed=50), PaymentFigures(20, 20, 300)):
            yield penalty.describe(replace(load_builtin("bmja"), payments=figures))


def _of_games() -> Iterator[Words]:
    for setup, *_ in test_game.SETUPS:
        try:
            Game(**setup)
        except ScorerError as failure:
            yield from _of_a_failure(failure)
    east_loses = [test_game.won_deal(test_game.FOUR[(deal + 1) % 4]) for deal in range(17)]
    course = Game(test_game.FOUR, log=tuple(east_loses)).course
    yield from (each.message for each in course.problems)
    for log, *_ in test_game.BAD_LOGS:
        try:
            Game(test_game.FOUR, log=tuple(log)).course  # noqa: B018
        except ScorerError as failure:
            yield from _of_a_failure(failure)
