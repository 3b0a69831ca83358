"""Write a score as a sum in signs, and list the other ways of scoring the hand.

Several ways are compared, as ordinary or as special hands (BMJA-H06, S08, F03).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from scorer.breakdown import Breakdown, Line
from scorer.message import Message, message, plain


class Sum(Protocol):
    """The parts of a sum."""

    @property
    def points(self) -> int:
        """The points of the hand."""

    @property
    def doubles(self) -> int:
        """The doubles of the hand."""

    @property
    def bonus_points(self) -> int:
        """The points of bonus tiles that are summed apart."""

    @property
    def bonus_doubles(self) -> int:
        """The doubles of bonus tiles that are summed apart."""


def sum_text(breakdown: Breakdown) -> Message:
    """Return the sum of a score, written out.

    >>> from scorer.notation import parse_hand
    >>> from scorer.score import score
    >>> from scorer.message import english
    >>> text = "B888 DRRR | O234 C55 O777 | F2 won=discard with=O7"
    >>> english(sum_text(score(parse_hand(text))))
    '20 + 4 + 2 + 2 + 4 = 32 · ×2 = 64'
    >>> english(sum_text(score(parse_hand("| B19 C19 O19 WESWN DRGWW | won=wall limit=500"))))
    '1000 (limit 500)'
    """
    hand = [line.points for line in breakdown.lines if line.points and line.part == "hand"]
    apart = [line.points for line in breakdown.lines if line.points and line.part == "bonus"]
    text = plain(written(hand, breakdown.doubles))
    if apart:
        worth = (breakdown.base << breakdown.doubles) + (
            breakdown.bonus_base << breakdown.bonus_doubles
        )
        bonus = written(apart, breakdown.bonus_doubles)
        text = message("sum.bonus", hand=text, bonus=bonus, all=worth)
    if breakdown.limited:
        return message("sum.limited", hand=text, limit=breakdown.total)
    return text


def written(points: Sequence[int], doubles: int = 0) -> str:
    """Write points added up and doubled, in signs that need no translation.

    >>> written([8, 4]), written([20]), written([24], 2), written([])
    ('8 + 4 = 12', '20', '24 · ×2 ×2 = 96', '0')
    """
    text = " + ".join(map(str, points)) or "0"
    if len(points) > 1:
        text += f" = {sum(points)}"
    if doubles:
        text += f" · {signs(doubles)} = {sum(points) << doubles}"
    return text


def signs(doubles: int) -> str:
    """Write doubles in signs: `×2 ×2`."""
    return " ".join(["×2"] * doubles)


def amount(line: Line) -> str:
    """Write what a line gives: its doubles in signs, or its points."""
    return signs(line.doubles) or str(line.points)


def working(way: Sum, limit: int | None) -> Message:
    """Write the sum of a way of scoring in short: `44 · ×2 ×2 = 176`."""
    text = plain(written([way.points], way.doubles))
    worth = (way.points << way.doubles) + (way.bonus_points << way.bonus_doubles)
    if way.bonus_points:
        bonus = written([way.bonus_points], way.bonus_doubles)
        text = message("sum.bonus", hand=text, bonus=bonus, all=worth)
    if limit is not None and worth > limit:
        return message("sum.limited", hand=text, limit=limit)
    return text
