"""Characters, winds and dragons: the faces that are written."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .beasts import dragon_beast
from .dice import Dice
from .frames import white_dragon
from .shapes import Colour, Ink, Shape, fit, moved
from .style import Style
from .warp import by_another_hand, fitted
from .writing import sign_shapes

Box = tuple[float, float, float, float]

_NUMERALS = "一二三四五六七八九"
_WINDS = {"S": "南", "W": "西", "N": "北"}


def characters(rank: int, box: Box, style: Style) -> tuple[Shape, ...]:
    """Return a numeral over the sign for ten thousand."""
    left, top, right, bottom = box
    sign = style.five if rank == 5 else _NUMERALS[rank - 1]
    middle, height = (left + right) / 2, bottom - top
    upper = _square(middle, top + height * 0.22, height * 0.45)
    lower = _square(middle, top + height * 0.74, height * 0.54)
    ink = style.red if style.red_fives and rank == 5 else style.ink(style.numeral_ink)
    return (
        *written(sign, upper, style, ink),
        *written(style.wan, lower, style, style.ink(style.wan_ink)),
    )


def wind(rank: str, box: Box, style: Style) -> tuple[Shape, ...]:
    """Return a wind's character."""
    return _alone(
        style.east if rank == "E" else _WINDS[rank], box, style, style.ink(style.wind_ink)
    )


def dragon(rank: str, box: Box, style: Style) -> tuple[Shape, ...]:
    """Return the red or green dragon's character or the white dragon's frame."""
    if rank == "W":
        return white_dragon(box, style)
    ink = style.red if rank == "R" else fortune_ink(style)
    if style.beasts:
        return _beast(ink, box, style)
    if rank == "R":
        return _alone("中", box, style, ink)
    by = replace(style, hand=style.fortune_hand or style.hand)
    return _alone(style.fortune, box, by, ink)


def fortune_ink(style: Style) -> Colour:
    """Return the ink of the green dragon, which is green in most sets only."""
    return style.green if style.fortune_ink is None else style.fortune_ink


def written(sign: str, box: Box, style: Style, ink: Ink) -> tuple[Shape, ...]:
    """Return one Chinese character in a box."""
    return moved(sign_shapes(sign, style.hand, ink), fit(box))


def _beast(ink: Colour, box: Box, style: Style) -> tuple[Shape, ...]:
    """Return a dragon as American makers draw it; a set's red and green are the same beast."""
    left, top, right, bottom = box
    dice = Dice(np.random.default_rng([style.seed, 2]))
    drawn = by_another_hand(dragon_beast(ink, dice), dice, (100.0, 130.0), style.bend)
    size = (right - left, bottom - top)
    return moved(fitted(drawn, size), fit((left, top, left + 100, top + 100)))


def _alone(sign: str, box: Box, style: Style, ink: Ink) -> tuple[Shape, ...]:
    left, top, right, bottom = box
    middle, centre = (left + right) / 2, (top + bottom) / 2
    half = min(right - left, (bottom - top) * 0.72) / 2
    return written(sign, (middle - half, centre - half * 1.2, middle + half, centre + half * 1.2),
                   style, ink)  # fmt: skip


def _square(x: float, y: float, size: float) -> Box:
    return x - size * 0.53, y - size / 2, x + size * 0.53, y + size / 2
