"""The flowers and the seasons: eight pictures on a 100 x 100 grid."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from models.train.drawing.faces import plants
from models.train.drawing.faces.beasts import BEASTS
from models.train.drawing.faces.dice import Dice
from models.train.drawing.faces.shapes import Circle, Picture, Point, Shape, blob, line, polar
from models.train.drawing.faces.style import Style
from models.train.drawing.faces.variation import engrave, fit_picture, vary_hand
from models.train.drawing.faces.vistas import VISTAS

_BLOSSOMS = (plants.plum_blossom, plants.many_petals, plants.peony, plants.orchid_flower)


def bonus_picture(code: str, style: Style) -> Picture:
    """Return the picture of a flower or season as the style's maker draws it."""
    rng = np.random.default_rng([style.seed, ord(code[0]), int(code[1])])
    kind = style.season if style.season and code[0] == "S" else style.bonus
    match kind:
        case "garden":
            picture = _GARDEN[code](style)
        case "sprig" | "pot":
            picture = _sprig(rng, style, in_pot=kind == "pot")
        case "beast":
            beast = Dice(rng).pick(tuple(BEASTS.values()))(style, Dice(rng))
            picture = fit_picture(beast, (100.0, 100.0))
        case _:
            picture = VISTAS[kind](style, Dice(rng))
    picture = vary_hand(picture, Dice(rng), (100.0, 100.0), style.bend)
    return engrave(picture, style.bonus_lines) if style.bonus_lines else picture


def _plum(style: Style) -> Picture:
    red, wood, ink = style.ink(style.bonus_ink), style.dark, style.green
    return (
        *plants.stem([(18, 98), (34, 76), (30, 54), (52, 40), (70, 8)], 9, wood),
        *plants.stem([(34, 72), (56, 70), (82, 50)], 6, wood),
        *plants.stem([(32, 56), (18, 44), (14, 24)], 5, wood),
        *plants.plum_blossom((52, 44), 19, red, ink),
        *plants.plum_blossom((76, 66), 15, red, ink),
        *plants.plum_blossom((24, 84), 12, red, ink),
        *plants.bud((84, 46), 6, 40, red, wood),
        *plants.bud((14, 24), 6, -10, red, wood),
        *plants.bud((70, 10), 6, 20, red, wood),
        *plants.bud((63, 24), 5, 100, red, wood),
    )


def _orchid(style: Style) -> Picture:
    red, green = style.ink(style.bonus_ink), style.green
    foot: Point = (46, 96)
    blades: list[Point] = [(-40, 62), (-36, 18), (-10, 4), (34, 6), (50, 44), (44, 74)]
    bend = [(-28, 46), (-20, 48), (-8, 48), (14, 44), (30, 40), (26, 60)]
    shapes: list[Shape] = []
    for (tx, ty), (bx, by) in zip(blades, bend, strict=True):
        shapes += plants.blade([foot, (foot[0] + bx * 0.6, by + 14), (foot[0] + tx, ty)], 7, green)
    return (
        *shapes,
        *plants.stem([foot, (52, 70), (62, 48)], 4, green),
        *plants.orchid_flower((64, 40), 19, red, style.blue),
        *plants.orchid_flower((28, 58), 15, red, style.blue),
        *plants.orchid_flower((80, 68), 13, red, style.blue),
    )


def _chrysanthemum(style: Style) -> Picture:
    red, green = style.ink(style.bonus_ink), style.green
    return (
        *plants.stem([(50, 100), (46, 80), (50, 50)], 6, green),
        *plants.stem([(48, 84), (66, 78), (80, 60)], 4.5, green),
        *plants.leaf((48, 90), 34, -75, green, 0.26),
        *plants.leaf((50, 96), 32, 80, green, 0.26),
        *plants.leaf((47, 74), 30, -50, green, 0.26),
        *plants.many_petals((46, 36), 32, red, style.blue),
        *plants.many_petals((82, 62), 16, red, style.blue),
    )


def _bamboo(style: Style) -> Picture:
    green, ink = style.green, style.green
    shapes: list[Shape] = [
        *plants.cane((34, 98), (40, 4), 9, 4, green),
        *plants.cane((58, 98), (68, 22), 7, 4, green),
    ]
    for base, turns, length in (
        ((41, 26), (-150, -115, -80), 30),
        ((37, 54), (-160, -125, -95), 28),
        ((66, 30), (60, 95, 130, 160), 30),
        ((62, 60), (75, 110, 145), 32),
    ):
        for turn in turns:
            shapes += plants.leaf(base, length, turn, ink, 0.13)
    shoots = (((20, 99), 30, -8), ((10, 99), 18, -20), ((82, 99), 24, 12))
    red = style.ink(style.bonus_ink)
    return (*shapes, *(plants.petal(at, 0, long, 6, turn, red) for at, long, turn in shoots))


def _spring(style: Style) -> Picture:
    red, green = style.ink(style.bonus_ink), style.green
    return (
        *plants.stem([(40, 100), (44, 84), (40, 62)], 6, green),
        *plants.leaf((42, 92), 38, -70, green, 0.24),
        *plants.leaf((42, 96), 36, 65, green, 0.24),
        *plants.leaf((43, 80), 32, 40, green, 0.24),
        *plants.peony((36, 50), 29, red, style.blue),
        *_butterfly((80, 30), style),
    )


