"""Who makes the sets: what each country's makers do alike, and how often we draw as they do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from models.train.drawing.faces.dice import Dice
from models.train.drawing.faces.style import InkName, Style


@dataclass(frozen=True, slots=True)
class Maker:
    """One manner, laid over a style that is random in everything."""

    name: str
    share: float
    redraw: Callable[[Style, Dice], Style]


def _export(style: Style, dice: Dice) -> Style:
    """Return a set made for Britain or Australia: indices as a rule."""
    if style.index == "none":
        style = replace(style, index=dice.pick(("left", "right", "both"), (5, 3, 1)))
    return replace(style, bonus_number=True)


def _chinese(style: Style, dice: Dice) -> Style:
    """Return a set for the home market: large pictures, mostly without indices."""
    return replace(
        style,
        index=dice.pick(("none", style.index), (3, 1)),
        fill=dice.uniform(0.95, 1.2),
        white_sign=dice.pick(("", "白"), (5, 1)),
    )


def _riichi(style: Style, dice: Dice) -> Style:
    """Return a Japanese set: no index, a white dragon with nothing on it, red fives."""
    ink: InkName = dice.pick(("dark", "blue"), (4, 1))
    return replace(
        style,
        index="none",
        fill=dice.uniform(0.9, 1.12),
        numeral_ink=ink,
        wan_ink="red",
        wind_ink="dark",
        white=dice.pick(("blank", "plain", "double"), (7, 1, 1)),
        white_sign="",
        red_fives=dice.chance(0.35),
        bird=dice.pick(("peacock", "invented"), (1, 1)),
        circle=dice.pick(("rings", "target", "rosette", "wheel", "invented"), (2, 2, 2, 1, 2)),
        circle_plan=dice.pick(("three-colour", "blue-top", "green-red")),
        bonus_character=dice.chance(0.85),
        bonus_number=dice.chance(0.3),
    )


def _taiwanese(style: Style, dice: Dice) -> Style:
    """Return a large Taiwanese set: heavy signs in green, blue or black, numbers in two colours."""
    ink: InkName = dice.pick(("dark", "green", "blue"), (3, 1, 3))
    flower: InkName = dice.pick(("red", "red", "blue"))
    season: InkName = "red" if flower == "blue" else dice.pick(("blue", "red"), (2, 1))
    return replace(
        style,
        index=dice.pick(("none", style.index), (4, 1)),
        fill=dice.uniform(1.05, 1.22),
        boldness=dice.uniform(1.1, 1.5),
        numeral_ink=ink,
        wind_ink=ink,
        bamboo_size=dice.uniform(0.85, 1.05),
        circle_size=dice.uniform(0.95, 1.06),
        white=dice.pick(("double", "cut", "corners", "plain", "card"), (4, 3, 2, 1, 1)),
        white_ink=dice.pick(("blue", "dark", "green"), (5, 2, 1)),
        white_size=dice.uniform(1.0, 1.15),
        bonus_number=True,
        bonus_digits=dice.pick(("western", "chinese"), (3, 2)),
        flower_ink=flower,
        season_ink=season,
    )


def _american(style: Style, dice: Dice) -> Style:
    """Return an American set: dragons drawn as dragons, a P or the word on the white, words."""
    return replace(
        style,
        index=dice.pick(("left", "right", "both")),
        index_words=dice.pick(("", "pairs", "words"), (4, 1, 1.5)),
        dragon_index=dice.pick(("   ", "RGW", "RGP", "RG ", "CFP"), (4, 2, 1, 1, 1)),
        beasts=dice.chance(0.75),
        white=dice.pick(
            ("cut", "scrolls", "double", "meander", "plain", "beads"), (3, 3, 2, 2, 1, 1)
        ),
        white_sign=dice.pick(("", "P", "B", "W"), (3, 4, 1, 0.5)),
        bonus_words=dice.chance(0.5),
        bonus_character=dice.chance(0.3),
    )


def _antique(style: Style, dice: Dice) -> Style:
    """Return an old set of bone and bamboo: fine cut lines, often neither index nor white frame."""
    return replace(
        style,
        index=dice.pick(("none", "left", "right"), (3, 2, 1)),
        index_height=dice.uniform(6.0, 9.5),
        fill=dice.uniform(0.82, 1.0),
        boldness=dice.uniform(0.6, 1.0),
        bend=dice.uniform(1.0, 2.0),
        wear=dice.uniform(0.2, 1.0),
        bird_lines=dice.uniform(1.6, 3.2),
        bonus_lines=dice.uniform(1.6, 3.0),
        white=dice.pick(("blank", style.white), (3, 2)),
        bonus_number=dice.chance(0.7),
        bonus_character=dice.chance(0.6),
    )


def _one_ink(style: Style, dice: Dice) -> Style:
    """Return a cheap set, all of it printed in one ink, its white dragons mostly blank."""
    ink = dice.pick((style.dark, style.green, style.blue), (6, 1, 1))
    return replace(
        style,
        red=ink,
        green=ink,
        blue=ink,
        dark=ink,
        white=dice.pick(("blank", style.white), (2, 1)),
        white_sign="",
    )


MAKERS: tuple[Maker, ...] = (
    Maker("export", 5.0, _export),
    Maker("any", 2.0, lambda style, dice: style),
    Maker("chinese", 2.0, _chinese),
    Maker("riichi", 1.6, _riichi),
    Maker("taiwanese", 1.3, _taiwanese),
    Maker("american", 1.0, _american),
    Maker("antique", 1.3, _antique),
    Maker("one ink", 1.8, _one_ink),
)
