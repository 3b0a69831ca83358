"""Tiles: what bodies real sets have, and how one tile lies on the table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.train.drawing.compose.colours import Art, Colour
from scorer.tiles import FACE_DOWN

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Body:
    """The tiles of one set, without their pictures."""

    width: float
    height: float
    depth: float
    radius: float
    """Rounding of the edges, cm."""
    back_share: float
    """How much of the depth is the coloured back, 0 to 0.5."""
    front: Colour
    back_colour: Colour
    gloss: float
    """0 satin to 1 polished."""
    wear: float
    """How much the edges have darkened, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Solid:
    """One tile where it lies: a rounded box."""

    centre: Floats
    """(3,) cm."""
    axes: Floats
    """(3, 3): rows are its own x (right), y (up the face) and z (out of the face)."""
    size: tuple[float, float, float]
    """Whole width, height, depth."""
    radius: float
    front: Colour
    back_colour: Colour
    back_share: float
    gloss: float
    wear: float
    art: Art | None
    code: str
    """The tile's code, `??` when it lies face down."""
    ignore: bool = False
    """A tile that nobody is asked to read: it stands in a wall or an opponent's hand."""


Pose = Literal["up", "down", "standing"]

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
    back_colour = front if plain else jitter_colour(rng, BACKS[rng.integers(len(BACKS))], 0.15)
    return Body(
        width=width,
        height=width * rng.uniform(1.28, 1.42),
        depth=width * rng.uniform(0.56, 0.85),
        radius=width * rng.uniform(0.06, 0.17),
        back_share=0.0 if rng.random() < 0.1 else rng.uniform(0.15, 0.5),
        front=front,
        back_colour=back_colour,
        gloss=rng.uniform(0.15, 1.0),
        wear=rng.uniform(0.0, 1.0) ** 2,
    )


def _pose(turn: float, lies: Pose) -> np.ndarray:
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
    lies: Pose,
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
        back_colour=body.back_colour if body.back_share > 0.0 else body.front,
        back_share=body.back_share,
        gloss=body.gloss,
        wear=body.wear,
        art=art,
        code=FACE_DOWN if lies == "down" else code,
    )


_CORNERS = np.array(((-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)))
"""Top left, top right, bottom right, bottom left, as one looks at the face."""


def face_corners(solid: Solid, show_back: bool = False) -> Floats:
    """Return (4, 3): the corners, clockwise from the tile's own top left, as if not rounded.

    Those of the back begin at its own left, as one looks at it.
    """
    half = np.array(solid.size) / 2
    side = -1.0 if show_back else 1.0
    local = np.column_stack((_CORNERS * (side, 1.0), np.full(4, side))) * half
    return np.asarray(solid.centre + local @ solid.axes)
