"""A scene as the plain arrays that the compiled tracer walks over."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.render.scene import Art, Ground, Light, Scene, Shade, Solid, face_corners

F32 = NDArray[np.float32]
I32 = NDArray[np.int32]

TABLE_KEY, FLOOR_KEY = -1, -2
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
    """(h, w): which solid, or TABLE_KEY, or FLOOR_KEY."""
    base: F32
    """(h, w, 3): the surface's colour."""
    local: F32
    """(h, w, 5): diffuse from each lamp, mirrored from each lamp, mirrored from the sky."""
    open: F32
    """(h, w, 6): how much of each lamp is seen; red, green, blue of the sky's light; how many
    rays this was found with."""


def _half(solid: Solid) -> NDArray[np.float64]:
    return np.array(solid.size, dtype=np.float64) / 2


def _spread(solid: Solid) -> NDArray[np.float64]:
    """Half the extent along the world's axes."""
    return np.asarray(np.abs(solid.axes.T) @ _half(solid))


def pack_boxes(solids: tuple[Solid, ...]) -> Boxes:
    """Return the boxes with a grid of cells about as large as a tile."""
    centre = np.array([s.centre for s in solids]).reshape(-1, 3)
    half = np.array([_half(s) for s in solids]).reshape(-1, 3)
    radius = np.array([min(s.radius, min(s.size) / 2) for s in solids]).reshape(-1, 1)
    spread = np.array([_spread(s) for s in solids]).reshape(-1, 3)
    low, high = (centre - spread).min(axis=0) - 0.01, (centre + spread).max(axis=0) + 0.01
    cell = max(2.0, float((high - low)[:2].max()) / 96)
    nx, ny = (int(n) for n in np.ceil((high - low)[:2] / cell))
    cells: list[list[list[int]]] = [[[] for _ in range(nx)] for _ in range(ny)]
    first_cell = ((centre - spread - low)[:, :2] / cell).astype(int)
    last_cell = ((centre + spread - low)[:, :2] / cell).astype(int)
    for i, ((x0, y0), (x1, y1)) in enumerate(zip(first_cell, last_cell, strict=True)):
        for y in range(y0, min(y1, ny - 1) + 1):
            for x in range(x0, min(x1, nx - 1) + 1):
                cells[y][x].append(i)
    counts = np.array([[len(c) for c in row] for row in cells])
    ends = counts.cumsum().reshape(counts.shape)
    return Boxes(
        axes=np.array([s.axes for s in solids], dtype=np.float32),
        centre=centre.astype(np.float32),
        core=np.hstack((half - radius, radius)).astype(np.float32),
        reach=(half**2).sum(axis=1).astype(np.float32),
        bounds=np.concatenate((low, low[:2] + np.array((nx, ny)) * cell, high[2:])),
        cell=cell,
        first=np.dstack((ends - counts, ends)).astype(np.int32),
        members=np.array([i for row in cells for c in row for i in c], dtype=np.int32),
    )


@cache
def _linear_ramp() -> F32:
    level = np.arange(256, dtype=np.float32) / 255
    return np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4).astype(
        np.float32
    )


def _texels(art: Art, width: int, height: int, ink: float) -> F32:
    """Return the art in linear light, its colour weighted by opacity, at the size it is seen.

    `ink` says how thickly it is painted: 1 as drawn, 2 in two coats.
    """
    opacity = art[..., 3:].astype(np.float32) / 255
    full = np.dstack((_linear_ramp()[art[..., :3]] * opacity, opacity))
    size = (min(width, art.shape[1]), min(height, art.shape[0]))
    small = np.asarray(cv2.resize(full, size, interpolation=cv2.INTER_AREA), dtype=np.float32)
    thin = np.clip(small[..., 3:], 1e-4, 1.0)
    return np.asarray(small * ((1.0 - (1.0 - thin) ** ink) / thin), dtype=np.float32)


