"""Simple bodies of which things are made."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from models.train.compose import papers
from models.train.compose.lofts import Loft, Place, Print, bevelled, lying, stack
from models.train.render.scene import Art, Colour

Rng = np.random.Generator

IVORY: Colour = (0.78, 0.72, 0.58)
BLACK: Colour = (0.02, 0.02, 0.025)
BLUE: Colour = (0.03, 0.05, 0.30)
RED: Colour = (0.45, 0.02, 0.02)


def block(
    place: Place, size: tuple[float, float, float], colour: Colour, art: Art | None = None
) -> Loft:
    """Return a box of width, height and depth with slightly rounded edges."""
    bevel = min(0.12, 0.3 * size[2])
    rings = stack(size[:2], 2 * bevel, bevelled(size[2], bevel))
    return lying(place, rings, colour, 0.3, art)


def disc(place: Place, radius: float, high: float, colour: Colour, art: Art | None = None) -> Loft:
    """Return a coin, a counter, a biscuit."""
    rings = stack((2 * radius, 2 * radius), radius, bevelled(high, min(0.1, 0.3 * high)))
    return lying(place, rings, colour, 0.5, art)


def flat(rng: Rng, place: Place, size: tuple[float, float], art: Art) -> Loft:
    """Return a leaf of paper."""
    rings = stack(size, 0.02, ((0.0, 0.0), (0.0, rng.uniform(0.02, 0.06))))
    return lying(place, rings, papers.PAPER, 0.05, art)


def sided(loft: Loft, size: tuple[float, float, float], place: Place, arts: list[Art]) -> Loft:
    """Return a block with pictures on its four sides."""
    w, h, d = size[0] / 2, size[1] / 2, size[2]
    sides = []
    for art, (ax, ay, bx, by) in zip(
        arts,
        ((-w, -h, w, -h), (w, -h, w, h), (w, h, -w, h), (-w, h, -w, -h)),
        strict=True,
    ):
        corners = np.array(((ax, ay, d), (bx, by, d), (bx, by, 0.0), (ax, ay, 0.0)))
        inset = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * 0.84
        sides.append(Print(art, place.world(inset)))
    return replace(loft, prints=tuple(sides))


def together(place: Place, lofts: list[Loft]) -> list[Loft]:
    """Return things that lie on each other, to be painted in this order."""
    return [replace(loft, anchor=place.point) for loft in lofts]


def round_cut(art: Art) -> Art:
    """Return the picture with all outside its inscribed circle clear."""
    mask = np.zeros(art.shape[:2], np.uint8)
    middle = art.shape[0] // 2
    cv2.circle(mask, (middle, middle), middle - 1, 1, -1)
    return np.asarray(art * mask[..., None], np.uint8)
