"""The bird of the 1 of bamboos, in five ways, each about 100 x 130 units from the origin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from models.train.drawing.faces.aviary import invented_bird
from models.train.drawing.faces.bamboo import stick
from models.train.drawing.faces.brush import brush, taper
from models.train.drawing.faces.dice import Dice
from models.train.drawing.faces.shapes import (
    PAPER,
    Box,
    Circle,
    Ink,
    Path,
    Point,
    Shape,
    blob,
    line,
    move,
    place,
    polar,
)
from models.train.drawing.faces.style import Bird, Style
from models.train.drawing.faces.variation import engrave, fit_picture, repaint, vary_hand

SIZE: Point = (100.0, 130.0)


def bird(box: Box, style: Style) -> tuple[Shape, ...]:
    """Return the style's bird, as large as fits the box left, top, right, bottom."""
    left, top, right, bottom = box
    scale = min((right - left) / SIZE[0], (bottom - top) / SIZE[1])
    red, green, blue, dark = (style.ink(name) for name in style.bird_inks)
    bird_style = replace(style, red=red, green=green, blue=blue, dark=dark)
    dice = Dice(np.random.default_rng([style.seed, 1]))
    if style.bird == "invented":
        drawing = invented_bird(bird_style, dice)
    else:
        drawing = _BIRDS[style.bird](bird_style)
    if style.bend:
        drawing = fit_picture(vary_hand(drawing, dice, SIZE, style.bend), SIZE)
        drawing = repaint(drawing, dice, (red, green, blue, dark), 0.1 * style.bend)
    if style.bird_lines:
        drawing = engrave(drawing, style.bird_lines)
    x, y = (left + right) / 2, (top + bottom) / 2
    scale *= style.bird_size
    return move(move(drawing, place(-50, -65)), place(x, y, scale, mirror=style.bird_mirror))


def _cane(style: Style) -> tuple[Shape, ...]:
    """Return one great stick: some makers draw no bird."""
    return move(stick(4.0, style, style.green), place(50, 65, 24))


def _peacock(style: Style) -> tuple[Shape, ...]:
    shapes: list[Shape] = []
    for length, count, spread in ((82, 7, 72), (58, 6, 60)):
        for k in range(count):
            shapes += _plume(length, -spread + 2 * spread * k / (count - 1), style)
    body = [(50, 52), (57, 58), (60, 70), (69, 88), (66, 104), (50, 112), (34, 104), (31, 88),
            (40, 70), (43, 58)]  # fmt: skip
    rim = [(x + (x - 50) * 0.2, y + (y - 82) * 0.09) for x, y in body]
    scales = ((44.0, 0.0), (47.0, 3.0), (50.0, 0.0), (53.0, 3.0), (56.0, 0.0))
    crest = [line([(50, 44), polar((50, 44), 15, turn)], style.blue, 2.4) for turn in (-28, 0, 28)]
    shapes += [
        blob(rim, PAPER),
        Circle((50, 49), 12, PAPER),
        blob(body, style.blue),
        *crest,
        *(Circle(polar((50, 44), 16, turn), 2.4, style.red) for turn in (-28, 0, 28)),
        Circle((50, 49), 9.5, style.blue),
        blob([(45.5, 51), (50, 49), (54.5, 51), (50, 60)], style.red),
        Circle((46, 47), 2, PAPER),
        Circle((54, 47), 2, PAPER),
        *(line([(x, y + d) for x, d in scales], PAPER, 2.6) for y in (73, 83, 93)),
    ]
    for x in (40.0, 60.0):
        shapes += _foot((x, 109), style.red)
    return tuple(shapes)


def _plume(length: float, turn: float, style: Style) -> tuple[Shape, ...]:
    """Return one feather of the fan, which is narrower than it is high."""
    foot = (50.0, 94.0)
    x, y = polar((0, 0), length, turn)
    tip = (foot[0] + x * 0.54, foot[1] + y)
    eye = 9.0 if length > 60 else 7.0
    return (
        line([foot, tip], style.green, 3.2),
        Circle(tip, eye + 1.6, PAPER),
        Circle(tip, eye, style.green),
        Circle(tip, eye * 0.58, PAPER),
        Circle(tip, eye * 0.38, style.red),
    )