def pack_paint(scene: Scene, size: tuple[int, int]) -> Paint:
    """Return the boxes' colours; pictures are shrunk to the `size` of the sub-pixel raster."""
    solids = scene.solids
    pieces: list[F32] = [np.zeros((1, 4), dtype=np.float32)]
    where, total = [], 1
    for solid in solids:
        if solid.art is None:
            where.append((0, 0, 0))
            continue
        q = scene.view.project(face_corners(solid), size)
        across = max(np.linalg.norm(q[1] - q[0]), np.linalg.norm(q[2] - q[3]))
        along = max(np.linalg.norm(q[3] - q[0]), np.linalg.norm(q[2] - q[1]))
        picture = _texels(solid.art, max(4, round(across)), max(4, round(along)), solid.ink)
        where.append((total, picture.shape[1], picture.shape[0]))
        pieces.append(picture.reshape(-1, 4))
        total += len(pieces[-1])
    return Paint(
        front=np.array([s.front for s in solids], dtype=np.float32),
        back=np.array([s.back for s in solids], dtype=np.float32),
        seam=np.array([(s.back_share - 0.5) * s.size[2] for s in solids], dtype=np.float32),
        finish=np.array([(s.gloss, s.engraving, s.wear) for s in solids], dtype=np.float32),
        art=np.array(where, dtype=np.int64),
        texels=np.concatenate(pieces),
    )


def pack_ground(ground: Ground) -> Soil:
    """Return the table and the floor."""
    both = (ground.table, ground.floor)
    return Soil(
        patterns=np.stack([s.pattern for s in both]),
        dark=np.array([s.dark for s in both], dtype=np.float32),
        light=np.array([s.light for s in both], dtype=np.float32),
        repeat=np.array([1 / s.extent for s in both], dtype=np.float32),
        finish=np.array([(s.bump, s.gloss) for s in both], dtype=np.float32),
        edges=np.array(ground.edges, dtype=np.float32),
        floor_level=ground.floor_level,
        turn=np.array((np.cos(ground.turn), np.sin(ground.turn)), dtype=np.float32),
    )


def _area(light: Light) -> float:
    return float(np.linalg.norm(light.half_u) * np.linalg.norm(light.half_v))


def _shade_row(shade: Shade) -> tuple[float, ...]:
    turn = (math.cos(shade.turn), math.sin(shade.turn))
    return (*shade.middle, *turn, *shade.half, shade.softness, shade.strength)


def pack_lamps(scene: Scene) -> Lamps:
    """Return the lights and the sky."""
    lights: list[Light] = [*scene.lights, scene.lights[0]][:2]
    on = np.array([1.0, float(len(scene.lights) > 1)], dtype=np.float32)
    above, around = (np.array(c, dtype=np.float32) for c in (scene.sky.above, scene.sky.around))
    power = (on[:, None] * np.array([light.power for light in lights])).sum(axis=0)
    return Lamps(
        centre=np.array([light.centre for light in lights], dtype=np.float32),
        half_u=np.array([light.half_u for light in lights], dtype=np.float32),
        half_v=np.array([light.half_v for light in lights], dtype=np.float32),
        on=on,
        area=np.array([_area(light) for light in lights], dtype=np.float32),
        reach=np.array([np.linalg.norm(light.centre) for light in lights], dtype=np.float32),
        shades=np.array([_shade_row(s) for s in scene.shades], dtype=np.float32).reshape(-1, 8),
        above=above,
        around=around,
        bounce=(0.6 * above + 0.2 * around + 0.5 * power).astype(np.float32),
    )


def pack_lens(scene: Scene, size: tuple[int, int]) -> Lens:
    """Return the camera for a raster of `size` sub-pixels."""
    view = scene.view
    return Lens(
        position=view.position.astype(np.float32),
        frame=view.frame().astype(np.float32),
        distortion=view.distortion,
        scale=1.0 / (view.focal * max(size)),
        centre=(np.array(size) / 2).astype(np.float32),
    )
