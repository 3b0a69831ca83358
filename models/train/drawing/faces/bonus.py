"""The flowers and the seasons: eight pictures on a 100 x 100 grid."""

from __future__ import annotations

import numpy as np

from models.train.drawing.faces import plants
from models.train.drawing.faces.beasts import BEASTS
from models.train.drawing.faces.dice import Dice
from models.train.drawing.faces.pictures import draw_picture
from models.train.drawing.faces.shapes import Picture, Point, Shape
from models.train.drawing.faces.style import Style
from models.train.drawing.faces.variation import engrave, fit_picture, vary_hand
from models.train.drawing.faces.vistas import VISTAS


def bonus_picture(code: str, style: Style) -> Picture:
    """Return the picture of a flower or season as the style's maker draws it."""
    rng = np.random.default_rng([style.seed, ord(code[0]), int(code[1])])
    kind = style.season if style.season and code[0] == "S" else style.bonus
    match kind:
        case "garden":
            picture = draw_picture(code, style)
        case "sprig" | "pot":
            picture = _sprig(rng, style, in_pot=kind == "pot")
        case "beast":
            beast = Dice(rng).pick(tuple(BEASTS.values()))(style, Dice(rng))
            picture = fit_picture(beast, (100.0, 100.0))
        case _:
            picture = VISTAS[kind](style, Dice(rng))
    picture = vary_hand(picture, Dice(rng), (100.0, 100.0), style.bend)
    return engrave(picture, style.bonus_lines) if style.bonus_lines else picture


def _sprig(rng: np.random.Generator, style: Style, in_pot: bool) -> Picture:
    """Return an invented plant: makers draw what they like on their flowers and seasons."""
    red, green = style.ink(style.bonus_ink), style.green
    foot: Point = (50 + rng.uniform(-8, 8), 74 if in_pot else 98)
    shapes: list[Shape] = []
    for _ in range(int(rng.integers(0, 5))):
        tip = (rng.uniform(4, 96), rng.uniform(20, 70))
        middle = ((foot[0] + tip[0]) / 2 + rng.normal(0, 4), foot[1] - 30)
        shapes += plants.blade([foot, middle, tip], rng.uniform(4, 8), green)
    blossom = plants.BLOSSOMS[int(rng.integers(len(plants.BLOSSOMS)))]
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
