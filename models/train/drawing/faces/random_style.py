"""Sets that nobody has seen, drawn at random within what real makers do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.train.drawing.faces.brush import Hand
from models.train.drawing.faces.dice import Dice
from models.train.drawing.faces.lettering import (
    FLOWING,
    LETTERS,
    WRITING,
    Font,
    Typeface,
    can_write,
    installed_fonts,
)
from models.train.drawing.faces.makers import MAKERS
from models.train.drawing.faces.shapes import Colour
from models.train.drawing.faces.style import (
    BAMBOO_PLANS,
    CIRCLE_PLANS,
    Bonus,
    InkName,
    Style,
    WhiteDragon,
)

_FONT_CHANCE = 0.85
"""How often a set is written with a font, where the machine has any."""

_BLANK_CHANCE = 0.35
"""Least chance that a white dragon without an index is wholly blank."""

_OTHER_HAND_CHANCE = 0.3
"""How often the green dragon is written in a hand of its own."""

_RED: Colour = (190, 28, 38)
_GREEN: Colour = (20, 100, 58)
_BLUE: Colour = (32, 60, 150)
_DARK: Colour = (30, 34, 42)
_NAVY: Colour = (22, 30, 82)
_ANY_INK: Colour = (110, 90, 100)

_BONUS_INKS: tuple[tuple[InkName, InkName], ...] = (
    ("red", "blue"),
    ("blue", "red"),
    ("red", "red"),
    ("dark", "dark"),
    ("dark", "red"),
)
"""Flowers and seasons are often told apart by the colour of their numbers."""

_WHITES: dict[WhiteDragon, float] = {
    "double": 5, "corners": 3, "bars": 2, "dashed": 1, "plain": 2, "blank": 1.5, "letter": 1.5,
    "bai": 0.4, "cut": 4, "scrolls": 2, "meander": 2, "card": 1.5, "two inks": 1, "oval": 0.7,
    "beads": 1,
}  # fmt: skip
_FLOWERS: dict[Bonus, float] = {
    "garden": 5, "sprig": 3, "pot": 1, "bouquet": 6, "basket": 1.5, "figure": 0.6,
    "landscape": 0.3, "beast": 0.2,
}  # fmt: skip
_SEASONS: dict[Bonus, float] = {
    "garden": 2, "sprig": 1, "pot": 1, "bouquet": 3, "basket": 2, "figure": 3, "landscape": 3,
    "beast": 1,
}  # fmt: skip
"""Weights of white dragons, flowers, and seasons that are not drawn like the flowers."""


def random_style(rng: np.random.Generator) -> Style:
    """Return a style; the same state of `rng` gives the same style."""
    dice = Dice(rng)
    style = Style(
        red=dice.ink(_RED, 16),
        green=dice.ink(_GREEN, 18),
        blue=dice.ink(_BLUE, 22),
        dark=dice.ink(_DARK, 10),
        fill=dice.uniform(0.84, 1.15),
        boldness=dice.uniform(0.8, 1.4),
        bend=dice.uniform(0.4, 1.6),
        wear=dice.pick((0.0, dice.uniform(0.05, 0.35), dice.uniform(0.35, 1.0)), (5, 4, 2)),
        seed=int(rng.integers(1 << 31)),
    )
    maker = dice.pick(MAKERS, [maker.share for maker in MAKERS])
    for redraw in (_suits, _bird, _writing, _white, _bonus, _index, maker.redraw, _reconcile):
        style = redraw(style, dice)
    return style


def _suits(style: Style, dice: Dice) -> Style:
    return replace(
        style,
        circle=dice.pick(
            ("rings", "rosette", "wheel", "coin", "cross", "disc", "target", "invented"),
            (6, 2, 2, 1, 1.5, 1, 2, 3),
        ),
        great_circle=dice.pick(
            ("rosette", "sunflower", "rings", "wheel", "medallion", "invented"),
            (1, 2, 1, 1, 1, 4),
        ),
        circle_plan=dice.pick(tuple(CIRCLE_PLANS), (6, 2, 3, 1.5, 1.5, 1, 0.7, 0.7)),
        circle_size=dice.uniform(0.82, 1.04),
        circles_even=dice.chance(0.4),
        circle_gather=dice.pick((1.0, dice.uniform(0.75, 1.0)), (3, 1)),
        circles_rise=dice.chance(0.15),
        dark_for_blue=dice.chance(0.45),
        bamboo=dice.pick(
            ("stick", "jointed", "chain", "slit", "bone", "links", "bar", "knuckles", "rings"),
            (1, 1, 6, 4, 1, 4, 1.5, 1.5, 2.5),
        ),
        bamboo_plan=dice.pick(tuple(BAMBOO_PLANS), (6, 2, 1, 1, 1.5, 0.5, 0.5)),
        bamboo_size=dice.uniform(0.6, 1.0),
        sixes_in_pairs=dice.chance(0.1),
    )


def _bird(style: Style, dice: Dice) -> Style:
    return replace(
        style,
        bird=dice.pick(
            ("crane", "sparrow", "peacock", "parrot", "heron", "invented", "cane"),
            (1, 1.5, 2, 2.5, 1.5, 9, 0.5),
        ),
        bird_mirror=dice.chance(0.4),
        bird_size=dice.uniform(0.78, 1.02),
        bird_inks=_bird_inks(dice),
        bird_lines=dice.pick((0.0, dice.uniform(2.0, 5.0)), (3, 2)),
    )


def _writing(style: Style, dice: Dice) -> Style:
    # Most sets are written in blue or in black throughout.
    ink: InkName = dice.pick(("blue", "dark", "green"), (5, 5, 0.4))
    hand = _hand(dice, WRITING)
    fortune_hand = _hand(dice, FLOWING) if dice.chance(_OTHER_HAND_CHANCE) else hand
    return replace(
        style,
        hand=hand,
        numeral_ink=ink,
        wan_ink=dice.pick(("red", ink), (9, 1)),
        wind_ink=dice.pick((ink, "dark", "blue"), (8, 1, 1)),
        five=dice.pick(("伍", "五"), (2, 1)),
        wan=_sign(dice, hand, "萬万", (8, 1)),
        east=_sign(dice, hand, "東东", (10, 1)),
        fortune=_sign(dice, fortune_hand, "發発发", (8, 1.5, 1.5)),
        fortune_hand=fortune_hand,
        fortune_ink=_fortune_ink(style, dice),
        orchid=_sign(dice, hand, "蘭兰", (3, 1)),
    )


def _white(style: Style, dice: Dice) -> Style:
    sign = dice.pick(("", "白", "P", "B"), (8, 0.7, 1, 0.7))
    return replace(
        style,
        white=dice.pick(tuple(_WHITES), tuple(_WHITES.values())),
        white_ink=dice.pick(("blue", "dark", "green", "red"), (6, 4, 1.5, 0.5)),
        white_size=dice.uniform(0.72, 1.12),
        white_sign=sign,
        white_sign_ink=dice.pick(("red", "blue", "dark", "green")),
    )


def _bonus(style: Style, dice: Dice) -> Style:
    # Without a character only the number says which flower it is.
    has_character = dice.chance(0.65)
    flower_ink, season_ink = dice.pick(_BONUS_INKS, (4, 4, 2, 2, 2))
    return replace(
        style,
        bonus=dice.pick(tuple(_FLOWERS), tuple(_FLOWERS.values())),
        season=dice.pick((None, dice.pick(tuple(_SEASONS), tuple(_SEASONS.values())))),
        bonus_ink=dice.pick(("red", "blue"), (6, 1)),
        bonus_lines=dice.pick((0.0, dice.uniform(2.0, 4.5))),
        bonus_character=has_character,
        bonus_number=not has_character or dice.chance(0.75),
        bonus_digits=dice.pick(("western", "chinese"), (4, 1)),
        flower_ink=flower_ink,
        season_ink=season_ink,
    )


def _index(style: Style, dice: Dice) -> Style:
    return replace(
        style,
        index=dice.pick(
            ("none", "left", "right", "both", "foot", "twin", "gap"),
            (3, 6, 3, 1.5, 0.3, 0.3, 0.7),
        ),
        squeeze=dice.pick((1.0, dice.uniform(0.65, 1.0)), (3, 1)),
        index_height=dice.uniform(7.0, 14.0),
        index_ink=dice.pick(("red", "dark", "blue", "green", "suit"), (4, 3, 3, 0.6, 1.5)),
        index_type=_typeface(dice),
        dragon_index=dice.pick(("CFP", "CFB", "RGW", "   ", "CF ", "RG "), (4, 2, 2, 2, 1, 0.5)),
    )


def _reconcile(style: Style, dice: Dice) -> Style:
    """Take back what would not go together, whoever the maker is."""
    has_no_mark = style.index == "none" or style.dragon_index[2] == " "
    if has_no_mark and style.white != "blank" and dice.chance(_BLANK_CHANCE):
        style = replace(style, white="blank")
    if not isinstance(style.index_type, Font):
        # Our own letters are only those of an index.
        style = replace(style, bonus_words=False, index_words="")
    if not (style.bonus_character or style.bonus_number or style.bonus_words):
        # Plants that are told by nothing but themselves must be those of the four.
        style = replace(style, bonus="garden", season=None)
    return style


def _sign(dice: Dice, hand: Hand | Font, forms: str, weights: Sequence[float]) -> str:
    """Return one form of a sign among those that the hand can write, else the first."""
    weighted_forms = [
        (form, w) for form, w in zip(forms, weights, strict=True) if can_write(form, hand)
    ]
    return dice.pick(*zip(*weighted_forms, strict=True)) if weighted_forms else forms[0]


def _bird_inks(dice: Dice) -> tuple[InkName, InkName, InkName, InkName]:
    names: tuple[InkName, ...] = ("red", "green", "blue", "dark")
    match dice.pick(("true", "mixed", "two", "one"), (4, 3, 3, 1)):
        case "true":
            return "red", "green", "blue", "dark"
        case "mixed":
            red, green, blue, dark = (dice.pick(names) for _ in range(4))
            return red, green, blue, dark
        case "two":
            body = dice.pick(names[1:])
            return "red", body, body, body
        case _:
            body = dice.pick(names)
            return body, body, body, body


def _typeface(dice: Dice) -> Typeface | Font:
    fonts = installed_fonts(LETTERS)
    if fonts and dice.chance(_FONT_CHANCE):
        font = dice.pick(fonts, [font.share for font in fonts])
        return replace(font, growth=dice.uniform(-2.0, 6.0), stretch=dice.uniform(0.75, 1.2))
    width, stretch = dice.uniform(1.1, 2.8), dice.uniform(0.8, 1.15)
    return Typeface(width, stretch, serif=dice.chance(0.4))


def _fortune_ink(style: Style, dice: Dice) -> Colour | None:
    """Return what the green dragon is printed in; none for the set's green."""
    inks = (None, dice.ink(_NAVY, 14), style.dark, style.blue, dice.ink(_ANY_INK, 60))
    return dice.pick(inks, (6, 2.5, 2.5, 1.5, 0.7))


def _hand(dice: Dice, font_choices: tuple[Font, ...]) -> Hand | Font:
    fonts = installed_fonts(font_choices)
    if fonts and dice.chance(_FONT_CHANCE):
        font = dice.pick(fonts, [font.share for font in fonts])
        return replace(
            font,
            growth=dice.uniform(-0.1, 1.0) * font.max_growth,
            stretch=dice.uniform(0.82, 1.25),
            slant=dice.pick((0.0, dice.uniform(-6.0, 10.0)), (2, 1)),
            hollow=dice.pick((0.0, dice.uniform(1.6, 2.6)), (14, 1)),
        )
    return Hand(
        weight=dice.uniform(8.5, 16.0),
        contrast=dice.uniform(0.3, 1.3),
        slant=dice.uniform(-4, 9),
        wobble=dice.uniform(0.0, 1.8),
        seed=int(dice.rng.integers(1 << 31)),
    )
