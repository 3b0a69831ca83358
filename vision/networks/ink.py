"""Read the print on tiles: corner numerals, characters and words, and the colour of the ink.

It can name a flower or season that looks unfamiliar. The network reads lines of text
(`models/printed.json` names its origin). It gets square windows of the straightened tile in two or
three sizes, because print varies in size. For words it gets strips across the tile.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.preprocess import RGB, Float32s

DARK = 0.3
"""A pixel is ink if one of its colours is this much darker than the tile's paper."""

COLOURED = 0.18
"""Ink is coloured if its strongest colour exceeds the weakest by this."""

LEAD = 0.1
"""Ink is red or blue if that colour exceeds both others by this."""


@dataclass(frozen=True, slots=True)
class Ink:
    """Ink of a part of a tile, as shares from 0 to 1."""

    covered: float
    """Share of the part that is ink."""
    red: float
    """Share of the ink that is red."""
    blue: float
    """Share of the ink that is blue."""


def ink(tile: RGB, part: RGB) -> Ink:
    """Return the ink of a part of a tile, relative to the tile's paper and so to the light."""
    paper = np.maximum(np.percentile(tile.reshape(-1, 3), 75, axis=0), 1)
    light = np.asarray(np.clip(part / paper, 0, 1.2), np.float32).reshape(-1, 3)
    inked = light[1 - light.min(1) > DARK]
    if not len(inked):
        return Ink(0.0, 0.0, 0.0)
    coloured = inked.max(1) - inked.min(1) > COLOURED
    red = coloured & (_lead(inked, 0) > LEAD)
    blue = coloured & (_lead(inked, 2) > LEAD)
    return Ink(len(inked) / len(light), float(red.mean()), float(blue.mean()))


def _lead(light: Float32s, colour: int) -> Float32s:
    """Return by how much a colour exceeds both others, (N,)."""
    others = np.delete(light, colour, axis=1).max(1)
    return np.asarray(light[:, colour] - others, np.float32)
