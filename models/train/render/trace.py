"""Trace sub-pixels: what each looks at, which lights reach it, and how they are put together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.train.render.arrays import F32, FLOOR_KEY, I32, TABLE_KEY, Buffers, Lens, Soil, World
from models.train.render.rays import (
    FAR_CM,
    Vector,
    compiled,
    cosine_direction,
    minus,
    nearest,
    plus,
    unit,
)
from models.train.render.surfaces import (
    box_look,
    lamp_diffuse,
    lamp_mirrored,
    lamp_point,
    shade_open,
    sky_light,
    sky_mirrored,
    soil_look,
)

AMBIENT_REACH_CM = 14.0
"""Solids further than this (cm) do not darken each other's sky."""
WRAP_SHARE = 0.1
"""How far light reaches round the edges of a tile, which is a little translucent."""

Hit = tuple[float, int, Vector]
"""Distance, what was hit, where."""
Spot = tuple[int, int]
"""Row and column in the buffers."""


@compiled
def sight(lens: Lens, x: float, y: float) -> Vector:
    """Return the direction in which sub-pixel `x`, `y` looks."""
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
def ground_hit(soil: Soil, origin: Vector, d: Vector) -> tuple[float, int]:
    """Return the distance to the table or, past its edges, to the floor."""
    if d[2] > -1e-4:
        return FAR_CM, FLOOR_KEY
    t = -origin[2] / d[2]
    x, y = origin[0] + t * d[0], origin[1] + t * d[1]
    e = soil.edges
    if e[0] <= x <= e[2] and e[1] <= y <= e[3]:
        return t, TABLE_KEY
    return min((soil.floor_level - origin[2]) / d[2], FAR_CM), FLOOR_KEY


@compiled
def fill_look(world: World, buffers: Buffers, spot: Spot, hit: Hit, d: Vector) -> Vector:
    """Fill one sub-pixel's colour and unshadowed light; return its true normal."""
    t, key, point = hit
    if key >= 0:
        colour, normal, lit, gloss = box_look(world.boxes, world.paint, key, point)
        wrap = WRAP_SHARE
    else:
        footprint = t * world.lens.scale / max(-d[2], 0.05)
        colour, normal, lit, gloss = soil_look(world.soil, -1 - key, point, footprint)
        wrap = 0.0
    y, x = spot
    for c in range(3):
        buffers.base[y, x, c] = colour[c]
    local = buffers.local
    shiny = unit(plus(normal, 0.5, lit))
    for k in range(2):
        if world.lamps.on[k] > 0.0:
            local[y, x, k] = lamp_diffuse(world.lamps, k, point, lit, wrap)
            local[y, x, 2 + k] = lamp_mirrored(world.lamps, k, point, shiny, d, gloss)
    if gloss > 0.0:
        local[y, x, 4] = sky_mirrored(d, normal) * min(1.0, 0.5 + gloss)
    return normal


@compiled
def _add_sky(world: World, start: Vector, d: Vector, skip: int, out: NDArray[np.float32]) -> None:
    """Add what comes from direction `d`: sky, or light sent back by the table or a solid."""
    limit = AMBIENT_REACH_CM
    table = False
    if d[2] < 0.0 and start[2] > 0.0:
        limit = min(limit, -start[2] / d[2])
        table = True
    _, i = nearest(world.boxes, (start, d), limit, skip, False)
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
def fill_open(
    world: World, buffers: Buffers, spot: Spot, hit: Hit, normal: Vector, samples: int
) -> None:
    """Add `samples` rays to the lamps and into the sky to one sub-pixel's `open`."""
    y, x = spot
    start = plus(hit[2], 1e-3, normal)
    out, local = buffers.open[y, x], buffers.local
    dither = world.dither[y % 64, x % 64]
    for s in range(samples):
        shift_u, shift_v = 0.7548776662 * s, 0.5698402910 * s
        for k in range(2):
            if local[y, x, k] + local[y, x, 2 + k] > 0.0:
                u = 2.0 * ((dither[2 * k] + shift_u) % 1.0) - 1.0
                v = 2.0 * ((dither[2 * k + 1] + shift_v) % 1.0) - 1.0
                d = unit(minus(lamp_point(world.lamps, k, u, v), start))
                _, i = nearest(world.boxes, (start, d), FAR_CM, hit[1], True)
                out[k] += 1.0 if i < 0 else 0.0
        u, v = (dither[4] + shift_u) % 1.0, (dither[5] + shift_v) % 1.0
        _add_sky(world, start, cosine_direction(normal, u, v), hit[1], out)
    out[0] *= shade_open(world.lamps, start)
    out[5] += samples


