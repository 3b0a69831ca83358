"""A score in words and signs, for people to follow."""

from __future__ import annotations

from scorer.breakdown import Breakdown


def sum_text(breakdown: Breakdown) -> str:
    """Return the sum written out.

    >>> from scorer.notation import parse_hand
    >>> from scorer.score import score
    >>> sum_text(score(parse_hand("B888 DRRR | O234 C55 O777 | F2 won=discard with=O7")))
    '20 + 4 + 2 + 2 + 4 = 32 · ×2 = 64'
    """
    points = [line.points for line in breakdown.lines if line.points]
    text = " + ".join(map(str, points)) or "0"
    if len(points) > 1:
        text += f" = {breakdown.base}"
    if breakdown.doubles:
        times = " ".join(["×2"] * breakdown.doubles)
        text += f" · {times} = {breakdown.base << breakdown.doubles}"
    return f"{text} (limit {breakdown.total})" if breakdown.limited else text
