"""The throws that random styles and pictures need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from models.train.drawing.faces.shapes import Colour

Choice = TypeVar("Choice")


@dataclass(frozen=True, slots=True)
class Dice:
    """A random generator with named throws."""

    rng: np.random.Generator

    def pick(self, choices: Sequence[Choice], weights: Sequence[float] | None = None) -> Choice:
        """Return one of the choices, by weight where weights are given."""
        p = None if weights is None else np.asarray(weights) / sum(weights)
        return choices[int(self.rng.choice(len(choices), p=p))]

    def uniform(self, low: float, high: float) -> float:
        """Return a number between two others."""
        return float(self.rng.uniform(low, high))

    def integer(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`, both included."""
        return int(self.rng.integers(low, high + 1))

    def chance(self, share: float) -> bool:
        """Return true in a share of all throws."""
        return bool(self.rng.random() < share)

    def ink(self, base: Colour, spread: float) -> Colour:
        """Return a colour near `base`: lighter or darker as a whole, and a little off in hue."""
        light = self.rng.normal(0, spread)
        r, g, b = (int(np.clip(c + light + self.rng.normal(0, spread * 0.6), 0, 225)) for c in base)
        return r, g, b
