"""Characters, winds and dragons: the faces that are written, and the white dragon's frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import cos, pi, sin

import numpy as np

from models.train.drawing.faces.beasts import dragon_beast
from models.train.drawing.faces.dice import Dice
from models.train.drawing.faces.lettering import sign_shapes, text_shapes, text_width
from models.train.drawing.faces.shapes import (
    PAPER,
    Box,
    Circle,
    Colour,
    Ink,
    Path,
    Picture,
    Shape,
    fit,
    line,
    move,
    place,
    polygon,
    round_box,
)
from models.train.drawing.faces.style import Style, WhiteDragon
from models.train.drawing.faces.variation import fit_picture, vary_hand


def white_dragon(box: Box, style: Style) -> Picture:
    """Return the frame, letter or nothing at all that stands for the white dragon."""
    left, top, right, bottom = box
    middle, centre = (left + right) / 2, (top + bottom) / 2
    half, tall = 17.5 * style.white_size, min(26.0 * style.white_size, (bottom - top) / 2)
    outer = (middle - half, centre - tall, middle + half, centre + tall)
    return _FRAMES[style.white](outer, style) + _frame_sign(outer, style)


def _frame_sign(outer: Box, style: Style) -> Picture:
    """Return the letter or sign that some makers put into their frame."""
    sign = style.white_sign
    if not sign or style.white == "blank":
        return ()
    middle, centre = (outer[0] + outer[2]) / 2, (outer[1] + outer[3]) / 2
    ink = style.ink(style.white_sign_ink)
    if not sign.isascii():
        return move(sign_shapes(sign, style.hand, ink),
                     fit((middle - 9, centre - 10, middle + 9, centre + 10)))  # fmt: skip
    high = min(18.0, 18.0 * 20 / text_width(sign, 18, style.index_type))
    wide = text_width(sign, high, style.index_type)
    transform = place(middle - wide / 2, centre - high / 2)
    return move(text_shapes(sign, high, style.index_type, ink), transform)


def _shrink(box: Box, amount: float) -> Box:
    return box[0] + amount, box[1] + amount, box[2] - amount, box[3] - amount


def _rim(box: Box, ink: Ink, width: float, radius: float = 3.0) -> Path:
    return Path((round_box(box, radius),), ink, width, smooth=True)


def _blank(outer: Box, style: Style) -> Picture:
    return ()


def _plain(outer: Box, style: Style) -> Picture:
    return (_rim(outer, style.ink(style.white_ink), 2.6 * style.boldness),)


def _double(outer: Box, style: Style) -> Picture:
    ink = style.ink(style.white_ink)
    return (*_plain(outer, style), _rim(_shrink(outer, 5), ink, 1.2 * style.boldness, 2))


def _corners(outer: Box, style: Style) -> Picture:
    inner = Path(
        (_notched_corners(_shrink(outer, 5)),), style.ink(style.white_ink), 1.5 * style.boldness
    )
    return (*_plain(outer, style), inner)


def _cut(outer: Box, style: Style) -> Picture:
    """Return a double frame whose inner corners are cut off by quarter rings."""
    ink, bold = style.ink(style.white_ink), style.boldness
    left, top, right, bottom = _shrink(outer, 4.5)
    cut = 4.0
    inner = polygon(
        [(left + cut, top), (right - cut, top), (right, top + cut), (right, bottom - cut),
         (right - cut, bottom), (left + cut, bottom), (left, bottom - cut), (left, top + cut)], ink
    )  # fmt: skip
    spots = ((x, y) for x in (left + 1, right - 1) for y in (top + 1, bottom - 1))
    return (
        *_plain(outer, style),
        Path(inner.contours, ink, 1.6 * bold),
        *(Circle(spot, 1.3 * bold, ink) for spot in spots),
    )


def _bars(outer: Box, style: Style) -> Picture:
    ink, inner = style.ink(style.white_ink), _shrink(outer, 5)
    rungs: list[Shape] = [*_plain(outer, style), _rim(inner, ink, 1.2, 1)]
    for k in range(1, 8):
        y = outer[1] + (outer[3] - outer[1]) * k / 8
        rungs += [line([(outer[0], y), (inner[0], y)], ink, 1.1)]
        rungs += [line([(inner[2], y), (outer[2], y)], ink, 1.1)]
    for k in range(1, 5):
        x = outer[0] + (outer[2] - outer[0]) * k / 5
        rungs += [line([(x, outer[1]), (x, inner[1])], ink, 1.1)]
        rungs += [line([(x, inner[3]), (x, outer[3])], ink, 1.1)]
    return tuple(rungs)


def _dashed_frame(outer: Box, style: Style) -> Picture:
    ink, width = style.ink(style.white_ink), 3.0 * style.boldness
    left, top, right, bottom = _shrink(outer, 3)
    dashes: list[Shape] = [_rim(outer, ink, 1.2 * style.boldness, 1.5)]
    for k in range(4):
        x = left + (right - left) * (k + 0.2) / 4
        dashes += [line([(x, y), (x + 4, y)], ink, width) for y in (top, bottom)]
    for k in range(6):
        y = top + (bottom - top) * (k + 0.2) / 6
        dashes += [line([(x, y), (x, y + 4)], ink, width) for x in (left, right)]
    return tuple(dashes)


def _letter(outer: Box, style: Style) -> Picture:
    ink = style.ink(style.white_ink)
    letter = style.dragon_index[2:].strip() or "P"
    middle, centre = (outer[0] + outer[2]) / 2, (outer[1] + outer[3]) / 2
    wide = text_width(letter, 22, style.index_type)
    transform = place(middle - wide / 2, centre - 11)
    return (*_plain(outer, style), *move(text_shapes(letter, 22, style.index_type, ink), transform))


def _bai(outer: Box, style: Style) -> Picture:
    left, top, right, bottom = outer
    middle, centre, half = (left + right) / 2, (top + bottom) / 2, (right - left) / 2 * 1.2
    box = (middle - half, centre - half * 1.2, middle + half, centre + half * 1.2)
    return move(sign_shapes("白", style.hand, style.ink(style.white_ink)), fit(box))


def _scrolls(outer: Box, style: Style) -> Picture:
    """Return a thin frame with a curl in every corner and waves along its sides."""
    ink, bold = style.ink(style.white_ink), style.boldness
    left, top, right, bottom = outer
    shapes: list[Shape] = [_rim(outer, ink, 1.3 * bold, 2)]
    for x, way in ((left, 1), (right, -1)):
        for y, y_sign in ((top, 1), (bottom, -1)):
            # A spiral outwards from the middle of the corner.
            turns = ((0.8, 0.0), (2.2, pi * 0.7), (3.4, pi * 1.4), (4.2, pi * 2.1))
            curl = [(x + way * (5 + r * cos(t)), y + y_sign * (5 + r * sin(t))) for r, t in turns]
            shapes.append(line(curl, ink, 1.5 * bold, smooth=True))
        wave = [(x + way * (3.2 + 1.6 * (-1) ** k), top + (bottom - top) * (k + 2) / 12)
                for k in range(9)]  # fmt: skip
        shapes.append(line(wave, ink, 1.3 * bold, smooth=True))
    for y, y_sign in ((top, 1), (bottom, -1)):
        wave = [(left + (right - left) * (k + 2.5) / 9, y + y_sign * (3.2 + 1.6 * (-1) ** k))
                for k in range(5)]  # fmt: skip
        shapes.append(line(wave, ink, 1.3 * bold, smooth=True))
    return tuple(shapes)


def _meander(outer: Box, style: Style) -> Picture:
    """Return a frame of square hooks between two lines."""
    ink, bold = style.ink(style.white_ink), style.boldness
    inner = _shrink(outer, 6.5)
    shapes: list[Shape] = [_rim(outer, ink, 1.5 * bold, 1), _rim(inner, ink, 1.3 * bold, 1)]
    left, top, right, bottom = _shrink(outer, 3.2)
    for x, way in ((left, 1.2), (right, -1.2)):
        for k in range(7):
            y = top + (bottom - top) * (k + 0.1) / 7
            shapes.append(line([(x - way, y), (x + way, y), (x + way, y + 3.4), (x - way, y + 3.4)],
                               ink, 1.2))  # fmt: skip
    for y, way in ((top, 1.2), (bottom, -1.2)):
        for k in range(1, 4):
            x = left + (right - left) * (k + 0.1) / 4
            shapes.append(line([(x, y - way), (x, y + way), (x + 3.4, y + way), (x + 3.4, y - way)],
                               ink, 1.2))  # fmt: skip
    return tuple(shapes)


def _card(outer: Box, style: Style) -> Picture:
    """Return a solid frame about a window, most often blue with something written in it."""
    ink = style.ink(style.white_ink)
    return (
        Path((round_box(outer, 3),), ink, smooth=True),
        _rim(_shrink(outer, 2.2), PAPER, 0.9, 2),
        Path((_notched_corners(_shrink(outer, 6)),), PAPER),
    )


def _two_inks(outer: Box, style: Style) -> Picture:
    other = style.ink(style.white_sign_ink)
    return (*_plain(outer, style), _rim(_shrink(outer, 4), other, 1.8 * style.boldness, 2))


def _oval(outer: Box, style: Style) -> Picture:
    ink, radius = style.ink(style.white_ink), (outer[2] - outer[0]) / 2
    inner = _shrink(outer, 4)
    return (_rim(outer, ink, 2.0 * style.boldness, radius),
            _rim(inner, ink, 1.0 * style.boldness, radius - 4))  # fmt: skip


def _beads(outer: Box, style: Style) -> Picture:
    ink = style.ink(style.white_ink)
    left, top, right, bottom = _shrink(outer, 1)
    size = 1.5 * style.boldness
    rows = (Circle((left + (right - left) * k / 7, y), size, ink)
            for k in range(8) for y in (top, bottom))  # fmt: skip
    columns = (Circle((x, top + (bottom - top) * k / 10), size, ink)
               for k in range(1, 10) for x in (left, right))  # fmt: skip
    return (*rows, *columns, _rim(_shrink(outer, 4.5), ink, 1.0 * style.boldness, 1))


def _notched_corners(box: Box) -> tuple[tuple[float, float], ...]:
    left, top, right, bottom = box
    cut = 4.0
    return ((left + cut, top), (right - cut, top), (right - cut, top + cut), (right, top + cut),
            (right, bottom - cut), (right - cut, bottom - cut), (right - cut, bottom),
            (left + cut, bottom), (left + cut, bottom - cut), (left, bottom - cut),
            (left, top + cut), (left + cut, top + cut))  # fmt: skip


_FRAMES: dict[WhiteDragon, Callable[[Box, Style], Picture]] = {
    "double": _double, "corners": _corners, "bars": _bars, "dashed": _dashed_frame, "plain": _plain,
    "blank": _blank, "letter": _letter, "bai": _bai, "cut": _cut, "scrolls": _scrolls,
    "meander": _meander, "card": _card, "two inks": _two_inks, "oval": _oval, "beads": _beads,
}  # fmt: skip


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
        *write_sign(sign, upper, style, ink),
        *write_sign(style.wan, lower, style, style.ink(style.wan_ink)),
    )


def wind(rank: str, box: Box, style: Style) -> tuple[Shape, ...]:
    """Return a wind's character."""
    return _write_large(
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
        return _write_large("中", box, style, ink)
    fortune_style = replace(style, hand=style.fortune_hand or style.hand)
    return _write_large(style.fortune, box, fortune_style, ink)


def fortune_ink(style: Style) -> Colour:
    """Return the ink of the green dragon, which is green in most sets only."""
    return style.green if style.fortune_ink is None else style.fortune_ink


def write_sign(sign: str, box: Box, style: Style, ink: Ink) -> tuple[Shape, ...]:
    """Return one Chinese character in a box."""
    return move(sign_shapes(sign, style.hand, ink), fit(box))


def _beast(ink: Colour, box: Box, style: Style) -> tuple[Shape, ...]:
    """Return a dragon as American makers draw it; a set's red and green are the same beast."""
    left, top, right, bottom = box
    dice = Dice(np.random.default_rng([style.seed, 2]))
    drawing = vary_hand(dragon_beast(ink, dice), dice, (100.0, 130.0), style.bend)
    size = (right - left, bottom - top)
    return move(fit_picture(drawing, size), fit((left, top, left + 100, top + 100)))


def _write_large(sign: str, box: Box, style: Style, ink: Ink) -> tuple[Shape, ...]:
    left, top, right, bottom = box
    middle, centre = (left + right) / 2, (top + bottom) / 2
    half = min(right - left, (bottom - top) * 0.72) / 2
    square = (middle - half, centre - half * 1.2, middle + half, centre + half * 1.2)
    return write_sign(sign, square, style, ink)


def _square(x: float, y: float, size: float) -> Box:
    return x - size * 0.53, y - size / 2, x + size * 0.53, y + size / 2
