"""Bodies as lofts: one convex outline, repeated smaller or larger at growing heights."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.train.drawing.compose import papers
from models.train.drawing.compose.bodies import Floats, Solid, face_corners
from models.train.drawing.compose.colours import Art, Colour

_CORNER_POINTS = 5
"""Points on each round corner of an oblong, and of a disc."""
_ROUND_POINTS = 10


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """A flat picture."""

    art: Art
    face: Floats
    """(4, 3): its corners, clockwise from the top left, as one looks at it."""


@dataclass(frozen=True, slots=True, eq=False)
class Loft:
    """A convex body between its back and its front cap."""

    rings: Floats
    """(K, N, 3): outlines from back to front, anticlockwise as one looks at the front."""
    bands: Floats
    """(K - 1, 3): colours between the rings."""
    front: Colour
    back_colour: Colour
    gloss: float = 0.3
    face: Floats | None = None
    """(4, 3): corners of the art and of the label, clockwise from their own top left."""
    art: Art | None = None
    """RGBA, on the front or, of a tile lying face down, on the back."""
    art_on_back: bool = False
    code: str = ""
    """The tile's code, empty when this is no tile."""
    ignore: bool = False
    is_raised: bool = False
    """Held above all the rest, as a hand is."""
    clear: bool = False
    """Nothing shows but its prints: spectacles, a cable."""
    prints: tuple[Print, ...] = ()
    """What its sides bear."""
    anchor: tuple[float, float, float] | None = None
    """Painted as far away as this point is: what lies on another thing has that one's."""

    @property
    def centre(self) -> Floats:
        """Middle of the body, (3,)."""
        return np.asarray(self.rings.mean(axis=(0, 1)))

    @property
    def top(self) -> float:
        """Height of its highest point, cm."""
        return float(self.rings[..., 2].max())


def round_oblong(
    width: float, height: float, radius: float, points: int = _CORNER_POINTS
) -> Floats:
    """Return a rectangle with round corners (4 points, 2), anticlockwise, about the origin."""
    radius = max(min(radius, width / 2, height / 2), 0.0)
    angles = np.linspace(0.0, math.pi / 2, points)
    arc = np.stack((np.cos(angles), np.sin(angles)), axis=-1) * radius
    turn = np.array(((0.0, -1.0), (1.0, 0.0)))
    reach = np.array((width / 2 - radius, height / 2 - radius))
    parts = []
    for quarter, sign in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        parts.append(arc @ np.linalg.matrix_power(turn, quarter).T + reach * sign)
    return np.concatenate(parts)


Step = tuple[float, float]
"""How much narrower the outline is on each side, and its height above the back, cm."""


def stack_rings(size: tuple[float, float], radius: float, steps: Sequence[Step]) -> Floats:
    """Return the rings (K, N, 3) of a rounded rectangle that shrinks and rises by `steps`."""
    rings = []
    points = _ROUND_POINTS if radius > 0.45 * min(size) else _CORNER_POINTS
    for inset, z in steps:
        flat = round_oblong(size[0] - 2 * inset, size[1] - 2 * inset, radius - inset, points)
        rings.append(np.column_stack((flat, np.full(len(flat), z))))
    return np.array(rings)


def bevel_steps(depth: float, bevel: float, seam: float = 0.0) -> list[Step]:
    """Return the steps of a block whose edges are rounded; `seam` is where the back layer ends."""
    angles = (0.0, math.pi / 4, math.pi / 2)
    low = [(bevel * (1 - math.cos(a)), bevel * (1 - math.sin(a))) for a in reversed(angles)]
    high = [(bevel * (1 - math.cos(a)), depth - bevel * (1 - math.sin(a))) for a in angles]
    middle = [(0.0, seam)] if bevel < seam < depth - bevel else []
    return [*low, *middle, *high]


def upright_axes(turn: float) -> Floats:
    """Return the axes (3, 3) of a thing lying on the table, turned anticlockwise."""
    c, s = math.cos(turn), math.sin(turn)
    return np.array(((c, s, 0.0), (-s, c, 0.0), (0.0, 0.0, 1.0)))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a thing lies: its middle and the height of what it rests on, cm, and its turn."""

    x: float
    y: float
    z: float = 0.0
    turn: float = 0.0

    @property
    def point(self) -> tuple[float, float, float]:
        """The place without its turn."""
        return (self.x, self.y, self.z)

    def shifted(self, dx: float, dy: float = 0.0, rise: float = 0.0, turn: float = 0.0) -> Place:
        """Return a place shifted along this one's own axes."""
        c, s = math.cos(self.turn), math.sin(self.turn)
        x, y = self.x + c * dx - s * dy, self.y + s * dx + c * dy
        return Place(x, y, self.z + rise, self.turn + turn)

    def world(self, local: Floats) -> Floats:
        """Return world points (..., 3) of local ones."""
        return np.asarray(local @ upright_axes(self.turn) + (self.x, self.y, self.z))


