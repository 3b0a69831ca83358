"""Characters, winds and dragons: the faces that are written."""

from __future__ import annotations

from .letters import text_shapes, text_width
from .shapes import Ink, Path, Shape, fit, line, moved, place, rounded
from .style import Style
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
    return (
        *written(sign, upper, style, style.ink(style.numeral_ink)),
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
    sign, ink = ("中", style.red) if rank == "R" else (style.fortune, style.green)
    return _alone(sign, box, style, ink)


def white_dragon(box: Box, style: Style) -> tuple[Shape, ...]:
    """Return the frame, letter or nothing at all that stands for the white dragon."""
    left, top, right, bottom = box
    ink, bold = style.ink(style.white_ink), style.boldness
    middle, centre = (left + right) / 2, (top + bottom) / 2
    half, tall = 17.5, min(26.0, (bottom - top) / 2)
    outer = (middle - half, centre - tall, middle + half, centre + tall)
    inner = (middle - half + 5, centre - tall + 5, middle + half - 5, centre + tall - 5)
    frame = Path((rounded(outer, 3),), ink, 2.6 * bold, smooth=True)
    match style.white:
        case "blank":
            return ()
        case "plain":
            return (frame,)
        case "double":
            return (frame, Path((rounded(inner, 2),), ink, 1.2 * bold, smooth=True))
        case "corners":
            return (frame, Path((_notched(inner),), ink, 1.5 * bold))
        case "bars":
            return (frame, *_bars(outer, inner, ink))
        case "dashed":
            return (Path((rounded(outer, 1.5),), ink, 1.2 * bold, smooth=True),
                    *_dashes(outer, ink, 3.0 * bold))  # fmt: skip
        case "letter":
            letter = style.dragon_index[2:].strip() or "P"
            wide = text_width(letter, 22, style.index_type)
            at = place(middle - wide / 2, centre - 11)
            return (frame, *moved(text_shapes(letter, 22, style.index_type, ink), at))
        case "bai":
            return _alone("白", box, style, ink)


def written(sign: str, box: Box, style: Style, ink: Ink) -> tuple[Shape, ...]:
    """Return one Chinese character in a box."""
    return moved(sign_shapes(sign, style.hand, ink), fit(box))


def _alone(sign: str, box: Box, style: Style, ink: Ink) -> tuple[Shape, ...]:
    left, top, right, bottom = box
    middle, centre = (left + right) / 2, (top + bottom) / 2
    half = min(right - left, (bottom - top) * 0.72) / 2
    return written(sign, (middle - half, centre - half * 1.2, middle + half, centre + half * 1.2),
                   style, ink)  # fmt: skip


def _square(x: float, y: float, size: float) -> Box:
    return x - size * 0.53, y - size / 2, x + size * 0.53, y + size / 2


def _notched(box: Box) -> tuple[tuple[float, float], ...]:
    left, top, right, bottom = box
    cut = 4.0
    return ((left + cut, top), (right - cut, top), (right - cut, top + cut), (right, top + cut),
            (right, bottom - cut), (right - cut, bottom - cut), (right - cut, bottom),
            (left + cut, bottom), (left + cut, bottom - cut), (left, bottom - cut),
            (left, top + cut), (left + cut, top + cut))  # fmt: skip


def _bars(outer: Box, inner: Box, ink: Ink) -> tuple[Shape, ...]:
    rungs: list[Shape] = [Path((rounded(inner, 1),), ink, 1.2, smooth=True)]
    for k in range(1, 8):
        y = outer[1] + (outer[3] - outer[1]) * k / 8
        rungs += [line([(outer[0], y), (inner[0], y)], ink, 1.1)]
        rungs += [line([(inner[2], y), (outer[2], y)], ink, 1.1)]
    for k in range(1, 5):
        x = outer[0] + (outer[2] - outer[0]) * k / 5
        rungs += [line([(x, outer[1]), (x, inner[1])], ink, 1.1)]
        rungs += [line([(x, inner[3]), (x, outer[3])], ink, 1.1)]
    return tuple(rungs)


def _dashes(box: Box, ink: Ink, width: float) -> tuple[Shape, ...]:
    left, top, right, bottom = (box[0] + 3, box[1] + 3, box[2] - 3, box[3] - 3)
    dashes: list[Shape] = []
    for k in range(4):
        x = left + (right - left) * (k + 0.2) / 4
        dashes += [line([(x, y), (x + 4, y)], ink, width) for y in (top, bottom)]
    for k in range(6):
        y = top + (bottom - top) * (k + 0.2) / 6
        dashes += [line([(x, y), (x, y + 4)], ink, width) for x in (left, right)]
    return tuple(dashes)
