"""Birds that no maker has drawn yet: every part of a bird at random, 100 x 130 units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, radians, sin

from models.train.drawing.faces import plants
from models.train.drawing.faces.brush import brush, taper
from models.train.drawing.faces.dice import Dice
from models.train.drawing.faces.shapes import PAPER, Circle, Colour, Point, Shape, blob, line, polar
from models.train.drawing.faces.style import Style

Part = tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class _Bird:
    """What the parts hang on. It looks to the left; the spine runs from the neck to the rump."""

    neck: Point
    breast: Point
    rump: Point
    head: Point
    skull: float
    """Radius of the head."""
    tilt: float
    """How steeply the back falls, in degrees: 0 lies flat, 90 stands upright."""
    body: Colour
    wing: Colour
    tail: Colour
    mark: Colour

    def spine_point(self, part: float, height: float = 0.0) -> Point:
        """Return a point of the back: `part` of the way to the rump, `height` units outside."""
        (x, y), (u, v) = self.neck, self.rump
        turn = radians(self.tilt)
        return x + (u - x) * part + height * sin(turn), y + (v - y) * part - height * cos(turn)


def invented_bird(style: Style, dice: Dice) -> Part:
    """Return a bird of random build in the style's inks."""
    bird = _build(style, dice)
    parts = [
        *_perch(bird, style, dice),
        *_tail(bird, style, dice),
        *_legs(bird, style, dice),
        *_trunk(bird, dice),
        *_wing(bird, dice),
        *_head(bird, style, dice),
    ]
    return tuple(parts)


def _build(style: Style, dice: Dice) -> _Bird:
    tilt, long = dice.uniform(30, 85), dice.uniform(28, 44)
    turn = radians(tilt)
    neck = (dice.uniform(28, 46), dice.uniform(34, 54))
    rump = (neck[0] + long * cos(turn), neck[1] + long * sin(turn))
    breast = (neck[0] + dice.uniform(-4, 6), neck[1] + long * dice.uniform(0.3, 0.6))
    skull, reach = dice.uniform(6, 12), dice.pick((4.0, 10.0, 24.0), (4, 4, 2))
    lean = dice.uniform(-60, 15)
    head = polar(neck, reach + skull * 0.6, lean)
    inks = (style.red, style.green, style.blue, style.dark)
    body, wing, tail, mark = (dice.pick(inks) for _ in range(4))
    return _Bird(neck, breast, rump, head, skull, tilt, body, wing, tail, mark)


def _trunk(bird: _Bird, dice: Dice) -> Part:
    fat = dice.uniform(16, 30)
    spine = [bird.head, bird.neck, bird.spine_point(0.5, -fat * 0.22), bird.rump]
    trunk = brush(spine, (bird.skull * 1.3, fat * 0.6, fat, fat * 0.95, fat * 0.4), bird.body)
    marks: list[Shape] = []
    kind = dice.pick(("bars", "scales", "bib", "plain"))
    for k in range(0 if kind == "plain" else 3):
        x, y = bird.spine_point(0.12 + 0.2 * k, -fat * 0.45)
        if kind == "bars":
            marks.append(line([(x - 5, y + 2), (x, y - 2), (x + 5, y + 1)], PAPER, 2, smooth=True))
        elif kind == "scales":
            marks += [Circle((x, y), 3.4, PAPER, 1.4), Circle((x + 5, y - 5), 3, PAPER, 1.4)]
        else:
            marks.append(Circle((x - 2, y), 5.5 - k, bird.mark))
    return (trunk, *marks)


def _wing(bird: _Bird, dice: Dice) -> Part:
    foot, count, long = bird.spine_point(0.18), dice.integer(3, 6), dice.uniform(24, 48)
    is_raised = dice.chance(0.4)
    start = dice.uniform(-35, 25) if is_raised else bird.tilt + 90 - dice.uniform(-8, 12)
    spread = dice.uniform(12, 24) if is_raised else dice.uniform(5, 10)
    wide = dice.uniform(5, 10)
    shapes: list[Shape] = []
    for k in range(count):
        tip = polar(foot, long * (1 - 0.09 * k), start + spread * k * (1 if is_raised else -1))
        side = polar(foot, long * 0.5, start + spread * k + dice.uniform(-14, 14))
        shapes.append(brush([foot, side, tip], (wide, wide + 4, 4), PAPER))
        ink = bird.wing if k % 2 == 0 or dice.chance(0.6) else bird.mark
        shapes.append(brush([foot, side, tip], (wide * 0.7, wide, 1), ink))
    shapes.append(Circle(foot, dice.uniform(5, 9), bird.wing))
    if dice.chance(0.5):
        shapes.append(Circle(foot, 3.2, PAPER, 1.5))
    return tuple(shapes)