def _butterfly(point: Point, style: Style) -> Picture:
    x, y = point
    blue = style.blue
    return (
        plants.petal(point, 0, 20, 8, -40, blue),
        plants.petal(point, 0, 20, 8, 60, blue),
        plants.petal(point, 0, 15, 6, -100, blue),
        plants.petal(point, 0, 15, 6, 120, blue),
        line([(x - 2, y + 9), (x + 2, y - 8)], style.dark, 3),
        line([(x + 2, y - 8), (x - 3, y - 16)], style.dark, 1.4),
        line([(x + 2, y - 8), (x + 9, y - 15)], style.dark, 1.4),
    )


def _summer(style: Style) -> Picture:
    red, green, blue = style.ink(style.bonus_ink), style.green, style.blue
    pad = blob([(4, 74), (26, 66), (50, 72), (56, 82), (30, 88), (8, 84)], green)
    return (
        *plants.stem([(56, 92), (54, 76), (52, 56)], 5, green),
        *plants.stem([(78, 92), (82, 60), (80, 34)], 4, green),
        *plants.lotus((52, 58), 28, red, blue),
        plants.petal((80, 40), 0, 26, 8, 4, red),
        pad,
        blob([(56, 80), (78, 72), (98, 78), (92, 88), (66, 90)], green),
        line([(6, 95), (22, 92), (38, 96), (54, 92), (70, 96), (94, 93)], blue, 3, smooth=True),
    )


def _autumn(style: Style) -> Picture:
    red, wood = style.ink(style.bonus_ink), style.dark
    return (
        *plants.stem([(6, 30), (36, 30), (70, 46), (92, 74)], 6, wood),
        *plants.stem([(44, 32), (62, 22), (84, 20)], 4, wood),
        *plants.maple_leaf((30, 48), 26, 190, red),
        *plants.maple_leaf((62, 62), 28, 160, red),
        *plants.maple_leaf((80, 26), 20, 60, red),
        *plants.maple_leaf((34, 86), 18, 230, style.green),
        *plants.maple_leaf((84, 86), 15, 120, style.green),
    )


def _winter(style: Style) -> Picture:
    green, blue, wood = style.green, style.blue, style.dark
    shapes: list[Shape] = [*plants.stem([(92, 96), (70, 74), (38, 66), (10, 74)], 7, wood)]
    for base, turn in (((20, 70), -30), ((44, 64), -10), ((66, 70), 15), ((82, 82), 40)):
        for needle in range(-50, 51, 20):
            shapes.append(line([base, polar(base, 22, turn + needle)], green, 3))
    for at, radius in (((26, 24), 14), ((70, 30), 17), ((46, 94), 8)):
        shapes += _snowflake(at, radius, style)
    berries = (Circle(p, 4.4, style.red) for p in ((48, 74), (57, 78), (30, 76)))
    return (*shapes, *berries, line([(8, 92), (24, 88), (34, 92)], blue, 3, smooth=True))


def _snowflake(point: Point, radius: float, style: Style) -> Picture:
    shapes: list[Shape] = []
    for k in range(6):
        tip, knot = polar(point, radius, 60 * k), polar(point, radius * 0.55, 60 * k)
        shapes.append(line([point, tip], style.blue, radius * 0.16))
        for side in (-40, 40):
            twig = polar(knot, radius * 0.36, 60 * k + side)
            shapes.append(line([knot, twig], style.blue, radius * 0.13))
    return tuple(shapes)


def _sprig(rng: np.random.Generator, style: Style, in_pot: bool) -> Picture:
    """Return an invented plant: makers draw what they like on their flowers and seasons."""
    red, green = style.ink(style.bonus_ink), style.green
    foot: Point = (50 + rng.uniform(-8, 8), 74 if in_pot else 98)
    shapes: list[Shape] = []
    for _ in range(int(rng.integers(0, 5))):
        tip = (rng.uniform(4, 96), rng.uniform(20, 70))
        middle = ((foot[0] + tip[0]) / 2 + rng.normal(0, 4), foot[1] - 30)
        shapes += plants.blade([foot, middle, tip], rng.uniform(4, 8), green)
    blossom = _BLOSSOMS[int(rng.integers(len(_BLOSSOMS)))]
    for k in range(int(rng.integers(1, 4))):
        head = (rng.uniform(24, 76), rng.uniform(24, 54))
        bend = ((foot[0] + head[0]) / 2 + rng.normal(0, 8), (foot[1] + head[1]) / 2)
        shapes += plants.stem([foot, bend, head], rng.uniform(4, 7), green)
        for _ in range(int(rng.integers(1, 4))):
            turn, long = rng.uniform(-150, 150), rng.uniform(16, 34)
            shapes += plants.leaf(bend, long, turn, green, rng.uniform(0.12, 0.28))
        shapes += blossom(head, rng.uniform(18, 32) * (1 if k == 0 else 0.7), red, style.blue)
    if in_pot:
        shapes += plants.pot((50, 76), rng.uniform(36, 56), style.blue, red)
    return tuple(shapes)


_GARDEN: dict[str, Callable[[Style], Picture]] = {
    "F1": _plum, "F2": _orchid, "F3": _chrysanthemum, "F4": _bamboo,
    "S1": _spring, "S2": _summer, "S3": _autumn, "S4": _winter,
}  # fmt: skip
