"""The plain arrays that the compiled tracer walks over."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
I32 = NDArray[np.int32]

TABLE, FLOOR = -1, -2
"""What a sub-pixel shows when it shows no box."""


class Boxes(NamedTuple):
    """Rounded boxes, one per row, and the grid over the table that finds them."""

    axes: F32
    """(N, 3, 3): each box's own x, y, z direction in the world."""
    centre: F32
    """(N, 3)."""
    core: F32
    """(N, 4): half the size without the rounding, and the rounding's radius."""
    reach: F32
    """(N,): square of the distance from the centre to the farthest corner."""
    bounds: NDArray[np.float64]
    """(6,): x, y, z from; x, y, z to."""
    cell: float
    """Side of a grid cell."""
    first: I32
    """(ny, nx, 2): where a cell's members begin and end in `members`."""
    members: I32


class Paint(NamedTuple):
    """What the boxes look like, one per row."""

    front: F32
    back: F32
    seam: F32
    """(N,): height, in the box's own z, at which the back's colour begins."""
    finish: F32
    """(N, 3): gloss, engraving, wear."""
    art: NDArray[np.int64]
    """(N, 3): first texel, width, height; width 0 for none."""
    texels: F32
    """(M, 4): linear colour times opacity, opacity."""


class Soil(NamedTuple):
    """The table's top (row 0) and the floor (row 1)."""

    patterns: F32
    """(2, S, S, 3)."""
    dark: F32
    light: F32
    repeat: F32
    """(2,): repeats per centimetre."""
    finish: F32
    """(2, 2): bump, gloss."""
    edges: F32
    floor_level: float
    turn: F32
    """(2,): cosine and sine of the pattern's direction."""


class Lamps(NamedTuple):
    """Lights and sky; always two lamps, the second of them black when a scene has one."""

    centre: F32
    half_u: F32
    half_v: F32
    on: F32
    """(2,): 0 for a lamp that is not there."""
    area: F32
    """(2,): a quarter of the lamp's area."""
    reach: F32
    """(2,): the distance at which a lamp gives its stated power."""
    shades: F32
    """(n, 8): middle x, y; cosine, sine; half sizes; softness; strength."""
    above: F32
    around: F32
    bounce: F32
    """(3,): what an average surface of the scene sends back, for a white one."""


class Lens(NamedTuple):
    """The camera."""

    position: F32
    frame: F32
    distortion: float
    scale: float
    """Tangent of the viewing angle per sub-pixel."""
    centre: F32
    """x, y of the optical axis in sub-pixels."""


class World(NamedTuple):
    """Everything packed."""

    boxes: Boxes
    paint: Paint
    soil: Soil
    lamps: Lamps
    lens: Lens
    dither: F32
    """(64, 64, 6): evenly spread numbers 0 to 1, in pairs: lamp, lamp, sky."""


class Buffers(NamedTuple):
    """What each sub-pixel sees."""

    key: I32
    """(h, w): which solid, or TABLE, or FLOOR."""
    base: F32
    """(h, w, 3): the surface's colour."""
    local: F32
    """(h, w, 5): diffuse from each lamp, mirrored from each lamp, mirrored from the sky."""
    open: F32
    """(h, w, 6): how much of each lamp is seen; red, green, blue of the sky's light; how many
    rays this was found with."""