def _foot(point: Point, ink: Ink) -> tuple[Shape, ...]:
    x, y = point
    toes = [(x - 6, y + 17), (x, y + 14), (x, y + 18), (x, y + 14), (x + 6, y + 17)]
    return (line([(x, y), (x, y + 14)], ink, 3), line(toes, ink, 2.6))


def _parrot(style: Style) -> tuple[Shape, ...]:
    red, green, blue, dark = style.red, style.green, style.blue, style.dark
    breast = [(34, 34), (56, 36), (66, 52), (62, 70), (52, 84), (40, 74), (32, 56)]
    wing = [(54, 38), (70, 46), (78, 62), (72, 78), (60, 90), (56, 72), (52, 54)]
    return (
        brush([(55, 74), (50, 100), (38, 129)], (18, 16, 4), red),
        brush([(61, 78), (62, 102), (56, 124)], (11, 10, 3), blue),
        line([(52, 88), (48, 104), (42, 120)], PAPER, 2.2, smooth=True),
        line([(6, 84), (30, 76), (64, 76), (94, 66)], green, 5, smooth=True),
        *_leaf((88, 68), 16, 40, green),
        *_leaf((12, 83), 15, -120, green),
        blob(breast, green),
        *(line([(38, y), (44, y + 5), (50, y)], PAPER, 2.4, smooth=True) for y in (48, 57, 66)),
        blob([(x + 2, y) for x, y in wing], PAPER),
        blob([(x + 5, y + 1) for x, y in wing], blue),
        *(line([(64 + d, 50 + 2 * d), (69 + d, 64 + d), (66, 80)], PAPER, 2, smooth=True)
          for d in (0, 5)),
        line([(44, 82), (42, 88)], dark, 3.4),
        line([(53, 83), (53, 89)], dark, 3.4),
        *(taper([(46, 12), (58 + 6 * k, 2 + 7 * k), (74 + 3 * k, 3 + 10 * k)], 6, 2, red)
          for k in range(3)),
        Circle((43, 26), 16, green),
        Circle((39, 26), 8.5, PAPER),
        Circle((39, 26), 4, dark),
        blob([(29, 18), (29, 18), (19, 24), (17, 36), (17, 36), (25, 35), (30, 32)], red),
    )  # fmt: skip


def _crane(style: Style) -> tuple[Shape, ...]:
    red, blue, dark = style.red, style.blue, style.dark
    body = [(34, 62), (50, 52), (70, 58), (82, 74), (70, 84), (50, 82), (36, 74)]
    feathers = [
        brush([(52 + 5 * k, 58 + 2 * k), (72 + 4 * k, 66 + 3 * k), (88 + 2 * k, 86 + 4 * k)],
                (4, 8, 2), ink)
        for k, ink in enumerate((blue, dark, blue, dark))
    ]  # fmt: skip
    return (
        line([(54, 80), (52, 104), (54, 124)], dark, 3, smooth=True),
        line([(63, 80), (68, 100), (60, 110)], dark, 3),
        line([(45, 126), (54, 123), (62, 127)], dark, 3),
        *feathers,
        blob(body, blue),
        *(line([(44 + 9 * k, 62), (52 + 9 * k, 68), (50 + 9 * k, 77)], PAPER, 2.4, smooth=True)
          for k in range(3)),
        brush([(40, 66), (24, 52), (34, 34), (40, 20)], (15, 9, 7, 8), blue),
        line([(31, 52), (33, 44), (37, 36)], PAPER, 2, smooth=True),
        Circle((38, 17), 7, blue),
        taper([(33, 17), (20, 20), (6, 25)], 6, 1, red),
        blob([(33, 11), (40, 6), (46, 12), (40, 13)], red),
        Circle((36, 17), 1.8, PAPER),
        *(line([(60 + 8 * k, 8 + 6 * k), (66 + 8 * k, 13 + 6 * k), (73 + 8 * k, 7 + 6 * k)],
               style.green, 2.6, smooth=True) for k in range(2)),
    )  # fmt: skip


