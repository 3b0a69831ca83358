"""Sums written out in signs, for any language."""

from __future__ import annotations

from collections.abc import Sequence


def added(figures: Sequence[int]) -> str:
    """Return an addition.

    >>> added([8, 4]), added([20]), added([])
    ('8 + 4 = 12', '20', '0')
    """
    text = " + ".join(map(str, figures)) or "0"
    return f"{text} = {sum(figures)}" if len(figures) > 1 else text


def doubled(points: int, doubles: int) -> str:
    """Return points doubled so often.

    >>> doubled(24, 2), doubled(24, 0)
    ('24 · ×2 ×2 = 96', '24')
    """
    if not doubles:
        return str(points)
    return f"{points} · {' '.join(['×2'] * doubles)} = {points << doubles}"


def compared(worth: int, limit: int) -> str:
    """Return which of two is more.

    >>> compared(1280, 1000), compared(960, 1000)
    ('1280 > 1000', '960 ≤ 1000')
    """
    return f"{worth} {'>' if worth > limit else '≤'} {limit}"
