"""Turns a scene into light: one ray per sub-pixel, shadows smoothed within each solid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.train.render.pack import pack_boxes, pack_ground, pack_lamps, pack_lens, pack_paint
from models.train.render.rays import nearest
from models.train.render.scene import Scene
from models.train.render.shade import (
    box_look,
    fresnel,
    lamp_light,
    lamp_point,
    sky_light,
    soil_look,
)
from models.train.render.vectors import (
    FAR,
    Vector,
    compiled,
    cosine_direction,
    dot,
    minus,
    mirrored,
    plus,
    unit,
)

F32 = NDArray[np.float32]

BAND = 128
"""Picture rows rendered at a time, so that the buffers stay small."""
MARGIN = 4
"""Picture rows around a band that the smoothing looks at."""
TABLE, FLOOR = -1, -2
AMBIENT_REACH = 14.0
"""Solids further than this (cm) do not darken each other's sky."""


@dataclass(frozen=True, slots=True)
class Quality:
    """How much work a picture is worth."""

    grid: int = 2
    """Sub-pixels along each side of a pixel."""
    samples: int = 1
    """Shadow and sky rays for each sub-pixel."""
    smoothing: int = 3
    """Passes of the shadow filter."""


DRAFT = Quality()
FINE = Quality(grid=3, samples=4, smoothing=2)


class World(NamedTuple):
    """Everything packed."""

    boxes: Any
    paint: Any
    soil: Any
    lamps: Any
    lens: Any
    dither: F32
    """(64, 64, 6): evenly spread numbers 0 to 1, in pairs: lamp, lamp, sky."""


class Buffers(NamedTuple):
    """What each sub-pixel sees."""

    key: NDArray[np.int32]
    """(h, w): which solid, or TABLE, or FLOOR."""
    base: F32
    """(h, w, 3): the surface's colour."""
    local: F32
    """(h, w, 5): diffuse from each lamp, mirrored from each lamp, mirrored from the sky."""
    open: F32
    """(h, w, 5): how much of each lamp is seen; red, green, blue of the sky's light."""


