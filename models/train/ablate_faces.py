"""Drawn tile sets with a part of the drawing left out, for `models.train.ablate`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from models.train.data.sets import Draw, of_the_recipe
from models.train.faces.art import art_folders
from models.train.faces.bank import FaceBank, art_bank, procedural_bank
from models.train.faces.random_style import random_style
from models.train.faces.style import Bird, Bonus, CircleDesign, GreatCircle, Style

EVERYTHING = "as the recipe draws them"

_BIRDS: tuple[Bird, ...] = ("crane", "sparrow", "peacock", "parrot", "heron")
_CIRCLES: tuple[CircleDesign, ...] = ("rings", "rosette", "wheel")
_GREAT: tuple[GreatCircle, ...] = ("rosette", "sunflower", "rings", "wheel")
_PLANTS: tuple[Bonus, ...] = ("garden", "sprig", "pot")


def _own(rng: np.random.Generator) -> FaceBank:
    return procedural_bank(random_style(rng))


def _art(rng: np.random.Generator) -> FaceBank:
    folders = art_folders()
    shares = np.array(list(folders.values()))
    return art_bank(list(folders)[int(rng.choice(len(folders), p=shares / shares.sum()))], rng)


def _own_but(redraw: Callable[[Style], Style]) -> Draw:
    return lambda rng: procedural_bank(redraw(random_style(rng)))


def few_designs(style: Style) -> Style:
    """Return the style with pictures of a few designs, none made up anew for every set.

    No invented bird or dot, medallion, bouquet, figure, landscape or beast is left.
    """
    one = style.seed
    return replace(
        style,
        bird=_BIRDS[one % len(_BIRDS)],
        circle=_CIRCLES[one % len(_CIRCLES)],
        great_circle=_GREAT[one % len(_GREAT)],
        bonus=_PLANTS[one % len(_PLANTS)],
        season=None,
        beasts=False,
    )


FACES: Mapping[str, Draw] = {
    EVERYTHING: of_the_recipe,
    "free art alone": _art,
    "our own drawings alone": _own,
    "our own, of few designs": _own_but(few_designs),
    "our own, as new": _own_but(lambda style: replace(style, wear=0.0)),
}
"""What is left of the faces; each is drawn from the same seeds."""