def _sparrow(style: Style) -> tuple[Shape, ...]:
    red, green, blue, dark = style.red, style.green, style.blue, style.dark
    body = [
        (20, 36),
        (34, 22),
        (50, 28),
        (64, 46),
        (70, 66),
        (60, 80),
        (42, 80),
        (28, 66),
        (22, 50),
    ]
    wing = [(46, 46), (62, 50), (76, 66), (90, 88), (70, 84), (54, 76), (46, 62)]
    return (
        brush([(60, 72), (74, 88), (92, 108)], (14, 12, 9), dark),
        brush([(56, 76), (66, 94), (80, 114)], (10, 9, 7), red),
        line([(4, 92), (30, 88), (60, 92), (98, 84)], green, 5, smooth=True),
        *_leaf((20, 90), 26, 215, green),
        *_leaf((40, 90), 28, 170, green),
        *_leaf((10, 92), 22, 150, green),
        blob(body, blue),
        blob([(24, 50), (34, 48), (44, 60), (48, 76), (38, 74), (28, 64)], PAPER),
        *(line([(31 + 4 * k, 56 + 7 * k), (35 + 4 * k, 60 + 6 * k)], red, 3) for k in range(3)),
        blob([(x - 3, y - 2) for x, y in wing], PAPER),
        blob(wing, dark),
        *(line([(54, 52 + 7 * k), (66, 60 + 6 * k), (76, 74 + 3 * k)], PAPER, 2, smooth=True)
          for k in range(3)),
        line([(42, 80), (40, 89)], dark, 3),
        line([(51, 80), (52, 90)], dark, 3),
        Circle((32, 34), 6.2, PAPER),
        Circle((32, 34), 3.2, dark),
        taper([(22, 36), (14, 39), (5, 42)], 9, 1, red),
    )  # fmt: skip


def _heron(style: Style) -> tuple[Shape, ...]:
    """Return a bird that comes down to the water on raised wings."""
    red, blue, dark = style.red, style.blue, style.dark
    wing = [
        brush([(62 + 2 * k, 78 - 3 * k), (56 + 8 * k, 48 - 2 * k), (44 + 13 * k, 14 + 5 * k * k)],
                (5, 9, 8, 2), blue)
        for k in range(4)
    ]  # fmt: skip
    wing_drawing = [
        brush([(52 - k, 74), (34 - 2 * k, 52 + 5 * k), (14 - 3 * k, 30 + 13 * k)],
                (4, 8, 7, 2), dark)
        for k in range(3)
    ]  # fmt: skip
    tail = [brush([(72, 84), (84, 92 + 4 * k), (94 - 3 * k, 104 + 8 * k)], (6, 7, 2), red)
            for k in range(3)]  # fmt: skip
    ripple: list[Point] = [(4, 118), (18, 113), (32, 118), (46, 113), (60, 118)]
    waves = [line([(x + d, y + d) for x, y in ripple], style.green, 3, smooth=True) for d in (0, 8)]
    return (
        *wing_drawing,
        *wing,
        *tail,
        blob([(40, 78), (54, 70), (72, 76), (80, 88), (66, 94), (48, 90)], blue),
        *(line([(50 + 9 * k, 77), (55 + 9 * k, 82), (53 + 9 * k, 88)], PAPER, 2.4, smooth=True)
          for k in range(3)),
        brush([(46, 82), (30, 84), (26, 96), (22, 102)], (13, 9, 7, 9), blue),
        Circle((21, 103), 6.5, red),
        taper([(17, 106), (9, 112), (2, 116)], 6, 1, dark),
        Circle((20, 102), 1.9, PAPER),
        line([(64, 92), (70, 104), (64, 112)], dark, 3),
        line([(58, 92), (60, 104), (54, 110)], dark, 3),
        *waves,
    )  # fmt: skip


def _leaf(base: Point, length: float, turn: float, ink: Ink) -> tuple[Path, ...]:
    shape: list[Point] = [(0, 0), (0, 0), (length * 0.16, -length * 0.45), (0, -length),
                          (0, -length), (-length * 0.16, -length * 0.45)]  # fmt: skip
    transform = place(*base, 1, turn)
    return (blob([transform(p) for p in shape], ink),)


_BIRDS: dict[Bird, Callable[[Style], tuple[Shape, ...]]] = {
    "crane": _crane,
    "sparrow": _sparrow,
    "peacock": _peacock,
    "parrot": _parrot,
    "heron": _heron,
    "cane": _cane,
}
