"""Tile bodies: their proportions, and the colours that real sets come in."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from models.train.render.scene import Art, Body, Colour, Solid
from scorer.tiles import FACE_DOWN

Lying = Literal["up", "down", "standing"]

FRONTS: tuple[Colour, ...] = (
    (0.84, 0.83, 0.80),  # white
    (0.80, 0.80, 0.81),  # cold white
    (0.80, 0.75, 0.63),  # ivory
    (0.74, 0.66, 0.49),  # bone
    (0.82, 0.79, 0.71),  # cream
)

BACKS: tuple[Colour, ...] = (
    (0.03, 0.28, 0.12),  # green
    (0.10, 0.42, 0.12),  # bright green
    (0.02, 0.12, 0.36),  # blue
    (0.13, 0.42, 0.75),  # light blue
    (0.42, 0.02, 0.27),  # magenta
    (0.55, 0.27, 0.05),  # amber
    (0.50, 0.40, 0.08),  # mustard
    (0.33, 0.02, 0.03),  # red
    (0.20, 0.09, 0.04),  # bamboo brown
    (0.02, 0.02, 0.02),  # black
    (0.80, 0.79, 0.76),  # white
)


def jitter_colour(rng: np.random.Generator, colour: Colour, amount: float = 0.08) -> Colour:
    """Return a colour near this one."""
    r, g, b = np.clip(np.array(colour) * np.exp(rng.normal(0.0, amount, 3)), 0.005, 0.88)
    return (float(r), float(g), float(b))


def random_body(rng: np.random.Generator) -> Body:
    """Make up the body of a set's tiles."""
    width = rng.uniform(2.1, 2.8)
    front = jitter_colour(rng, FRONTS[rng.integers(len(FRONTS))], 0.03)
    plain = rng.random() < 0.12
    back = front if plain else jitter_colour(rng, BACKS[rng.integers(len(BACKS))], 0.15)
    return Body(
        width=width,
        height=width * rng.uniform(1.28, 1.42),
        depth=width * rng.uniform(0.56, 0.85),
        radius=width * rng.uniform(0.06, 0.17),
        back_share=0.0 if rng.random() < 0.1 else rng.uniform(0.15, 0.5),
        front=front,
        back=back,
        gloss=rng.uniform(0.15, 1.0),
        engraving=rng.uniform(0.05, 0.6),
        ink=rng.uniform(1.0, 2.6),
        wear=rng.uniform(0.0, 1.0) ** 2,
    )


def _pose(turn: float, lies: Lying) -> np.ndarray:
    """Return the tile's own axes in the world for a turn (radians, anticlockwise from above)."""
    c, s = math.cos(turn), math.sin(turn)
    match lies:
        case "up":
            rows = ((c, s, 0.0), (-s, c, 0.0), (0.0, 0.0, 1.0))
        case "down":
            rows = ((-c, -s, 0.0), (-s, c, 0.0), (0.0, 0.0, -1.0))
        case "standing":
            rows = ((c, s, 0.0), (0.0, 0.0, 1.0), (s, -c, 0.0))
    return np.array(rows)


def tile(
    body: Body,
    code: str,
    art: Art | None,
    place: tuple[float, float, float],
    turn: float,
    lies: Lying,
) -> Solid:
    """Return a tile resting at `place` (x, y, height of what it rests on).

    A tile that lies down is labelled `??`, whatever its code. A standing one faces the player at
    turn 0.
    """
    rise = body.height if lies == "standing" else body.depth
    return Solid(
        centre=np.array((place[0], place[1], place[2] + rise / 2)),
        axes=_pose(turn, lies),
        size=(body.width, body.height, body.depth),
        radius=body.radius,
        front=body.front,
        back=body.back if body.back_share > 0.0 else body.front,
        back_share=body.back_share,
        gloss=body.gloss,
        engraving=body.engraving,
        ink=body.ink,
        wear=body.wear,
        art=art,
        code=FACE_DOWN if lies == "down" else code,
    )
