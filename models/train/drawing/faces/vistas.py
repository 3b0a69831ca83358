"""What some makers show in place of plants: people, landscapes and baskets, 100 x 100."""

from __future__ import annotations

from collections.abc import Callable

from models.train.drawing.faces import plants
from models.train.drawing.faces.brush import brush, taper
from models.train.drawing.faces.dice import Dice
from models.train.drawing.faces.shapes import (
    PAPER,
    Circle,
    Ink,
    Picture,
    Point,
    Shape,
    blob,
    line,
    polar,
    polygon,
)
from models.train.drawing.faces.style import Bonus, Style


def figure(style: Style, dice: Dice) -> Picture:
    """Return a person in a robe with something in hand."""
    robe, sash, skin = (
        dice.pick((style.red, style.green, style.blue, style.dark)) for _ in range(3)
    )
    x, lean, wide = dice.uniform(40, 60), dice.uniform(-6, 6), dice.uniform(16, 28)
    head, r = (x + lean, 24.0), dice.uniform(7, 10)
    hem = wide * 0.6
    coat = [(x - 5 + lean, 32), (x + 5 + lean, 32), (x + hem, 60), (x + wide, 94), (x + wide, 94),
            (x - wide, 94), (x - wide, 94), (x - hem, 60)]  # fmt: skip
    hand = (x + dice.pick((-1.0, 1.0)) * dice.uniform(20, 30), dice.uniform(44, 60))
    sleeve = brush([(x + lean, 40), ((x + hand[0]) / 2, 54), hand], (8, 14, 9), sash)
    folds = (line([(x + d, 58), (x + 1.6 * d, 88)], PAPER, 2) for d in (-7.0, 0.0, 7.0))
    return (
        *_hand_object(hand, style, dice),
        blob(coat, robe),
        *folds,
        sleeve,
        Circle(head, r, skin),
        Circle(head, r * 0.66, PAPER),
        *_hat(head, r, style, dice),
    )


def _hand_object(hand: Point, style: Style, dice: Dice) -> Picture:
    x, y = hand
    match dice.pick(("staff", "rod", "fan", "blossom", "bundle")):
        case "staff":
            return (line([(x, y - 36), (x + 2, y + 40)], style.dark, 3),)
        case "rod":
            tip = (x + (24 if x > 50 else -24), y - 30)
            thread = line([tip, (tip[0], y + 30)], style.dark, 1.4)
            return (line([hand, tip], style.dark, 2.4), thread)
        case "fan":
            return tuple(plants.petal(hand, 2, 20, 5, t, style.red) for t in (-40, -20, 0, 20, 40))
        case "blossom":
            return plants.many_petals((x, y - 8), 15, style.red, style.blue)
        case _:
            rods = ([(x - 14, y + d), (x + 14, y + d - 5)] for d in (-8, -3, 2, 7))
            return tuple(line(rod, style.green, 3.4) for rod in rods)


def _hat(head: Point, r: float, style: Style, dice: Dice) -> Picture:
    x, y = head
    match dice.pick(("cone", "bun", "cap")):
        case "cone":
            cone = [(x - r * 1.9, y - 2), (x, y - r * 1.8), (x + r * 1.9, y - 2)]
            return (polygon(cone, style.dark),)
        case "bun":
            band = line([(x - r, y - r * 0.5), (x + r, y - r * 0.5)], style.dark, r * 0.7)
            return (Circle((x, y - r * 1.2), r * 0.55, style.dark), band)
        case _:
            return (_trapeze(x, (y - r * 0.3, y - r * 1.5), (r, r * 0.7), style.blue),)


def _trapeze(x: float, heights: Point, halves: Point, ink: Ink) -> Shape:
    """Return a trapeze about `x`: the heights and the half widths of its foot and its top."""
    (foot, top), (wide, narrow) = heights, halves
    return polygon([(x - wide, foot), (x - narrow, top), (x + narrow, top), (x + wide, foot)], ink)


def landscape(style: Style, dice: Dice) -> Picture:
    """Return hills or a house, a tree and water below a sun."""
    shapes: list[Shape] = [Circle((dice.uniform(12, 88), 16), dice.uniform(6, 11), style.red)]
    for _ in range(dice.integer(1, 3)):
        x, high, wide = dice.uniform(20, 80), dice.uniform(30, 56), dice.uniform(18, 34)
        shapes.append(polygon([(x - wide, 74), (x, 74 - high), (x + wide, 74)], PAPER))
        ridge = [(x - wide, 74), (x - wide * 0.3, 74 - high * 0.8), (x, 74 - high),
                 (x + wide * 0.4, 74 - high * 0.6), (x + wide, 74)]  # fmt: skip
        shapes.append(line(ridge, style.blue, dice.uniform(2.5, 5)))
    if dice.chance(0.6):
        shapes += _pagoda(dice.uniform(24, 76), dice.integer(1, 4), style, dice)
    if dice.chance(0.7):
        shapes += _tree(dice.uniform(12, 88), style, dice)
    if dice.chance(0.5):
        x = dice.uniform(30, 70)
        shapes += [
            blob([(x - 16, 82), (x - 16, 82), (x + 16, 82), (x + 16, 82), (x, 92)], style.red),
            line([(x, 82), (x, 62)], style.dark, 2.2),
        ]
    waves = (
        line([(4, y), (26, y - 3), (50, y), (74, y - 3), (96, y)], style.green, 2.8, smooth=True)
        for y in (88.0, 96.0)
    )
    return (*shapes, *waves)