def _tail(bird: _Bird, style: Style, dice: Dice) -> Part:
    count, long = dice.integer(2, 7), dice.uniform(22, 64)
    direction = bird.tilt + 90 + dice.pick((0.0, dice.uniform(-75, -20), 25.0), (6, 2, 2))
    spread, wide = dice.uniform(5, 22), dice.uniform(4, 9)
    curl, has_eyes = dice.uniform(-26, 26), dice.chance(0.25)
    shapes: list[Shape] = []
    for k in range(count):
        turn = direction + spread * (k - (count - 1) / 2)
        tail_end = long * (1 - 0.06 * abs(k - count / 2))
        middle, tip = (
            polar(bird.rump, tail_end * 0.55, turn),
            polar(bird.rump, tail_end, turn + curl),
        )
        ink = (bird.tail, bird.tail, bird.mark, style.red)[dice.integer(0, 3)]
        shapes.append(brush([bird.rump, middle, tip], (wide * 0.6, wide, wide * 0.4), ink))
        if has_eyes:
            shapes += [Circle(tip, 6, ink), Circle(tip, 3.6, PAPER), Circle(tip, 2, style.red)]
    return tuple(shapes)


def _legs(bird: _Bird, style: Style, dice: Dice) -> Part:
    ink, long = dice.pick((style.red, style.dark, bird.body)), dice.uniform(10, 30)
    shapes: list[Shape] = []
    for k in range(dice.integer(0, 2)):
        x, y = bird.spine_point(0.55 + 0.2 * k, -9)
        foot = (x + dice.uniform(-8, 6), y + long)
        shapes.append(line([(x, y), (x + 2, y + long * 0.5), foot], ink, 2.6))
        shapes += [line([foot, (foot[0] + d, foot[1] + 3)], ink, 2) for d in (-6, 0, 5)]
    return tuple(shapes)


def _head(bird: _Bird, style: Style, dice: Dice) -> Part:
    (x, y), r = bird.head, bird.skull
    head_drop, beak = dice.uniform(-4, 8), dice.pick((style.red, style.dark, bird.mark))
    shapes: list[Shape] = list(_CRESTS[dice.pick(tuple(_CRESTS))](bird, dice))
    if dice.chance(0.3):
        hook: list[Point] = [(x - r * 0.5, y - r * 0.6), (x - r * 1.5, y - r * 0.2),
                             (x - r * 1.7, y + r * 0.9), (x - r * 1.7, y + r * 0.9),
                             (x - r * 0.7, y + r * 0.5)]  # fmt: skip
        shapes.append(blob(hook, beak))
    else:
        tip = (x - r - dice.uniform(6, 24), y + head_drop)
        shapes.append(taper([(x - r * 0.6, y), ((x - r + tip[0]) / 2, y + head_drop / 3), tip],
                            r * 0.9, 1, beak))  # fmt: skip
    eye = (x - r * 0.2, y - r * 0.1)
    return (*shapes, Circle((x, y), r, bird.body), Circle(eye, r * 0.5, PAPER),
            Circle(eye, r * 0.26, style.dark))  # fmt: skip


def _comb(bird: _Bird, dice: Dice) -> Part:
    wide = dice.uniform(0.35, 0.55)
    comb = (Circle(polar(bird.head, bird.skull, t), bird.skull * wide, bird.mark)
            for t in (-30, 0, 30, 60))  # fmt: skip
    return (*comb, Circle(polar(bird.head, bird.skull * 1.2, 210), bird.skull * 0.4, bird.mark))


def _plumes(bird: _Bird, dice: Dice) -> Part:
    long, dots = dice.uniform(1.7, 2.8) * bird.skull, dice.chance(0.6)
    shapes: list[Shape] = []
    for turn in (-25, 5, 35):
        tip = polar(bird.head, long, turn)
        shapes.append(line([bird.head, tip], bird.mark, 2))
        shapes += [Circle(tip, 2.6, bird.mark)] if dots else []
    return tuple(shapes)


def _swept_wing(bird: _Bird, dice: Dice) -> Part:
    x, y = bird.head
    reach = dice.uniform(12, 26)
    return tuple(
        taper([(x, y - 2), (x + reach * 0.5, y - 10 - 3 * k), (x + reach, y - 6 - 7 * k)], 6, 1,
              bird.mark)
        for k in range(dice.integer(1, 3))
    )  # fmt: skip


def _bald(bird: _Bird, dice: Dice) -> Part:
    return ()


_CRESTS: dict[str, Callable[[_Bird, Dice], Part]] = {
    "comb": _comb, "plumes": _plumes, "swept": _swept_wing, "bald": _bald,
}  # fmt: skip


def _perch(bird: _Bird, style: Style, dice: Dice) -> Part:
    x, y = bird.spine_point(0.6, -dice.uniform(22, 34))
    kind = dice.pick(("none", "branch", "rock", "bamboo"), (4, 4, 1, 1))
    if kind == "none":
        return ()
    if kind == "rock":
        rock = [(x - 30, y + 14), (x - 16, y), (x + 4, y + 4), (x + 20, y - 4), (x + 34, y + 16)]
        return (blob(rock, style.dark), line(rock[1:4], PAPER, 2, smooth=True))
    ink = dice.pick((style.green, style.dark))
    start, end = (x - 44, y + dice.uniform(-8, 14)), (x + 44, y + dice.uniform(-14, 8))
    if kind == "bamboo":
        return plants.cane(start, end, 6, 3, ink)
    leaves: list[Shape] = []
    for _ in range(dice.integer(1, 4)):
        base = (x + dice.uniform(-40, 40), y)
        leaves += plants.leaf(base, dice.uniform(14, 26), dice.uniform(0, 360), style.green)
    return (*plants.stem([start, (x, y + 3), end], 5, ink), *leaves)
