"""Drawn tile sets with a part of the drawing left out, for `models.train.ablate`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from models.train.data.sets import MakeBank, recipe_bank
from models.train.faces.bank import ART_SHARE, FaceBank, any_art_bank, own_bank, procedural_bank
from models.train.faces.random_style import random_style
from models.train.faces.style import Bird, Bonus, CircleDesign, GreatCircle, Style

ALL_FACES = "as the recipe draws them"

_BIRDS: tuple[Bird, ...] = ("crane", "sparrow", "peacock", "parrot", "heron")
_CIRCLES: tuple[CircleDesign, ...] = ("rings", "rosette", "wheel")
_GREAT_CIRCLES: tuple[GreatCircle, ...] = ("rosette", "sunflower", "rings", "wheel")
_PLANTS: tuple[Bonus, ...] = ("garden", "sprig", "pot")


def limit_designs(style: Style) -> Style:
    """Return the style with pictures of a few designs, none made up anew for every set.

    No invented bird or dot, medallion, bouquet, figure, landscape or beast is left.
    """
    one = style.seed
    return replace(
        style,
        bird=_BIRDS[one % len(_BIRDS)],
        circle=_CIRCLES[one % len(_CIRCLES)],
        great_circle=_GREAT_CIRCLES[one % len(_GREAT_CIRCLES)],
        bonus=style.bonus if style.bonus in _PLANTS else _PLANTS[one % len(_PLANTS)],
        season=None,
        beasts=False,
    )


def _limited_bank(rng: np.random.Generator) -> FaceBank:
    if rng.random() < ART_SHARE:
        return any_art_bank(rng)
    return procedural_bank(limit_designs(random_style(rng)))


FACE_LESSONS: Mapping[str, MakeBank] = {
    ALL_FACES: recipe_bank,
    "free art alone": any_art_bank,
    "art, and our own of few designs": _limited_bank,
    "our own drawings alone": own_bank,
}
"""What is left of the faces; each is drawn from the same seeds."""