def make_loft(
    place: Place,
    rings: Floats,
    colour: Colour,
    gloss: float = 0.3,
    art: Art | None = None,
    side: Colour | None = None,
) -> Loft:
    """Return a thing of one colour whose rings count from the table; `art` fills its top."""
    low, high = rings[-1].min(axis=0), rings[-1].max(axis=0)
    corners = ((low[0], high[1]), (high[0], high[1]), (high[0], low[1]), (low[0], low[1]))
    face = np.array([(*c, high[2]) for c in corners])
    bands = np.tile(np.array(side or colour), (len(rings) - 1, 1))
    world = place.world(rings)
    return Loft(world, bands, colour, colour, gloss, place.world(face), art)


def tile_loft(solid: Solid, back_art: Art | None = None) -> Loft:
    """Return a tile's body; `back_art` covers its back, as grain does on bamboo."""
    width, height, depth = solid.size
    seam = solid.back_share * depth
    steps = bevel_steps(depth, solid.radius, seam)
    rings = stack_rings((width, height), solid.radius * 1.25, steps)
    rings[..., 2] -= depth / 2
    middles = [(a[1] + b[1]) / 2 for a, b in itertools.pairwise(steps)]
    paper_left = 1.0 - 0.25 * solid.wear
    bands = np.array([solid.back_colour if z < seam else solid.front for z in middles])
    bands[[0, -1]] *= paper_left
    is_face_down = solid.axes[2][2] < -0.5
    art = back_art if is_face_down else solid.art
    shows_back = is_face_down or solid.code == "??"
    return Loft(
        rings=solid.centre + rings @ solid.axes,
        bands=bands,
        front=solid.front,
        back_colour=solid.back_colour,
        gloss=solid.gloss,
        face=face_corners(solid, shows_back),
        art=art,
        art_on_back=shows_back,
        code=solid.code,
        ignore=solid.ignore,
    )


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
    rings = stack_rings(size[:2], 2 * bevel, bevel_steps(size[2], bevel))
    return make_loft(place, rings, colour, 0.3, art)


def disc(place: Place, radius: float, high: float, colour: Colour, art: Art | None = None) -> Loft:
    """Return a coin, a counter, a biscuit."""
    rings = stack_rings((2 * radius, 2 * radius), radius, bevel_steps(high, min(0.1, 0.3 * high)))
    return make_loft(place, rings, colour, 0.5, art)


def flat(rng: Rng, place: Place, size: tuple[float, float], art: Art) -> Loft:
    """Return a leaf of paper."""
    rings = stack_rings(size, 0.02, ((0.0, 0.0), (0.0, rng.uniform(0.02, 0.06))))
    return make_loft(place, rings, papers.PAPER, 0.05, art)


def print_sides(
    loft: Loft, size: tuple[float, float, float], place: Place, arts: list[Art]
) -> Loft:
    """Return a block with pictures on its four sides."""
    w, h, d = size[0] / 2, size[1] / 2, size[2]
    sides = []
    for art, (ax, ay, bx, side_corners) in zip(
        arts,
        ((-w, -h, w, -h), (w, -h, w, h), (w, h, -w, h), (-w, h, -w, -h)),
        strict=True,
    ):
        corners = np.array(
            ((ax, ay, d), (bx, side_corners, d), (bx, side_corners, 0.0), (ax, ay, 0.0))
        )
        inset = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * 0.84
        sides.append(Print(art, place.world(inset)))
    return replace(loft, prints=tuple(sides))


def share_anchor(place: Place, lofts: list[Loft]) -> list[Loft]:
    """Return things that lie on each other, to be painted in this order."""
    return [replace(loft, anchor=place.point) for loft in lofts]


def cut_round(art: Art) -> Art:
    """Return the picture with all outside its inscribed circle clear."""
    mask = np.zeros(art.shape[:2], np.uint8)
    middle = art.shape[0] // 2
    cv2.circle(mask, (middle, middle), middle - 1, 1, -1)
    return np.asarray(art * mask[..., None], np.uint8)
