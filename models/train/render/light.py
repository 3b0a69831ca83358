"""Sight and shadow: what a sub-pixel looks at, and which lights reach that place."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.train.render.packed import FLOOR, TABLE, Buffers, Lens, Soil, World
from models.train.render.rays import nearest
from models.train.render.shade import (
    box_look,
    lamp_diffuse,
    lamp_mirrored,
    lamp_point,
    shade_open,
    sky_light,
    sky_mirrored,
    soil_look,
)
from models.train.render.vectors import FAR, Vector, compiled, cosine_direction, minus, plus, unit

AMBIENT_REACH = 14.0
"""Solids further than this (cm) do not darken each other's sky."""
WRAP = 0.1
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
        return FAR, FLOOR
    t = -origin[2] / d[2]
    x, y = origin[0] + t * d[0], origin[1] + t * d[1]
    e = soil.edges
    if e[0] <= x <= e[2] and e[1] <= y <= e[3]:
        return t, TABLE
    return min((soil.floor_level - origin[2]) / d[2], FAR), FLOOR


@compiled
def fill_look(world: World, buffers: Buffers, spot: Spot, hit: Hit, d: Vector) -> Vector:
    """Fill one sub-pixel's colour and unshadowed light; return its true normal."""
    t, key, point = hit
    if key >= 0:
        colour, normal, lit, gloss = box_look(world.boxes, world.paint, key, point)
        wrap = WRAP
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
    limit = AMBIENT_REACH
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
                _, i = nearest(world.boxes, (start, d), FAR, hit[1], True)
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
