"""What a player might have done better in a deal: the moves that the coach's figures speak against.

>>> from scorer.play.setup import DealSetup
>>> from scorer.rulesets.builtin import load_builtin
>>> deal = PracticeDeal(DealSetup(seed=7), load_builtin("bmja"))
>>> deal.play(Move("E", "discard", (deal.players["E"].concealed[0],)))
>>> review = review_moves(deal, "E")
>>> review.moves, len(review.turning_points) <= 1
(1, True)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorer.message import Message
from scorer.play.coach import CoachChoice, advise, warn_after
from scorer.play.deal import PracticeDeal
from scorer.play.moves import Move
from scorer.play.view import View, make_view

MAX_TURNING_POINTS = 3

LOSSES = ("coach.gave-mah-jong", "coach.gave-tile", "", "coach.gave-help")
"""What a move gave away, the most first; empty for a claim that was passed over."""


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A move that gave much away, and what would have been better."""

    number: int
    """Its place among the player's moves, counted from 1."""
    view: View
    """What the player saw before it."""
    move: Move
    loss: Message | None
    """What it gave away; None for a claim that was passed over."""
    better: CoachChoice


@dataclass(frozen=True, slots=True)
class DealReview:
    """How a player's moves compare with the coach's figures."""

    moves: int
    """The moves where there was a choice."""
    good_moves: int
    """Those of them that gave nothing much away."""
    turning_points: tuple[TurningPoint, ...]
    """Those that gave most away, in the order of play."""


def review_moves(deal: PracticeDeal, seat: str) -> DealReview:
    """Return how a player's moves compare with the coach's figures; the deal is played again.

    In a goulash the coach names no figures, so no move is counted.
    """
    if deal.setup.goulash:
        return DealReview(0, 0, ())
    views = [(view, move) for view, move in _play_again(deal, seat) if len(view.moves) > 1]
    lapses = [
        point
        for number, (view, move) in enumerate(views, 1)
        if (point := _find_lapse(number, view, move))
    ]
    worst = sorted(lapses, key=_rank)[:MAX_TURNING_POINTS]
    points = tuple(sorted(worst, key=lambda point: point.number))
    return DealReview(len(views), len(views) - len(lapses), points)


def _play_again(deal: PracticeDeal, seat: str) -> Iterator[tuple[View, Move]]:
    """Yield what a player saw before each own move, and the move."""
    copy = PracticeDeal(deal.setup, deal.rules)
    for move in deal.moves:
        if move.seat == seat:
            yield make_view(copy, seat), move
        copy.play(move)


def _find_lapse(number: int, view: View, move: Move) -> TurningPoint | None:
    """Return the point if the move gave much away."""
    better = advise(view)[0]
    loss = warn_after(view, move)
    passes_claim = move.kind == "pass" and better.move.kind in ("chow", "pung", "kong")
    if loss or passes_claim:
        return TurningPoint(number, view, move, loss, better)
    return None


def _rank(point: TurningPoint) -> tuple[int, int]:
    """Return a sort key: the worst loss first, then the hand that lacked the fewest tiles."""
    return LOSSES.index(point.loss.key if point.loss else ""), point.better.missing
