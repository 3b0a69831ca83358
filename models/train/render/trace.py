"""The loops over sub-pixels: trace them, smooth the shadows, put light and colour together."""

from __future__ import annotations

from models.train.render.light import fill_dark, fill_look, fill_open, ground_hit, sight
from models.train.render.packed import F32, FLOOR, I32, TABLE, Buffers, World
from models.train.render.rays import nearest
from models.train.render.vectors import compiled, plus


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
            if key == FLOOR:
                fill_dark(world, buffers, (y, x))
            elif key != TABLE or (x % every == 0 and y % every == 0):
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