def _pagoda(x: float, floors: int, style: Style, dice: Dice) -> Picture:
    shapes: list[Shape] = []
    wide = dice.uniform(14, 22)
    for k in range(floors):
        y, half = 80 - 17 * k, wide - 3 * k
        shapes.append(_trapeze(x, (y, y - 11), (half * 0.6, half * 0.6), style.blue))
        roof = [(x - half - 4, y - 12), (x - half * 0.4, y - 14), (x, y - 19),
                (x + half * 0.4, y - 14), (x + half + 4, y - 12)]  # fmt: skip
        shapes += [line(roof, style.red, 4, smooth=True), line([(x, y), (x, y - 8)], PAPER, 3)]
    return tuple(shapes)


def _tree(x: float, style: Style, dice: Dice) -> Picture:
    crowns = (
        Circle((x + dice.uniform(-12, 12), dice.uniform(40, 60)), dice.uniform(5, 9), style.green)
        for _ in range(5)
    )
    return (*plants.stem([(x, 84), (x + 4, 66), (x, 48)], 5, style.dark), *crowns)


def basket(style: Style, dice: Dice) -> Picture:
    """Return flowers in a basket, a vase or a tub."""
    ink = dice.pick((style.red, style.blue, style.dark))
    half, waist, top = dice.uniform(18, 30), dice.uniform(0.5, 1.1), dice.uniform(60, 72)
    foot = half * dice.uniform(0.5, 0.9)
    side: list[Point] = [(half, top), (half * waist, (top + 97) / 2), (foot, 97)]
    vessel = polygon([(50 + x, y) for x, y in side] + [(50 - x, y) for x, y in reversed(side)], ink)
    weave: list[Shape] = [
        line([(50 - half, top + 8 * k), (50 + half, top + 8 * k)], PAPER, 1.8)
        for k in range(1, dice.integer(1, 4))
    ]
    if dice.chance(0.5):
        handle = [(50 - half, top), (50, dice.uniform(4, 24)), (50 + half, top)]
        weave.append(line(handle, ink, 3, smooth=True))
    blossom, bloom = dice.pick(plants.BLOSSOMS), style.ink(style.bonus_ink)
    shapes: list[Shape] = []
    for _ in range(dice.integer(2, 5)):
        head = (dice.uniform(22, 78), dice.uniform(18, 50))
        middle = (50 + head[0]) / 2
        shapes += plants.stem([(50, top), (middle, top - 14), head], 4, style.green)
        shapes += plants.leaf((middle, top - 12), 20, dice.uniform(-90, 90), style.green)
        shapes += blossom(head, dice.uniform(11, 20), bloom, style.blue)
    return (*shapes, vessel, *weave)


def bouquet(style: Style, dice: Dice) -> Picture:
    """Return one large open flower on a winding stem, leaves and curls about it, drawn in lines."""
    bloom, width = style.ink(style.bonus_ink), dice.uniform(2.4, 5.0)
    x, y, r = dice.uniform(40, 60), dice.uniform(44, 62), dice.uniform(13, 20)
    shapes: list[Shape] = list(
        plants.stem([(dice.uniform(36, 64), 99), (x + 8, 80), (x, y)], 6, style.green)
    )
    shapes += plants.stem([(x, y), (x - 8, y - 20), (dice.uniform(40, 74), 6)], 5, style.green)
    for _ in range(dice.integer(4, 8)):
        base = (x + dice.uniform(-10, 10), dice.uniform(14, 92))
        long, turn = dice.uniform(14, 28), dice.pick((-1, 1)) * dice.uniform(40, 130)
        if dice.chance(0.5):
            shapes += plants.leaf(base, long, turn, style.green, dice.uniform(0.16, 0.34))
        else:
            curl = [base, polar(base, long * 0.6, turn + 30), polar(base, long, turn)]
            shapes.append(taper(curl, width, 2, style.green))
    count = dice.integer(4, 7)
    for k in range(count):
        heart = polar((x, y), r * 0.85, 360 / count * k)
        shapes += [Circle(heart, r * 0.62, PAPER), Circle(heart, r * 0.56, bloom, width)]
    buds = (
        Circle((dice.uniform(16, 84), dice.uniform(8, 40)), dice.uniform(3, 5), bloom)
        for _ in range(dice.integer(0, 4))
    )
    return (*shapes, *buds, Circle((x, y), r * 0.5, PAPER), Circle((x, y), r * 0.4, bloom, width))


VISTAS: dict[Bonus, Callable[[Style, Dice], Picture]] = {
    "bouquet": bouquet, "basket": basket, "figure": figure, "landscape": landscape,
}  # fmt: skip
