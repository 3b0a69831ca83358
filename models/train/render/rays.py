"""Where a ray meets the rounded boxes that everything on the table is made of.

Vectors are plain tuples.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

from models.train.render.arrays import Boxes

Vector = tuple[float, float, float]

FAR_CM = 1e9
"""A distance (cm) that stands for "never"."""

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function, the one way in which the renderer does it.

    Counting references to arrays is switched off: nothing compiled here allocates any, and the
    counting would take longer than the light.
    """
    return cast(Function, njit(cache=True, fastmath=True, _nrt=False)(function))


@compiled
def dot(a: Vector, b: Vector) -> float:
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@compiled
def minus(a: Vector, b: Vector) -> Vector:
    """Return the way from `b` to `a`."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@compiled
def plus(a: Vector, scale: float, b: Vector) -> Vector:
    """Return `a` and `scale` times `b`."""
    return (a[0] + scale * b[0], a[1] + scale * b[1], a[2] + scale * b[2])


@compiled
def unit(a: Vector) -> Vector:
    """Return `a` at length 1."""
    k = 1.0 / math.sqrt(dot(a, a) + 1e-20)
    return (a[0] * k, a[1] * k, a[2] * k)


@compiled
def mirrored(a: Vector, normal: Vector) -> Vector:
    """Return the direction `a` after reflection at a surface with this normal."""
    return plus(a, -2.0 * dot(a, normal), normal)


@compiled
def cosine_direction(normal: Vector, u: float, v: float) -> Vector:
    """Return a direction above the surface, cosine-distributed as `u` and `v` run over 0 to 1."""
    z = 1.0 - 2.0 * u
    r = math.sqrt(max(0.0, 1.0 - z * z))
    a = 2.0 * math.pi * v
    return unit((normal[0] + r * math.cos(a), normal[1] + r * math.sin(a), normal[2] + z))


Ray = tuple[Vector, Vector]
"""Start and unit direction."""


@compiled
def into_box(boxes: Boxes, i: int, v: Vector) -> Vector:
    """Turn a direction into box `i`'s own axes."""
    a = boxes.axes
    return (
        a[i, 0, 0] * v[0] + a[i, 0, 1] * v[1] + a[i, 0, 2] * v[2],
        a[i, 1, 0] * v[0] + a[i, 1, 1] * v[1] + a[i, 1, 2] * v[2],
        a[i, 2, 0] * v[0] + a[i, 2, 1] * v[1] + a[i, 2, 2] * v[2],
    )


@compiled
def out_of_box(boxes: Boxes, i: int, v: Vector) -> Vector:
    """Turn a direction from box `i`'s own axes into the world's."""
    a = boxes.axes
    return (
        a[i, 0, 0] * v[0] + a[i, 1, 0] * v[1] + a[i, 2, 0] * v[2],
        a[i, 0, 1] * v[0] + a[i, 1, 1] * v[1] + a[i, 2, 1] * v[2],
        a[i, 0, 2] * v[0] + a[i, 1, 2] * v[1] + a[i, 2, 2] * v[2],
    )


@compiled
def _edge(oc: Vector, d: Vector, o_along: float, d_along: float, half_radius: Vector) -> float:
    """Distance to one rounded edge (a piece of a cylinder) given the two cross components."""
    a = d[0] * d[0] + d[1] * d[1]
    b = oc[0] * d[0] + oc[1] * d[1]
    c = oc[0] * oc[0] + oc[1] * oc[1] - half_radius[1] * half_radius[1]
    h = b * b - a * c
    if h <= 0.0 or a < 1e-12:
        return FAR_CM
    t = (-b - math.sqrt(h)) / a
    if t > 0.0 and abs(o_along + d_along * t) < half_radius[0]:
        return t
    return FAR_CM


@compiled
def _round_part(o: Vector, d: Vector, core: Vector, r: float) -> float:
    """Distance to the corner or the three edges of the octant in which the ray arrives."""
    oc = (o[0] - core[0], o[1] - core[1], o[2] - core[2])
    t = FAR_CM
    b = dot(oc, d)
    h = b * b - (dot(oc, oc) - r * r)
    if h > 0.0 and -b - math.sqrt(h) > 0.0:
        t = -b - math.sqrt(h)
    t = min(t, _edge((oc[1], oc[2], 0.0), (d[1], d[2], 0.0), o[0], d[0], (core[0], r, 0.0)))
    t = min(t, _edge((oc[2], oc[0], 0.0), (d[2], d[0], 0.0), o[1], d[1], (core[1], r, 0.0)))
    return min(t, _edge((oc[0], oc[1], 0.0), (d[0], d[1], 0.0), o[2], d[2], (core[2], r, 0.0)))


@compiled
def _slab(o: float, d: float, half: float) -> tuple[float, float]:
    """Return where the ray is between two parallel faces."""
    m = 1.0 / d if abs(d) > 1e-12 else 1e12
    n = m * o
    k = abs(m) * half
    return -n - k, -n + k


