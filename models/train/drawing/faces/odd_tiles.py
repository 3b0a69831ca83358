"""Tiles of a set that are none of the 42: jokers, wild tiles, extra animals, makers' own signs.

A spare blank is not among them: it looks like a blank white dragon.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from models.train.drawing.faces.beasts import BEASTS
from models.train.drawing.faces.dice import Dice
from models.train.drawing.faces.lettering import (
    Font,
    can_write,
    sign_shapes,
    text_shapes,
    text_width,
)
from models.train.drawing.faces.shapes import (
    FACE_HEIGHT,
    FACE_WIDTH,
    PAPER,
    Circle,
    Colour,
    Drawing,
    Picture,
    Shape,
    fit,
    line,
    move,
    place,
    polar,
    polygon,
    round_box,
)
from models.train.drawing.faces.shapes import Path as Outline
from models.train.drawing.faces.style import Style
from models.train.drawing.faces.variation import fit_picture, vary_hand
from models.train.drawing.faces.vistas import figure

_JOKER_WORDS = ("JOKER", "BIG JOKER", "WILD", "JOKER", "FREE")
_CLUB_WORDS = ("MAH JONGG", "CLUB", "LUCKY", "M·J", "CASINO", "No. 1")
_WILD_SIGNS = ("百搭", "聽用", "財神", "飛", "總", "喜", "福", "壽", "貓", "鼠")
_ODD_COUNTS = (3, 5)


def odd_faces(style: Style) -> tuple[Drawing, ...]:
    """Return three to five of the tiles that this set has beside the 42."""
    dice = Dice(np.random.default_rng([style.seed, 5]))
    kinds = tuple(_KINDS)
    drawings = (_KINDS[dice.pick(kinds, (4, 4, 3, 4, 1.5, 1))](style, dice)
             for _ in range(dice.integer(*_ODD_COUNTS)))  # fmt: skip
    return tuple(Drawing(picture) for picture in drawings)


def _ink(style: Style, dice: Dice) -> Colour:
    return dice.pick((style.red, style.green, style.blue, style.dark))


def _picture(shapes: Picture, style: Style, dice: Dice, top: float = 8.0) -> Picture:
    """Place a 100 x 130 picture on the face below `top`."""
    size = (FACE_WIDTH - 14.0, FACE_HEIGHT - 8.0 - top)
    bent_picture = vary_hand(shapes, dice, (100.0, 130.0), style.bend)
    return move(fit_picture(bent_picture, size), place(7.0, top))


def _word(text: str, style: Style, dice: Dice) -> Picture:
    """Return a word across, down or aslant the face, as large as there is room."""
    font, ink = style.index_type, _ink(style, dice)
    if dice.chance(0.4) and " " not in text:
        high = min(13.0, (FACE_HEIGHT - 16) / len(text) - 1.5)
        shapes: list[Shape] = []
        for k, letter in enumerate(text):
            left = (FACE_WIDTH - text_width(letter, high, font)) / 2
            spot = place(left, 8 + k * (high + 1.5))
            shapes += move(text_shapes(letter, high, font, ink), spot)
        return tuple(shapes)
    turn = dice.pick((0.0, -90.0, dice.uniform(-62, -40)), (3, 1, 2))
    room = FACE_WIDTH - 8 if turn == 0 else FACE_HEIGHT - 20
    high = min(16.0, 16.0 * room / text_width(text, 16.0, font))
    mark = move(
        text_shapes(text, high, font, ink), place(-text_width(text, high, font) / 2, -high / 2)
    )
    y = FACE_HEIGHT / 2 if turn else dice.pick((12.0, FACE_HEIGHT - 12.0, FACE_HEIGHT / 2))
    return move(mark, place(FACE_WIDTH / 2, y, turn=turn))


def _joker(style: Style, dice: Dice) -> Picture:
    """Return the word with or without a jester, or the jester alone where there are no letters."""
    if not isinstance(style.index_type, Font):
        return _jester(style, dice)
    word = _word(dice.pick(_JOKER_WORDS), style, dice)
    return word if dice.chance(0.5) else (*_jester(style, dice), *word)


def _jester(style: Style, dice: Dice) -> Picture:
    """Return a laughing face under a cap with bells."""
    skin, cap, other = (_ink(style, dice) for _ in range(3))
    shapes: list[Shape] = []
    for turn, ink in ((-58, cap), (0, other), (58, cap)):
        tip = polar((50, 62), dice.uniform(44, 58), turn + dice.uniform(-10, 10))
        side = (polar((50, 62), 22, turn + d) for d in (-40, 40))
        shapes += [polygon([*side, tip], ink), Circle(tip, 6, other)]
    shapes += [Circle((50, 70), 27, PAPER), Circle((50, 70), 25, skin, dice.uniform(3, 6))]
    for x in (41, 59):
        shapes.append(Circle((x, 64), dice.uniform(2.5, 4.5), skin))
    smile = [(36, 76), (50, 76 + dice.uniform(8, 14)), (64, 76)]
    shapes.append(line(smile, style.red, 4, smooth=True))
    for k in range(dice.integer(0, 6)):
        bell_point = polar((50, 100), 12, 60 * k)
        shapes.append(polygon([(50, 96), bell_point, polar(bell_point, 8, 60 * k + 30)], other))
    return _picture(tuple(shapes), style, dice)


def _wild(style: Style, dice: Dice) -> Picture:
    """Return what Chinese makers write on their wild tiles."""
    signs = [text for text in _WILD_SIGNS if all(can_write(sign, style.hand) for sign in text)]
    if not signs:
        return _emblem(style, dice)
    text, ink = dice.pick(signs), _ink(style, dice)
    high = 50.0 if len(text) == 1 else 31.0
    top = FACE_HEIGHT / 2 - high * len(text) / 2
    wide = high * 0.46 if len(text) == 1 else high * 0.56
    writing: list[Shape] = []
    for k, sign in enumerate(text):
        box = (
            FACE_WIDTH / 2 - wide,
            top + k * high,
            FACE_WIDTH / 2 + wide,
            top + (k + 0.94) * high,
        )
        writing += move(sign_shapes(sign, style.hand, ink), fit(box))
    if dice.chance(0.3):
        writing.append(
            Outline((round_box((5, 5, 55, 75), 4),), _ink(style, dice), 1.5, smooth=True)
        )
    return tuple(writing)


def _animal(style: Style, dice: Dice) -> Picture:
    """Return a beast; birds are left out, since one of them is the 1 of bamboos."""
    return _picture(dice.pick(tuple(BEASTS.values()))(style, dice), style, dice)


def _emblem(style: Style, dice: Dice) -> Picture:
    """Return a maker's mark: a star or a heart-like shield, often with a word."""
    ink, points = _ink(style, dice), dice.integer(4, 8)
    outer_radius, inner_radius = 24.0, dice.uniform(8, 14)
    star = [
        polar((0, 0), outer_radius if k % 2 == 0 else inner_radius, 180 / points * k)
        for k in range(2 * points)
    ]
    shapes: list[Shape] = [polygon(star, ink)]
    if dice.chance(0.5):
        shapes.append(polygon([(x * 0.6, y * 0.6) for x, y in star], PAPER))
    emblem = move(shapes, place(FACE_WIDTH / 2, dice.uniform(32, 48)))
    if isinstance(style.index_type, Font) and dice.chance(0.6):
        emblem += _word(dice.pick(_CLUB_WORDS), style, dice)
    return emblem


def _fortune_god(style: Style, dice: Dice) -> Picture:
    return _picture(figure(style, dice), style, dice)


_KINDS: dict[str, Callable[[Style, Dice], Picture]] = {
    "joker": _joker, "jester": _jester, "wild": _wild, "animal": _animal, "emblem": _emblem,
    "god": _fortune_god,
}  # fmt: skip
