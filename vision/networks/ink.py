"""The ink of a part of a tile: how much there is, and how much of it is red or blue."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.preprocess import RGB, Float32s

DARK = 0.3
"""So much darker than the tile's paper in one colour at least, a pixel is ink."""

COLOURED = 0.18
"""By so much the strongest colour of red ink stands above the weakest."""

LEAD = 0.1
"""By so much red or blue stands above the colours beside it."""


@dataclass(frozen=True, slots=True)
class Ink:
    """Shares, 0 to 1."""

    covered: float
    """Of the part that is ink."""
    red: float
    """Of the ink that is red."""
    blue: float
    """Of the ink that is blue."""


def ink(tile: RGB, part: RGB) -> Ink:
    """Return the ink of a part of a tile, by the tile's own paper: so lamps do not matter."""
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
    """Return by how much a colour is stronger than both others, (N,)."""
    others = np.delete(light, colour, axis=1).max(1)
    return np.asarray(light[:, colour] - others, np.float32)
