"""Beasts on tiles: the dragons that American makers draw as dragons, and animals, 100 x 130."""

from __future__ import annotations

from collections.abc import Callable
from math import sin

from models.train.drawing.faces.brush import brush, taper
from models.train.drawing.faces.dice import Dice
from models.train.drawing.faces.shapes import (
    PAPER,
    Circle,
    Colour,
    Picture,
    Point,
    Shape,
    blob,
    line,
    polar,
)
from models.train.drawing.faces.style import Style


def dragon_beast(ink: Colour, dice: Dice) -> Picture:
    """Return a dragon winding down the tile, in one ink."""
    turns, swing, fat = dice.uniform(1.0, 1.8), dice.uniform(18, 30), dice.uniform(13, 20)
    spine = [
        (50 + swing * (1 - 0.3 * k / 9) * sin(k * turns * 0.7 + 0.4), 24.0 + 11.0 * k)
        for k in range(10)
    ]
    shapes: list[Shape] = []
    for k in range(1, 9):
        (x, y), (u, v) = spine[k], spine[k - 1]
        side = 1 if k % 2 else -1
        for way in (-1, 1):
            fin = (x + way * (fat * 0.9 - k * 0.5), y - 4.0)
            shapes.append(line([((x + u) / 2, (y + v) / 2), fin], ink, 2.6))
        if k in (2, 5, 7):
            shapes += _claw((x, y), side * dice.uniform(22, 32), ink)
    shapes.append(brush(spine, (fat * 0.7, fat, fat, fat * 0.8, 2), ink))
    for x, y in spine[1:9]:
        shapes.append(line([(x - 5, y - 3), (x, y + 2), (x + 5, y - 3)], PAPER, 2, smooth=True))
    head = (spine[0][0] + dice.uniform(-6, 6), 18.0)
    return (*shapes, *_dragon_head(head, ink, dice), *_flames(ink, dice))


def _claw(point: Point, reach: float, ink: Colour) -> Picture:
    x, y = point
    foot = (x + reach, y + 6)
    toes = (line([foot, (foot[0] + reach * 0.25, foot[1] + d)], ink, 2) for d in (-5, 1, 7))
    return (brush([point, (x + reach * 0.5, y - 5), foot], (7, 6, 3), ink), *toes)


def _dragon_head(point: Point, ink: Colour, dice: Dice) -> Picture:
    x, y = point
    long = dice.uniform(18, 26)
    jaws = ([(x + 8, y - 8), (x - 6, y - 10), (x - long, y - 4 + d), (x - long, y + d),
             (x - 4, y + 3 + d), (x + 8, y + 8)] for d in (-2, 9))  # fmt: skip
    mane = ([(x + 4, y), (x + 16, y - 6 + 7 * k), (x + 28, y - 12 + 12 * k)] for k in range(3))
    horns = ([(x + 2, y - 6), (x + 8, y - 14), (x + 6 + 8 * k, y - 24)] for k in range(2))
    beard = [(x - long, y + 4), (x - long - 6, y + 14), (x - long + 2, y + 22)]
    return (
        *(taper(points, 5, 1, ink) for points in mane),
        *(taper(points, 4, 1, ink) for points in horns),
        *(blob(points, ink) for points in jaws),
        line(beard, ink, 2, smooth=True),
        Circle((x - 3, y - 3), 3.6, PAPER),
        Circle((x - 3, y - 3), 1.8, ink),
    )


def _flames(ink: Colour, dice: Dice) -> Picture:
    shapes: list[Shape] = []
    for _ in range(dice.integer(2, 5)):
        root = (dice.pick((dice.uniform(6, 22), dice.uniform(78, 94))), dice.uniform(12, 118))
        for k in range(3):
            tip = polar(root, dice.uniform(8, 14), -30 + 30 * k)
            shapes.append(taper([root, polar(root, 5, 20), tip], 4, 1, ink))
    return tuple(shapes)