@compiled
def box_distance(boxes: Boxes, i: int, origin: Vector, direction: Vector) -> float:
    """Distance along the ray to rounded box `i`, or FAR_CM."""
    c = boxes.centre
    away = (origin[0] - c[i, 0], origin[1] - c[i, 1], origin[2] - c[i, 2])
    b = dot(away, direction)
    if b * b - dot(away, away) + boxes.reach[i] < 0.0:
        return FAR_CM
    o = into_box(boxes, i, away)
    d = into_box(boxes, i, direction)
    r = boxes.core[i, 3]
    core = (boxes.core[i, 0], boxes.core[i, 1], boxes.core[i, 2])
    x0, x1 = _slab(o[0], d[0], core[0] + r)
    y0, y1 = _slab(o[1], d[1], core[1] + r)
    z0, z1 = _slab(o[2], d[2], core[2] + r)
    t = max(x0, y0, z0)
    if t > min(x1, y1, z1) or min(x1, y1, z1) < 0.0:
        return FAR_CM
    # The table under a rounded edge lies within the box's bounds: such a ray begins in them.
    t = max(t, 0.0)
    sx = 1.0 if o[0] + t * d[0] > 0.0 else -1.0
    sy = 1.0 if o[1] + t * d[1] > 0.0 else -1.0
    sz = 1.0 if o[2] + t * d[2] > 0.0 else -1.0
    o = (o[0] * sx, o[1] * sy, o[2] * sz)
    d = (d[0] * sx, d[1] * sy, d[2] * sz)
    px = o[0] + t * d[0] - core[0]
    py = o[1] + t * d[1] - core[1]
    pz = o[2] + t * d[2] - core[2]
    if min(max(px, py), max(py, pz), max(pz, px)) < 0.0:
        return t
    return _round_part(o, d, core, r)


@compiled
def _span(boxes: Boxes, origin: Vector, direction: Vector) -> tuple[float, float]:
    """Return the ray's part within the grid's bounds; none when the first is larger."""
    b = boxes.bounds
    near = 0.0
    far = FAR_CM
    for k in range(3):
        d = direction[k]
        if abs(d) < 1e-9:
            if origin[k] < b[k] or origin[k] > b[3 + k]:
                return 1.0, 0.0
        else:
            t0 = (b[k] - origin[k]) / d
            t1 = (b[3 + k] - origin[k]) / d
            near = max(near, min(t0, t1))
            far = min(far, max(t0, t1))
    return near, far


@compiled
def _in_cell(
    boxes: Boxes, ray: Ray, place: tuple[int, int], best: float, skip: int
) -> tuple[float, int]:
    """Return the nearest of the boxes that touch one cell, if nearer than `best`."""
    found = -1
    for m in range(boxes.first[place[1], place[0], 0], boxes.first[place[1], place[0], 1]):
        i = boxes.members[m]
        if i != skip:
            t = box_distance(boxes, i, ray[0], ray[1])
            if t < best:
                best = t
                found = i
    return best, found


@compiled
def _next_wall(boxes: Boxes, ray: Ray, k: int, cell_index: int) -> float:
    """Distance to the wall through which the ray leaves its cell along axis `k`."""
    d = ray[1][k]
    if abs(d) < 1e-9:
        return FAR_CM
    wall = cell_index + 1 if d > 0.0 else cell_index
    return float((boxes.bounds[k] + wall * boxes.cell - ray[0][k]) / d)


@compiled
def nearest(boxes: Boxes, ray: Ray, limit: float, skip: int, any_hit: bool) -> tuple[float, int]:
    """Distance to and index of the first box hit before `limit`; (limit, -1) when there is none.

    `skip` leaves one box out: boxes are convex, so none can shade itself. With `any_hit` the
    first box found ends the search, which is all that a shadow needs.
    """
    near, far = _span(boxes, ray[0], ray[1])
    far = min(far, limit)
    best, found = limit, -1
    if near >= far:
        return best, found
    ny, nx = boxes.first.shape[0], boxes.first.shape[1]
    x = int((ray[0][0] + near * ray[1][0] - boxes.bounds[0]) / boxes.cell)
    y = int((ray[0][1] + near * ray[1][1] - boxes.bounds[1]) / boxes.cell)
    x = min(max(x, 0), nx - 1)
    y = min(max(y, 0), ny - 1)
    step_x = 1 if ray[1][0] > 0.0 else -1
    step_y = 1 if ray[1][1] > 0.0 else -1
    while True:
        t, i = _in_cell(boxes, ray, (x, y), best, skip)
        if i >= 0:
            best, found = t, i
            if any_hit:
                return best, found
        to_x = _next_wall(boxes, ray, 0, x)
        to_y = _next_wall(boxes, ray, 1, y)
        if min(best, far) <= min(to_x, to_y):
            return best, found
        if to_x < to_y:
            x += step_x
        else:
            y += step_y
        if x < 0 or y < 0 or x >= nx or y >= ny:
            return best, found
