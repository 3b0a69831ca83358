"""Things on the table that must not be taken for tiles: which there are, and how often."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from models.train.compose import games, household
from models.train.compose.lofts import Loft, Place

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Thing:
    """One kind of thing that may lie about."""

    make: Callable[[Rng, Place], list[Loft]]
    share: float
    reach: float
    """How far it spreads from its place, cm."""


THINGS: tuple[Thing, ...] = (
    Thing(games.dice, 2.4, 5.0),
    Thing(games.dominoes, 1.6, 12.0),
    Thing(games.cards, 1.6, 12.0),
    Thing(household.paper, 1.6, 15.0),
    Thing(household.notebook, 0.8, 11.0),
    Thing(household.packet, 0.8, 12.0),
    Thing(games.coins, 1.0, 9.0),
    Thing(games.tally_sticks, 0.8, 8.0),
    Thing(household.cup, 1.0, 9.0),
    Thing(household.biscuits, 0.6, 9.5),
    Thing(household.phone, 0.8, 8.5),
    Thing(household.keyed, 1.2, 11.0),
    Thing(games.letters, 1.0, 9.0),
    Thing(games.bricks, 0.8, 7.0),
    Thing(games.rack, 0.6, 20.0),
    Thing(household.pencils, 0.7, 9.0),
    Thing(household.loose, 0.8, 9.0),
)


def random_thing(rng: Rng) -> Thing:
    """Choose a thing as often as its share says."""
    shares = np.array([thing.share for thing in THINGS])
    return THINGS[rng.choice(len(THINGS), p=shares / shares.sum())]