@compiled
def fill_dark(world: World, buffers: Buffers, spot: Spot) -> None:
    """Light the floor, which lies in the shadow of table and players, without any rays."""
    y, x = spot
    buffers.open[y, x, 0] = buffers.open[y, x, 1] = 0.3
    for c in range(3):
        buffers.open[y, x, 2 + c] = 0.3 * world.lamps.bounce[c]
    buffers.open[y, x, 5] = 1.0


@compiled
def trace_rows(world: World, buffers: Buffers, first_row: int, samples: int, every: int) -> None:
    """Fill the buffers for the sub-pixel rows from `first_row`.

    The table's shadows are soft and it is the larger part of the picture: there only one
    sub-pixel in `every` x `every` sends rays, and `smooth` fills the others in.
    """
    height, width = buffers.key.shape
    p = world.lens.position
    origin = (float(p[0]), float(p[1]), float(p[2]))
    for y in range(height):
        for x in range(width):
            d = sight(world.lens, float(x), float(first_row + y))
            t, key = ground_hit(world.soil, origin, d)
            t_box, i = nearest(world.boxes, (origin, d), t, -1, False)
            if i >= 0:
                t, key = t_box, i
            buffers.key[y, x] = key
            hit = (t, key, plus(origin, t, d))
            normal = fill_look(world, buffers, (y, x), hit, d)
            if key == FLOOR_KEY:
                fill_dark(world, buffers, (y, x))
            elif key != TABLE_KEY or (x % every == 0 and y % every == 0):
                fill_open(world, buffers, (y, x), hit, normal, samples)


@compiled
def smooth(key: I32, values: F32, out: F32, step: int) -> None:
    """Sum `values` over 3 x 3 neighbours, `step` apart, that show the same thing."""
    height, width = key.shape
    for y in range(height):
        up, down = (-1 if y >= step else 0), (2 if y + step < height else 1)
        for x in range(width):
            left, right = (-1 if x >= step else 0), (2 if x + step < width else 1)
            s0 = s1 = s2 = s3 = s4 = s5 = 0.0
            for dy in range(up, down):
                for dx in range(left, right):
                    v, u = y + dy * step, x + dx * step
                    if key[v, u] == key[y, x]:
                        s0 += values[v, u, 0]
                        s1 += values[v, u, 1]
                        s2 += values[v, u, 2]
                        s3 += values[v, u, 3]
                        s4 += values[v, u, 4]
                        s5 += values[v, u, 5]
            out[y, x, 0], out[y, x, 1], out[y, x, 2] = s0, s1, s2
            out[y, x, 3], out[y, x, 4], out[y, x, 5] = s3, s4, s5


@compiled
def resolve(buffers: Buffers, power: F32, sky: F32, grid: int, out: F32) -> None:
    """Average the `grid` x `grid` sub-pixels of each pixel of `out`, their light on their colour.

    A sub-pixel that no ray was spent on is a gap between tiles too narrow to matter: black.
    """
    height, width, _ = out.shape
    for y in range(height * grid):
        for x in range(width * grid):
            rays = 1.0 / max(buffers.open[y, x, 5], 1e-6)
            lamp, other = buffers.open[y, x, 0] * rays, buffers.open[y, x, 1] * rays
            for c in range(3):
                lit = power[0, c] * buffers.local[y, x, 0] * lamp
                lit += power[1, c] * buffers.local[y, x, 1] * other
                lit += buffers.open[y, x, 2 + c] * rays
                shine = power[0, c] * buffers.local[y, x, 2] * lamp
                shine += power[1, c] * buffers.local[y, x, 3] * other
                shine += sky[c] * buffers.local[y, x, 4]
                value = buffers.base[y, x, c] * lit + shine
                out[y // grid, x // grid, c] += value / (grid * grid)
