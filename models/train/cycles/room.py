"""A random room for a picture: tile bodies, table, lamps and how the phone is held."""

from __future__ import annotations

import math
from dataclasses import dataclass

from models.train.cycles.camera import Stance
from models.train.cycles.spots import Rng, Shape

Colour = tuple[float, float, float]
"""Linear red, green, blue."""

FRONTS: tuple[Colour, ...] = (
    (0.78, 0.70, 0.53), (0.83, 0.79, 0.69), (0.84, 0.84, 0.81), (0.70, 0.61, 0.42),
)  # fmt: skip
"""Ivory, cream, white, old bone."""
BACKS: tuple[Colour, ...] = (
    (0.02, 0.22, 0.10), (0.02, 0.09, 0.30), (0.45, 0.24, 0.07), (0.30, 0.02, 0.05),
    (0.35, 0.30, 0.10), (0.02, 0.20, 0.28), (0.05, 0.03, 0.02),
)  # fmt: skip
"""Green, blue, bamboo, red, mustard, teal, ebony."""
TABLES = ("cloth", "wood", "baize", "plain", "patterned", "leather")


@dataclass(frozen=True, slots=True)
class Body:
    """A set's tiles: their shape and what they are made of."""

    shape: Shape
    front: Colour
    back: Colour
    roughness: float
    coat: float
    """Of lacquer, 0 to 1."""
    depth: float
    """How much light goes in and out again (subsurface), 0 to 1."""
    engraved: float
    """How deep the ink lies, 0 for printed faces."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """An area light that looks at the middle of the hand; centimetres and radians."""

    azimuth: float
    elevation: float
    distance: float
    size: float
    power: float
    """Relative: the light that it throws on the table."""
    colour: Colour


@dataclass(frozen=True, slots=True)
class Room:
    """Where the photograph is taken."""

    body: Body
    table: str
    """One of TABLES."""
    texture: int
    """Seed of the table's pattern."""
    lamps: tuple[Lamp, ...]
    ambient: Colour
    stance: Stance


def random_body(rng: Rng, *, two_coloured: bool) -> Body:
    """Make up a set's tiles; some have backs like their fronts unless that is ruled out."""
    width = rng.uniform(2.0, 2.7)
    two_coloured = two_coloured or rng.random() < 0.85
    shape = Shape(
        width,
        width * rng.uniform(1.29, 1.4),
        width * rng.uniform(0.58, 0.8),
        width * rng.uniform(0.05, 0.12),
        rng.uniform(0.25, 0.5) if two_coloured else 0.0,
    )
    return Body(
        shape,
        FRONTS[rng.integers(len(FRONTS))],
        BACKS[rng.integers(len(BACKS))],
        rng.uniform(0.15, 0.5),
        float(rng.choice((0.0, 0.5, 1.0))),
        float(rng.choice((0.0, 0.0, 0.15))),
        float(rng.choice((0.0, rng.uniform(0.3, 1.0)))),
    )


def random_lamps(rng: Rng) -> tuple[Lamp, ...]:
    """Make up daylight from a window, a lamp above the table, or both."""
    around = rng.uniform(0.0, 2 * math.pi)
    window = Lamp(
        around, rng.uniform(0.35, 0.9), 180.0, rng.uniform(70, 140), 1.0, (0.9, 0.97, 1.0)
    )
    lamp = Lamp(
        rng.uniform(0, 2 * math.pi), rng.uniform(0.9, 1.5), rng.uniform(70, 150),
        rng.uniform(12, 45), 1.0, (1.0, rng.uniform(0.72, 0.9), rng.uniform(0.45, 0.75)),
    )  # fmt: skip
    return ((window,), (lamp,), (window, lamp))[rng.integers(3)]


def random_stance(rng: Rng, kind: str) -> Stance:
    """Make up how a phone is held over what is photographed."""
    low, high = {"table": (65, 88), "angle": (55, 85), "pile": (50, 88)}.get(kind, (46, 85))
    fill = {"single": (0.12, 0.9)}.get(kind, (0.78, 0.93))
    return Stance(
        elevation=math.radians(rng.uniform(low, high)),
        azimuth=float(rng.normal(0.0, 0.09)),
        roll=float(rng.normal(0.0, 0.04)),
        field=rng.uniform(0.8, 1.2),
        fill=rng.uniform(*fill),
        aperture=rng.uniform(0.0, 0.3),
    )


def random_room(rng: Rng, kind: str, *, two_coloured: bool = True) -> Room:
    """Make up where a picture of this kind is taken."""
    ambient = rng.uniform(0.25, 0.7)
    return Room(
        body=random_body(rng, two_coloured=two_coloured),
        table=TABLES[rng.integers(len(TABLES))],
        texture=int(rng.integers(1 << 30)),
        lamps=random_lamps(rng),
        ambient=(ambient, ambient * rng.uniform(0.92, 1.0), ambient * rng.uniform(0.8, 1.05)),
        stance=random_stance(rng, kind),
    )