@cache
def _dither() -> F32:
    """Pairs of numbers that fill the unit square evenly within every 4 x 4 block."""
    rng = np.random.default_rng(7)
    tile = np.zeros((64, 64, 6), dtype=np.float32)
    for pair in range(3):
        order = rng.permuted(np.tile(np.arange(16), (16, 16, 1)), axis=2)
        order = order.reshape(16, 16, 4, 4).transpose(0, 2, 1, 3).reshape(64, 64)
        tile[..., 2 * pair] = (order % 4 + rng.random((64, 64))) / 4
        tile[..., 2 * pair + 1] = (order // 4 + rng.random((64, 64))) / 4
    return tile


@compiled
def _sight(lens: Any, x: float, y: float) -> Vector:
    """The direction in which sub-pixel `x`, `y` looks."""
    sx = (x + 0.5 - lens.centre[0]) * lens.scale
    sy = (y + 0.5 - lens.centre[1]) * lens.scale
    k = 1.0 + lens.distortion * (sx * sx + sy * sy)
    f = lens.frame
    sx, sy = sx * k, sy * k
    return unit(
        (
            sx * f[0, 0] + sy * f[1, 0] + f[2, 0],
            sx * f[0, 1] + sy * f[1, 1] + f[2, 1],
            sx * f[0, 2] + sy * f[1, 2] + f[2, 2],
        )
    )


@compiled
def _ground_hit(soil: Any, origin: Vector, d: Vector) -> tuple[float, int]:
    """Distance to the table or, past its edges, to the floor."""
    if d[2] > -1e-4:
        return FAR, FLOOR
    t = -origin[2] / d[2]
    x, y = origin[0] + t * d[0], origin[1] + t * d[1]
    e = soil.edges
    if e[0] <= x <= e[2] and e[1] <= y <= e[3]:
        return t, TABLE
    return (soil.floor_level - origin[2]) / d[2], FLOOR


@compiled
def _lamp_open(world: Any, k: int, point: Vector, skip: int, u: float, v: float) -> float:
    """1 when a point of lamp `k` can be seen from `point`, else 0."""
    to_lamp = minus(lamp_point(world.lamps, k, 2.0 * u - 1.0, 2.0 * v - 1.0), point)
    direction = unit(to_lamp)
    _, i = nearest(world.boxes, (point, direction), FAR, skip, True)
    return 0.0 if i >= 0 else 1.0


@compiled
def _sky_open(world: Any, point: Vector, d: Vector, skip: int, out: Any) -> None:
    """Add what the room sends from direction `d`: sky, or light bounced off table or solids."""
    limit = AMBIENT_REACH
    table = False
    if d[2] < 0.0 and point[2] > 0.0:
        limit = min(limit, -point[2] / d[2])
        table = True
    _, i = nearest(world.boxes, (point, d), limit, skip, False)
    bounce = world.lamps.bounce
    for c in range(3):
        if i >= 0:
            out[2 + c] += 0.45 * bounce[c] * world.paint.front[i, c]
        elif table:
            tone = 0.5 * (world.soil.dark[0, c] + world.soil.light[0, c])
            out[2 + c] += 0.8 * bounce[c] * tone
        else:
            out[2 + c] += sky_light(world.lamps, d, c)


@compiled
def _shadows(world: Any, point: Vector, normal: Vector, skip: int, spot: Any) -> None:
    """Fill `open` at one sub-pixel; `spot` is its buffers, place and number of samples."""
    buffers, y, x, row, samples = spot
    out = buffers.open[y, x]
    dither = world.dither[row % 64, x % 64]
    for s in range(samples):
        for k in range(2):
            if buffers.local[y, x, k] + buffers.local[y, x, 2 + k] > 0.0:
                u = (dither[2 * k] + 0.7548776662 * s) % 1.0
                v = (dither[2 * k + 1] + 0.5698402910 * s) % 1.0
                out[k] += _lamp_open(world, k, point, skip, u, v)
        u = (dither[4] + 0.7548776662 * s) % 1.0
        v = (dither[5] + 0.5698402910 * s) % 1.0
        _sky_open(world, point, cosine_direction(normal, u, v), skip, out)
    for c in range(5):
        out[c] /= samples


@compiled
def _mirror_sky(world: Any, d: Vector, normal: Vector) -> float:
    """Share of the sky's brightness that a glossy surface mirrors."""
    r = mirrored(d, normal)
    f = fresnel(-dot(d, normal))
    return f if r[2] > 0.0 else 0.25 * f


@compiled
def _look(world: Any, hit: Any, d: Vector, base: Any, local: Any) -> Vector:
    """Fill one sub-pixel's colour and unshadowed light; return its true normal."""
    t, key, point = hit
    if key >= 0:
        colour, normal, lit = box_look(world.boxes, world.paint, key, point)
        gloss = float(world.paint.finish[key, 0])
    else:
        which = -1 - key
        footprint = t * world.lens.scale / max(-d[2], 0.05)
        colour, lit = soil_look(world.soil, which, point, footprint)
        normal = (0.0, 0.0, 1.0)
        gloss = float(world.soil.finish[which, 1])
    base[0], base[1], base[2] = colour[0], colour[1], colour[2]
    for k in range(2):
        if world.lamps.on[k] > 0.0:
            local[k], local[2 + k] = lamp_light(world.lamps, k, point, lit, d, gloss)
    if gloss > 0.0:
        local[4] = _mirror_sky(world, d, lit) * min(1.0, 0.5 + gloss)
    return normal


@compiled
def trace_rows(world: Any, buffers: Any, first_row: int, samples: int) -> None:
    """Fill the buffers for the sub-pixel rows from `first_row`."""
    height, width = buffers.key.shape
    p = world.lens.position
    origin = (float(p[0]), float(p[1]), float(p[2]))
    for y in range(height):
        for x in range(width):
            d = _sight(world.lens, x, first_row + y)
            t, key = _ground_hit(world.soil, origin, d)
            if key == FLOOR:
                t = min(t, FAR)
            t_box, i = nearest(world.boxes, (origin, d), t, -1, False)
            if i >= 0:
                t, key = t_box, i
            buffers.key[y, x] = key
            point = plus(origin, t, d)
            normal = _look(world, (t, key, point), d, buffers.base[y, x], buffers.local[y, x])
            if key == FLOOR:
                for c in range(5):
                    buffers.open[y, x, c] = 0.3 if c < 2 else 0.3 * world.lamps.bounce[c - 2]
            else:
                start = plus(point, 1e-3, normal)
                spot = (buffers, y, x, first_row + y, samples)
                _shadows(world, start, normal, key, spot)


@compiled
def smooth(key: Any, values: Any, out: Any, step: int) -> None:
    """Average `values` over 3 x 3 neighbours, `step` apart, that show the same solid."""
    height, width, depth = values.shape
    for y in range(height):
        for x in range(width):
            total = 0.0
            s0 = s1 = s2 = s3 = s4 = 0.0
            for dy in range(max(-1, -(y // step)), min(1, (height - 1 - y) // step) + 1):
                for dx in range(max(-1, -(x // step)), min(1, (width - 1 - x) // step) + 1):
                    v, u = y + dy * step, x + dx * step
                    if key[v, u] == key[y, x]:
                        total += 1.0
                        s0 += values[v, u, 0]
                        s1 += values[v, u, 1]
                        s2 += values[v, u, 2]
                        s3 += values[v, u, 3]
                        s4 += values[v, u, 4]
            k = 1.0 / total
            out[y, x, 0], out[y, x, 1], out[y, x, 2] = s0 * k, s1 * k, s2 * k
            out[y, x, 3], out[y, x, 4] = s3 * k, s4 * k


@compiled
def resolve(buffers: Any, power: Any, sky: Any, grid: int, out: Any) -> None:
    """Put light and colour together and average the sub-pixels of each pixel of `out`."""
    height, width, _ = out.shape
    share = 1.0 / (grid * grid)
    for y in range(height * grid):
        for x in range(width * grid):
            local, seen = buffers.local[y, x], buffers.open[y, x]
            for c in range(3):
                lit = power[0, c] * local[0] * seen[0] + power[1, c] * local[1] * seen[1]
                shine = power[0, c] * local[2] * seen[0] + power[1, c] * local[3] * seen[1]
                value = buffers.base[y, x, c] * (lit + seen[2 + c]) + shine + sky[c] * local[4]
                out[y // grid, x // grid, c] += share * value


def _empty(height: int, width: int) -> Buffers:
    return Buffers(
        key=np.zeros((height, width), dtype=np.int32),
        base=np.zeros((height, width, 3), dtype=np.float32),
        local=np.zeros((height, width, 5), dtype=np.float32),
        open=np.zeros((height, width, 5), dtype=np.float32),
    )


def render(scene: Scene, size: tuple[int, int], quality: Quality = DRAFT) -> F32:
    """Return the light (height, width, 3), linear RGB, that reaches a camera of `size` pixels."""
    width, height = size
    grid = quality.grid
    raster = (width * grid, height * grid)
    world = World(
        boxes=pack_boxes(scene.solids),
        paint=pack_paint(scene, raster),
        soil=pack_ground(scene.ground),
        lamps=pack_lamps(scene),
        lens=pack_lens(scene, raster),
        dither=_dither(),
    )
    power = np.zeros((2, 3), dtype=np.float32)
    for k, light in enumerate(scene.lights[:2]):
        power[k] = light.power
    picture = np.zeros((height, width, 3), dtype=np.float32)
    for top in range(0, height, BAND):
        bottom = min(top + BAND, height)
        first, last = max(0, top - MARGIN), min(height, bottom + MARGIN)
        buffers = _empty((last - first) * grid, width * grid)
        trace_rows(world, buffers, first * grid, quality.samples)
        for step in range(1, quality.smoothing + 1):
            softer = np.empty_like(buffers.open)
            smooth(buffers.key, buffers.open, softer, step)
            buffers = buffers._replace(open=softer)
        inside = slice((top - first) * grid, (bottom - first) * grid)
        cut = Buffers(*(np.ascontiguousarray(b[inside]) for b in buffers))
        resolve(cut, power, world.lamps.above, grid, picture[top:bottom])
    return picture
