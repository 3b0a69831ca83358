"""What a surface looks like where a ray meets it, before shadows are known."""

from __future__ import annotations

import math
from typing import Any


from models.train.render.rays import into_box, out_of_box
from models.train.render.vectors import Vector, compiled, dot, minus, mirrored, plus, unit

Colour4 = tuple[float, float, float, float]


@compiled
def _texel(paint: Any, i: int, x: int, y: int) -> int:
    w, h = paint.art[i, 1], paint.art[i, 2]
    return int(paint.art[i, 0] + min(max(y, 0), h - 1) * w + min(max(x, 0), w - 1))


@compiled
def _ink(paint: Any, i: int, u: float, v: float) -> tuple[Colour4, float, float]:
    """Colour and opacity of the picture at `u`, `v`, and how the opacity changes along both."""
    fx = u * paint.art[i, 1] - 0.5
    fy = v * paint.art[i, 2] - 0.5
    x, y = math.floor(fx), math.floor(fy)
    fx -= x
    fy -= y
    t = paint.texels
    a, b = _texel(paint, i, x, y), _texel(paint, i, x + 1, y)
    c, d = _texel(paint, i, x, y + 1), _texel(paint, i, x + 1, y + 1)
    wa, wb, wc, wd = (1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy
    colour = (
        wa * t[a, 0] + wb * t[b, 0] + wc * t[c, 0] + wd * t[d, 0],
        wa * t[a, 1] + wb * t[b, 1] + wc * t[c, 1] + wd * t[d, 1],
        wa * t[a, 2] + wb * t[b, 2] + wc * t[c, 2] + wd * t[d, 2],
        wa * t[a, 3] + wb * t[b, 3] + wc * t[c, 3] + wd * t[d, 3],
    )
    along_u = (1 - fy) * (t[b, 3] - t[a, 3]) + fy * (t[d, 3] - t[c, 3])
    along_v = (1 - fx) * (t[c, 3] - t[a, 3]) + fx * (t[d, 3] - t[b, 3])
    return colour, along_u, along_v


@compiled
def _round_normal(boxes: Any, i: int, p: Vector) -> tuple[Vector, float]:
    """The normal in the box's own axes, and 0 on a flat side to 1 in the middle of an edge."""
    x = math.copysign(max(abs(p[0]) - boxes.core[i, 0], 0.0), p[0])
    y = math.copysign(max(abs(p[1]) - boxes.core[i, 1], 0.0), p[1])
    z = math.copysign(max(abs(p[2]) - boxes.core[i, 2], 0.0), p[2])
    n = unit((x, y, z))
    return n, min(1.0, 3.4 * (1.0 - max(abs(n[0]), abs(n[1]), abs(n[2]))))


@compiled
def box_look(boxes: Any, paint: Any, i: int, point: Vector) -> tuple[Vector, Vector, Vector]:
    """Colour, true normal and the normal bent by engraving, at a point of box `i`."""
    c = boxes.centre
    p = into_box(boxes, i, minus(point, (c[i, 0], c[i, 1], c[i, 2])))
    n, edge = _round_normal(boxes, i, p)
    lit = n
    k = min(max((p[2] - paint.seam[i]) * 40.0 + 0.5, 0.0), 1.0)
    k *= 1.0 - 0.25 * math.exp(-((p[2] - paint.seam[i]) ** 2) * 900.0)
    k = max(k, 0.0)
    dirt = 1.0 - 0.3 * edge * paint.finish[i, 2]
    r = (paint.back[i, 0] + k * (paint.front[i, 0] - paint.back[i, 0])) * dirt
    g = (paint.back[i, 1] + k * (paint.front[i, 1] - paint.back[i, 1])) * dirt
    b = (paint.back[i, 2] + k * (paint.front[i, 2] - paint.back[i, 2])) * dirt * dirt
    if paint.art[i, 1] > 0 and n[2] > 0.6:
        half_x = boxes.core[i, 0] + boxes.core[i, 3]
        half_y = boxes.core[i, 1] + boxes.core[i, 3]
        ink, du, dv = _ink(paint, i, 0.5 + 0.5 * p[0] / half_x, 0.5 - 0.5 * p[1] / half_y)
        clear = 1.0 - ink[3]
        r, g, b = r * clear + ink[0], g * clear + ink[1], b * clear + ink[2]
        deep = paint.finish[i, 1]
        lit = unit((n[0] + deep * du, n[1] - deep * dv, n[2]))
    return (r, g, b), out_of_box(boxes, i, n), out_of_box(boxes, i, lit)


@compiled
def soil_look(soil: Any, which: int, point: Vector, footprint: float) -> tuple[Vector, Vector]:
    """Colour and bent normal of the table (0) or floor (1), fading to plain when seen from afar.

    `footprint` is the size of a sub-pixel on the surface, cm.
    """
    n = soil.patterns.shape[1]
    repeat = soil.repeat[which]
    x = soil.turn[0] * point[0] - soil.turn[1] * point[1]
    y = soil.turn[1] * point[0] + soil.turn[0] * point[1]
    fx = (x * repeat - math.floor(x * repeat)) * n
    fy = (y * repeat - math.floor(y * repeat)) * n
    x0, y0 = int(fx) % n, int(fy) % n
    fx -= math.floor(fx)
    fy -= math.floor(fy)
    x1, y1 = (x0 + 1) % n, (y0 + 1) % n
    wa, wb, wc, wd = (1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy
    p = soil.patterns
    sharp = min(1.0, 1.5 / (footprint * repeat * n + 1e-6))
    tone = wa * p[which, y0, x0, 0] + wb * p[which, y0, x1, 0]
    tone += wc * p[which, y1, x0, 0] + wd * p[which, y1, x1, 0]
    tone = 0.5 + (tone - 0.5) * sharp
    tilt = soil.finish[which, 0] * sharp
    sx = (wa + wc) * p[which, y0, x0, 1] + (wb + wd) * p[which, y0, x1, 1]
    sy = (wa + wb) * p[which, y0, x0, 2] + (wc + wd) * p[which, y1, x0, 2]
    d, e = soil.dark, soil.light
    colour = (
        d[which, 0] + tone * (e[which, 0] - d[which, 0]),
        d[which, 1] + tone * (e[which, 1] - d[which, 1]),
        d[which, 2] + tone * (e[which, 2] - d[which, 2]),
    )
    return colour, unit((-tilt * sx, -tilt * sy, 1.0))


@compiled
def lamp_point(lamps: Any, k: int, u: float, v: float) -> Vector:
    """A point of lamp `k`; `u` and `v` run over -1 to 1."""
    c, a, b = lamps.centre, lamps.half_u, lamps.half_v
    return (
        c[k, 0] + u * a[k, 0] + v * b[k, 0],
        c[k, 1] + u * a[k, 1] + v * b[k, 1],
        c[k, 2] + u * a[k, 2] + v * b[k, 2],
    )


@compiled
def fresnel(cosine: float) -> float:
    """Share of light that plastic or lacquer mirrors (Schlick's approximation)."""
    x = 1.0 - min(max(cosine, 0.0), 1.0)
    return 0.04 + 0.96 * x * x * x * x * x


@compiled
def _brightest(lamps: Any, k: int, point: Vector, seen: Vector) -> Vector:
    """The place on lamp `k` nearest to the mirrored line of sight."""
    c = lamp_point(lamps, k, 0.0, 0.0)
    a = minus(lamp_point(lamps, k, 1.0, 0.0), c)
    b = minus(lamp_point(lamps, k, 0.0, 1.0), c)
    away = minus(c, point)
    reach = max(dot(away, seen), 1.0)
    miss = minus(
        (point[0] + reach * seen[0], point[1] + reach * seen[1], point[2] + reach * seen[2]), c
    )
    u = min(max(dot(miss, a) / (dot(a, a) + 1e-9), -1.0), 1.0)
    v = min(max(dot(miss, b) / (dot(b, b) + 1e-9), -1.0), 1.0)
    return lamp_point(lamps, k, u, v)


@compiled
def lamp_light(
    lamps: Any, k: int, point: Vector, normal: Vector, view: Vector, gloss: float
) -> tuple[float, float]:
    """Diffuse and mirrored light from lamp `k` per unit of its power, shadows left out.

    `view` points from the camera to the surface; `gloss` below 0 is wholly matt.
    """
    to_lamp = minus(lamp_point(lamps, k, 0.0, 0.0), point)
    distance2 = dot(to_lamp, to_lamp)
    fall = lamps.reach[k] * lamps.reach[k] / distance2
    wrap = 0.1 if gloss >= 0.0 else 0.0
    facing = (dot(normal, unit(to_lamp)) + wrap) / (1.0 + wrap)
    if facing <= 0.0:
        return 0.0, 0.0
    if gloss <= 0.0:
        return facing * fall, 0.0
    best = _brightest(lamps, k, point, mirrored(view, normal))
    light = unit(minus(best, point))
    half = unit(plus(light, -1.0, view))
    nh, nl, nv = dot(normal, half), dot(normal, light), -dot(normal, view)
    if nl <= 0.0 or nv <= 0.0:
        return facing * fall, 0.0
    alpha = 0.38 - 0.3 * gloss
    a2 = alpha * alpha
    denominator = nh * nh * (a2 - 1.0) + 1.0
    peak = a2 / (denominator * denominator)
    u = lamps.half_u
    v = lamps.half_v
    area = math.sqrt(
        (u[k, 0] ** 2 + u[k, 1] ** 2 + u[k, 2] ** 2) * (v[k, 0] ** 2 + v[k, 1] ** 2 + v[k, 2] ** 2)
    )
    spread = 1.0 / (1.0 + area / distance2 / (a2 * 4.0))
    shadowing = 1.0 / max(0.25, 4.0 * max(nl, nv))
    mirror = peak * fresnel(dot(light, half)) * shadowing * spread * nl
    return facing * fall, min(mirror, 8.0) * fall


@compiled
def sky_light(lamps: Any, direction: Vector, channel: int) -> float:
    """The room's light from a direction above the horizon."""
    z = min(max(direction[2], 0.0), 1.0)
    return float(lamps.around[channel] + z * (lamps.above[channel] - lamps.around[channel]))
