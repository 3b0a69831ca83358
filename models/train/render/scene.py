"""What a picture is made of: a set's tiles placed on a table, its lights, the camera."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.train.render.patterns import Pattern

Colour = tuple[float, float, float]
"""Linear red, green, blue; 0 to 1 for surfaces, any size for lights."""

Floats = NDArray[np.float64]
Art = NDArray[np.uint8]
"""(H, W, 4) RGBA of a face, transparent where the body shows."""


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
    back: Colour
    gloss: float
    """0 satin to 1 polished."""
    engraving: float
    """How deep the ink lies, 0 to 1."""
    ink: float
    """How thickly the faces are painted: 1 as drawn, 2 in two coats."""
    wear: float
    """How much the edges have darkened, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Solid:
    """One rounded box: a tile, a rail, a die, a finger."""

    centre: Floats
    """(3,) cm."""
    axes: Floats
    """(3, 3): rows are its own x (right), y (up the face) and z (out of the face)."""
    size: tuple[float, float, float]
    """Whole width, height, depth."""
    radius: float
    front: Colour
    back: Colour
    back_share: float = 0.0
    gloss: float = 0.5
    engraving: float = 0.0
    wear: float = 0.0
    ink: float = 1.0
    art: Art | None = None
    code: str = ""
    """The tile's code, `??` when it lies face down, empty when this is no tile."""
    ignore: bool = False
    """A tile that nobody is asked to read: it stands in a wall or an opponent's hand."""


@dataclass(frozen=True, slots=True)
class Light:
    """A glowing rectangle (lamp, window); `power` is what it gives to a surface facing it."""

    centre: Floats
    half_u: Floats
    half_v: Floats
    power: Colour


@dataclass(frozen=True, slots=True)
class Surface:
    """A flat material: a pattern between two colours."""

    pattern: Pattern
    dark: Colour
    light: Colour
    extent: float
    """Centimetres that one repeat of the pattern covers."""
    bump: float
    """How strongly the pattern's relief bends the light."""
    gloss: float


@dataclass(frozen=True, slots=True)
class Ground:
    """The table's top at height 0, its edges, and the floor below."""

    table: Surface
    floor: Surface
    edges: tuple[float, float, float, float]
    """x from, y from, x to, y to."""
    floor_level: float = -70.0
    turn: float = 0.0
    """Direction of the table's pattern, radians."""


@dataclass(frozen=True, slots=True)
class Sky:
    """The room's own light: from the ceiling and from its walls."""

    above: Colour
    around: Colour


@dataclass(frozen=True, slots=True)
class Shade:
    """The soft shadow, on the table, of something out of sight in the first light's way."""

    middle: tuple[float, float]
    half: tuple[float, float]
    turn: float
    softness: float
    """Width of the half-shadow, cm."""
    strength: float
    """Share of the light that is lost, 0 to 1."""


@dataclass(frozen=True, slots=True)
class View:
    """A camera with a little lens distortion."""

    position: Floats
    target: Floats
    roll: float
    focal: float
    """Focal length over the picture's longer side."""
    distortion: float = 0.0

    def frame(self) -> Floats:
        """Return (3, 3): rows are right, down and forward."""
        forward = self.target - self.position
        forward = forward / np.linalg.norm(forward)
        across = np.cross(forward, (0.0, 0.0, 1.0))
        if np.linalg.norm(across) < 1e-6:
            across = np.array((1.0, 0.0, 0.0))
        across = across / np.linalg.norm(across)
        down = np.cross(forward, across)
        c, s = np.cos(self.roll), np.sin(self.roll)
        return np.stack((c * across + s * down, c * down - s * across, forward))

    def project(self, points: Floats, size: tuple[int, int]) -> Floats:
        """Return the pixels (N, 2) where world points (N, 3) appear in a picture of this size."""
        local = (points - self.position) @ self.frame().T
        ideal = local[:, :2] / np.maximum(local[:, 2:], 1e-6)
        seen = ideal
        for _ in range(6):
            seen = ideal / (1.0 + self.distortion * (seen**2).sum(axis=1, keepdims=True))
        centre = np.array(size, dtype=np.float64) / 2
        pixels: Floats = seen * (self.focal * max(size)) + centre
        return pixels


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is needed to render a picture."""

    solids: tuple[Solid, ...]
    ground: Ground
    lights: tuple[Light, ...]
    """One or two."""
    sky: Sky
    view: View
    shades: tuple[Shade, ...] = ()


_CORNERS = np.array(((-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)))
"""Top left, top right, bottom right, bottom left, as one looks at the face."""


def face_points(solid: Solid, places: Floats, back: bool = False) -> Floats:
    """Return world points (N, 3) at `places` (N, 2), each from -1 to 1, of the face or the back.

    Of the back, places count from its own left, as one looks at it.
    """
    half = np.array(solid.size) / 2
    side = -1.0 if back else 1.0
    local = np.column_stack((places * (side, 1.0), np.full(len(places), side))) * half
    return np.asarray(solid.centre + local @ solid.axes)


def face_corners(solid: Solid, back: bool = False) -> Floats:
    """Return (4, 3): the corners, clockwise from the tile's own top left, as if not rounded."""
    return face_points(solid, _CORNERS, back)
