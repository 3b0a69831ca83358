"""A hand that reaches into the picture, and its sleeve."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from models.train.compose.colours import pick, tinted
from models.train.compose.lofts import Loft, Place, rounded
from models.train.render.scene import Colour, Floats

Rng = np.random.Generator

_SKINS: tuple[Colour, ...] = ((0.60, 0.36, 0.25), (0.45, 0.24, 0.15), (0.22, 0.10, 0.06))


def _limb(place: Place, length: float, radii: tuple[float, ...], colour: Colour) -> Loft:
    """Return a round limb that starts at `place` and runs along its turn."""
    along = np.linspace(0.0, length, len(radii))
    rings: list[Floats] = []
    for x, radius in zip(along, radii, strict=True):
        circle = rounded(2 * radius, 1.7 * radius, radius, 8)
        rings.append(np.column_stack((np.full(len(circle), x), circle)))
    world = place.world(np.array(rings))
    bands = np.tile(np.array(colour), (len(radii) - 1, 1))
    return Loft(world, bands, colour, colour, 0.1, over=True)


def hand(rng: Rng, place: Place) -> list[Loft]:
    """Return forearm, palm and fingers; the fingers' tips lie at `place`, the arm behind it."""
    skin = pick(rng, _SKINS)
    sleeve = tinted(rng, (0.05, 0.9), (0.0, 0.8))
    size = rng.uniform(0.85, 1.1)
    arm = _limb(place.beside(-36.0 * size, 0.0, 2.5), 19.0, tuple(rng.uniform(4.1, 4.7, 8)), sleeve)
    wrist = _limb(place.beside(-18.5 * size, 0.0, 1.8), 6.0, (2.6, 2.6, 2.9), skin)
    palm = _limb(place.beside(-14.0 * size, 0.0, 1.8), 8.0 * size, (2.6, 3.8, 4.1, 3.6), skin)
    fingers = []
    for k in range(4):
        start = place.beside(-7.2 * size, (2.7 - 1.8 * k) * size, 1.3, rng.normal(0.0, 0.06))
        long = (6.0, 7.2, 7.6, 6.6)[k] * size * rng.uniform(0.6, 1.0)
        fingers.append(_limb(start, long, (1.0, 0.95, 0.9, 0.85, 0.45), skin))
    side = float(rng.choice((-1.0, 1.0)))
    root = place.beside(-12.5 * size, side * 1.7 * size, 1.6, side * rng.uniform(0.4, 0.7))
    thumb = _limb(root, 7.5 * size, (1.2, 1.1, 1.0, 0.5), skin)
    limbs = [arm, wrist, palm, thumb, *fingers]
    return [replace(limb, over=True) for limb in limbs]


def reaching(rng: Rng, x: float, y: float, near: float) -> list[Loft]:
    """Return a hand that comes from the table's near side, or another's from anywhere."""
    turn = rng.normal(math.pi / 2, 0.5) if rng.random() < 0.7 else rng.uniform(0.0, 6.3)
    return hand(rng, Place(x, y, near, float(turn)))
