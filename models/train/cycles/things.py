"""What else lies on a table: cups, phones, books, pens, coins and dice, clear of the tiles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from models.train.cycles.room import Colour
from models.train.cycles.spots import Rng, Spot


@dataclass(frozen=True, slots=True)
class Thing:
    """A box, or a cylinder (`round`), resting on the table; centimetres."""

    name: str
    size: tuple[float, float, float]
    round: bool
    lies_along: bool = False
    """A cylinder that lies on its side."""
    colours: tuple[Colour, ...] = ((0.6, 0.6, 0.6),)
    roughness: float = 0.4


@dataclass(frozen=True, slots=True)
class PlacedThing:
    """A thing where it lies."""

    thing: Thing
    x: float
    y: float
    turn: float
    colour: Colour


_WHITE, _CREAM, _BLACK, _NAVY, _RED = (
    (0.7, 0.68, 0.62), (0.8, 0.75, 0.6), (0.01, 0.01, 0.012), (0.03, 0.06, 0.3), (0.5, 0.03, 0.02),
)  # fmt: skip
_GREY, _BRASS, _TEAL, _YELLOW = (
    (0.3, 0.3, 0.32), (0.45, 0.3, 0.1), (0.05, 0.2, 0.25), (0.8, 0.7, 0.15),
)  # fmt: skip

THINGS: tuple[Thing, ...] = (
    Thing("cup", (7.5, 7.5, 8.0), True, colours=(_WHITE, _NAVY, _RED)),
    Thing("phone", (7.2, 14.8, 0.8), False, colours=(_BLACK, _GREY), roughness=0.12),
    Thing("book", (12.0, 18.0, 1.8), False, colours=(_RED, _TEAL, _CREAM), roughness=0.6),
    Thing("pen", (0.9, 0.9, 14.0), True, True, (_NAVY, _BLACK, _RED), 0.2),
    Thing("coin", (2.3, 2.3, 0.25), True, colours=(_BRASS, _GREY), roughness=0.3),
    Thing("die", (1.5, 1.5, 1.5), False, colours=(_WHITE, _RED), roughness=0.25),
    Thing("note", (7.6, 7.6, 0.3), False, colours=(_YELLOW, _WHITE), roughness=0.9),
    Thing("stick", (0.7, 8.0, 0.4), False, colours=(_CREAM,), roughness=0.3),
)
"""Boxes and cylinders: what they look like matters less than that they are no tiles."""


def place_things(rng: Rng, count: int, spots: Sequence[Spot]) -> list[PlacedThing]:
    """Return things beside and beyond the tiles; what stands tall, beyond all of them."""
    xs, ys = [s.x for s in spots], [s.y for s in spots]
    clear = 2.6
    found: list[PlacedThing] = []
    for _ in range(count * 60):
        if len(found) == count:
            break
        thing = THINGS[rng.integers(len(THINGS))]
        reach = max(thing.size) / 2
        low = max(ys) + reach + clear if thing.size[2] > 3 and not thing.lies_along else min(ys) - 2
        x = rng.uniform(min(xs) - 9, max(xs) + 9)
        y = rng.uniform(low, max(max(ys), low) + 8)
        away = [math.hypot(x - s.x, y - s.y) - reach - clear for s in spots]
        away += [math.hypot(x - p.x, y - p.y) - reach - max(p.thing.size) / 2 for p in found]
        if min(away) > 0:
            colour = thing.colours[rng.integers(len(thing.colours))]
            found.append(PlacedThing(thing, x, y, rng.uniform(0, 2 * math.pi), colour))
    return found