def quadruped(style: Style, dice: Dice) -> Picture:
    """Return a cat, dog, mouse or deer of no particular kind."""
    inks = (style.red, style.green, style.blue, style.dark)
    ink, mark = dice.pick(inks), dice.pick(inks)
    high, skull, fat = dice.uniform(18, 40), dice.uniform(9, 16), dice.uniform(18, 32)
    back_height, head = 78.0, (22.0, dice.uniform(44, 72))
    legs = [
        brush([(x, back_height), (x + dice.uniform(-5, 5), back_height + high)], (7, 5), ink)
        for x in (36.0, 44.0, 72.0, 80.0)
    ]
    rump, lift = (82, back_height - 4), dice.uniform(0, 26)
    tail = brush([rump, (94, back_height - lift), (dice.uniform(84, 98), 42)], (6, 5, 2), mark)
    ears = []
    for t in (-25, 35):
        ear = [polar(head, skull * 0.6, t), polar(head, skull * dice.uniform(1.5, 2.4), t)]
        ears.append(taper(ear, skull * 0.6, 1, mark))
    spots = []
    for _ in range(dice.integer(0, 5)):
        spot = (dice.uniform(40, 74), back_height - dice.uniform(-4, 10))
        spots.append(Circle(spot, dice.uniform(2, 4.5), PAPER))
    spine = [head, (38, back_height - 4), (62, back_height - 6), (82, back_height)]
    trunk = brush(spine, (skull, fat, fat, fat * 0.7), ink)
    x, y = head
    return (
        *legs,
        tail,
        trunk,
        *spots,
        *ears,
        Circle(head, skull, ink),
        Circle((x - 4, y - 2), 3.2, PAPER),
        Circle((x - skull, y + 3), 2.4, mark),
        *(line([(x - skull, y + 3), (x - skull - 9, y + d)], mark, 1.4) for d in (-2, 4, 10)),
    )


def fish(style: Style, dice: Dice) -> Picture:
    """Return a carp among waves."""
    ink, mark = dice.pick((style.red, style.blue, style.dark)), style.green
    fat = dice.uniform(26, 44)
    body = brush([(10, 66), (40, 58), (76, 66)], (fat * 0.5, fat, fat * 0.9, fat * 0.3), ink)
    fins = (
        taper([(76, 66), (88, 66 + d * 0.4), (98, 66 + d)], 8, 3, ink) for d in (-22, -8, 10, 24)
    )
    scales = (Circle((34 + 11 * k, 58 + 7 * (k % 2)), 4.4, PAPER, 1.5) for k in range(4))
    waves = (
        line([(4, y), (24, y - 5), (46, y), (70, y - 5), (96, y)], mark, 3, smooth=True)
        for y in (100.0, 110.0)
    )
    return (*fins, body, *scales, Circle((17, 61), 3.6, PAPER), *waves)


def insect(style: Style, dice: Dice) -> Picture:
    """Return a butterfly, dragonfly or centipede."""
    wing, body = dice.pick((style.blue, style.red, style.green)), style.dark
    shapes: list[Shape] = []
    for side in (-1, 1):
        for turn, wing_reach in ((40, dice.uniform(34, 52)), (100, dice.uniform(24, 48))):
            tip = polar((50, 58), wing_reach, side * turn)
            shapes.append(brush([(50, 60), tip], (4, dice.uniform(14, 30), 16), wing))
            shapes.append(Circle(polar((50, 58), wing_reach * 0.7, side * turn), 4, PAPER, 1.8))
        for k in range(dice.integer(0, 6)):
            shapes.append(line([(50, 50 + 9 * k), (50 + side * 16, 46 + 9 * k)], body, 2.2))
        feeler = [(50, 40), (50 + side * 8, 24), (50 + side * 16, 18)]
        shapes.append(line(feeler, body, 2, smooth=True))
    return (*shapes, brush([(50, 38), (50, 60), (50, dice.uniform(84, 116))], (9, 11, 3), body))


BEASTS: dict[str, Callable[[Style, Dice], Picture]] = {
    "quadruped": quadruped,
    "fish": fish,
    "insect": insect,
}
