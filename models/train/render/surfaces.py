"""What a surface looks like where a ray meets it, before shadows are known."""

from __future__ import annotations

import math

from models.train.render.arrays import Boxes, Lamps, Paint, Soil
from models.train.render.rays import (
    Vector,
    compiled,
    dot,
    into_box,
    minus,
    mirrored,
    out_of_box,
    plus,
    unit,
)

Look = tuple[Vector, Vector, Vector, float]
"""Colour, true normal, normal bent by engraving or relief, gloss."""

Ink = tuple[Vector, float, float, float]
"""Colour weighted by opacity, opacity, and the opacity's slope to the right and downwards."""

INK_GLOSS_LOSS = 0.5
"""Paint lies in a groove and mirrors less than the polished face around it."""

CROWN_TILT = 0.02
"""Polishing leaves faces a little domed: how far the normal tilts at their rims."""

INSET_SHARE = 0.6
"""The picture keeps this share of the edge's rounding clear: nobody engraves a bevel."""


@compiled
def _texel(paint: Paint, i: int, x: int, y: int) -> int:
    """Return the place in `texels` of one texel of box `i`'s picture."""
    w, h = paint.art[i, 1], paint.art[i, 2]
    return int(paint.art[i, 0] + min(max(y, 0), h - 1) * w + min(max(x, 0), w - 1))


@compiled
def _ink(paint: Paint, i: int, u: float, v: float) -> Ink:
    """Return the picture of box `i` at `u`, `v`, each 0 to 1 from its top left."""
    w, h = paint.art[i, 1], paint.art[i, 2]
    fx, fy = u * w - 0.5, v * h - 0.5
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
    )
    opacity = wa * t[a, 3] + wb * t[b, 3] + wc * t[c, 3] + wd * t[d, 3]
    right = (1 - fy) * (t[b, 3] - t[a, 3]) + fy * (t[d, 3] - t[c, 3])
    down = (1 - fx) * (t[c, 3] - t[a, 3]) + fx * (t[d, 3] - t[b, 3])
    return colour, opacity, right * w / 160.0, down * h / 160.0


@compiled
def _round_normal(boxes: Boxes, i: int, p: Vector) -> tuple[Vector, float]:
    """Return the normal in the box's axes, and 0 on a flat side to 1 in the middle of an edge."""
    x = math.copysign(max(abs(p[0]) - boxes.core[i, 0], 0.0), p[0])
    y = math.copysign(max(abs(p[1]) - boxes.core[i, 1], 0.0), p[1])
    z = math.copysign(max(abs(p[2]) - boxes.core[i, 2], 0.0), p[2])
    n = unit((x, y, z))
    return n, min(1.0, 3.4 * (1.0 - max(abs(n[0]), abs(n[1]), abs(n[2]))))


@compiled
def _body_colour(paint: Paint, i: int, above_seam: float, edge: float) -> Vector:
    """Return front or back colour, the glued seam a little darker, the edges worn."""
    k = min(max(above_seam * 40.0 + 0.5, 0.0), 1.0)
    k *= 1.0 - 0.25 * math.exp(-above_seam * above_seam * 900.0)
    dirt = 1.0 - 0.3 * edge * paint.finish[i, 2]
    f, b = paint.front, paint.back
    return (
        (b[i, 0] + k * (f[i, 0] - b[i, 0])) * dirt,
        (b[i, 1] + k * (f[i, 1] - b[i, 1])) * dirt,
        (b[i, 2] + k * (f[i, 2] - b[i, 2])) * dirt * dirt,
    )


@compiled
def box_look(boxes: Boxes, paint: Paint, i: int, point: Vector) -> Look:
    """Return how box `i` looks at a point of its surface."""
    c = boxes.centre
    p = into_box(boxes, i, minus(point, (c[i, 0], c[i, 1], c[i, 2])))
    n, edge = _round_normal(boxes, i, p)
    colour = _body_colour(paint, i, p[2] - paint.seam[i], edge)
    lit, gloss = n, float(paint.finish[i, 0])
    if paint.art[i, 1] > 0 and n[2] > 0.6:
        flat = 1.0 - INSET_SHARE
        u = 0.5 + 0.5 * p[0] / (boxes.core[i, 0] + flat * boxes.core[i, 3])
        v = 0.5 - 0.5 * p[1] / (boxes.core[i, 1] + flat * boxes.core[i, 3])
        ink, opacity, right, down = _ink(paint, i, u, v)
        colour = plus(ink, 1.0 - opacity, colour)
        deep = paint.finish[i, 1]
        lit = unit(
            (
                n[0] + deep * right + CROWN_TILT * p[0] / boxes.core[i, 0],
                n[1] - deep * down + CROWN_TILT * p[1] / boxes.core[i, 1],
                n[2],
            )
        )
        gloss *= 1.0 - INK_GLOSS_LOSS * opacity
    return colour, out_of_box(boxes, i, n), out_of_box(boxes, i, lit), gloss


@compiled
def soil_look(soil: Soil, which: int, point: Vector, footprint: float) -> Look:
    """Return how the table (0) or floor (1) looks; seen from afar its pattern fades to plain.

    `footprint` is the size of a sub-pixel on the surface, cm.
    """
    n = soil.patterns.shape[1]
    repeat = soil.repeat[which]
    x = (soil.turn[0] * point[0] - soil.turn[1] * point[1]) * repeat
    y = (soil.turn[1] * point[0] + soil.turn[0] * point[1]) * repeat
    fx, fy = (x - math.floor(x)) * n, (y - math.floor(y)) * n
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
    bent = unit((-tilt * sx, -tilt * sy, 1.0))
    return colour, (0.0, 0.0, 1.0), bent, float(soil.finish[which, 1])


@compiled
def lamp_point(lamps: Lamps, k: int, u: float, v: float) -> Vector:
    """Return a point of lamp `k`; `u` and `v` run over -1 to 1."""
    c, a, b = lamps.centre, lamps.half_u, lamps.half_v
    return (
        c[k, 0] + u * a[k, 0] + v * b[k, 0],
        c[k, 1] + u * a[k, 1] + v * b[k, 1],
        c[k, 2] + u * a[k, 2] + v * b[k, 2],
    )


@compiled
def fresnel(cosine: float) -> float:
    """Return the share of light that plastic or lacquer mirrors (Schlick's approximation)."""
    x = 1.0 - min(max(cosine, 0.0), 1.0)
    return 0.04 + 0.96 * x * x * x * x * x


@compiled
def _brightest(lamps: Lamps, k: int, point: Vector, seen: Vector) -> Vector:
    """Return the place on lamp `k` nearest to the mirrored line of sight."""
    c = lamp_point(lamps, k, 0.0, 0.0)
    a = minus(lamp_point(lamps, k, 1.0, 0.0), c)
    b = minus(lamp_point(lamps, k, 0.0, 1.0), c)
    reach = max(dot(minus(c, point), seen), 1.0)
    miss = minus(plus(point, reach, seen), c)
    u = min(max(dot(miss, a) / (dot(a, a) + 1e-9), -1.0), 1.0)
    v = min(max(dot(miss, b) / (dot(b, b) + 1e-9), -1.0), 1.0)
    return lamp_point(lamps, k, u, v)


@compiled
def shade_open(lamps: Lamps, point: Vector) -> float:
    """Return how much of the first lamp the soft shadows of things out of sight leave at a place.

    Each is a rounded rectangle on the table: a head, an arm, a telephone, a window's frame.
    """
    left = 1.0
    s = lamps.shades
    for i in range(s.shape[0]):
        x, y = point[0] - s[i, 0], point[1] - s[i, 1]
        across = abs(s[i, 2] * x + s[i, 3] * y) - s[i, 4]
        along = abs(s[i, 2] * y - s[i, 3] * x) - s[i, 5]
        outside = math.sqrt(max(across, 0.0) ** 2 + max(along, 0.0) ** 2)
        inside = min(max(across, along), 0.0)
        k = min(max(0.5 - (outside + inside) / s[i, 6], 0.0), 1.0)
        left *= 1.0 - s[i, 7] * k * k * (3.0 - 2.0 * k)
    return left


@compiled
def lamp_diffuse(lamps: Lamps, k: int, point: Vector, normal: Vector, wrap: float) -> float:
    """Return lamp `k`'s light on a surface per unit of its power, shadows left out.

    `wrap` lets it reach round the edge of translucent bodies.
    """
    to_lamp = minus(lamp_point(lamps, k, 0.0, 0.0), point)
    fall = lamps.reach[k] * lamps.reach[k] / dot(to_lamp, to_lamp)
    facing = (dot(normal, unit(to_lamp)) + wrap) / (1.0 + wrap)
    return float(max(facing, 0.0) * fall)


@compiled
def lamp_mirrored(
    lamps: Lamps, k: int, point: Vector, normal: Vector, view: Vector, gloss: float
) -> float:
    """Return the highlight of lamp `k` per unit of its power, shadows left out.

    `view` points from the camera to the surface. The lobe is GGX about the point of the lamp
    that is nearest to the mirrored line of sight, weaker the larger the lamp.
    """
    light = unit(minus(_brightest(lamps, k, point, mirrored(view, normal)), point))
    half = unit(plus(light, -1.0, view))
    nh, nl, nv = dot(normal, half), dot(normal, light), -dot(normal, view)
    if gloss <= 0.0 or nl <= 0.0 or nv <= 0.0:
        return 0.0
    alpha2 = (0.38 - 0.3 * gloss) ** 2
    lobe = nh * nh * (alpha2 - 1.0) + 1.0
    to_lamp = minus(lamp_point(lamps, k, 0.0, 0.0), point)
    distance2 = dot(to_lamp, to_lamp)
    size = lamps.area[k] / distance2
    spread = 1.0 / (1.0 + size / (alpha2 * 4.0))
    peak = alpha2 / (lobe * lobe) * spread * nl / max(0.25, 4.0 * max(nl, nv))
    fall = lamps.reach[k] * lamps.reach[k] / distance2
    return float(min(peak * fresnel(dot(light, half)), 8.0) * fall)


@compiled
def sky_light(lamps: Lamps, direction: Vector, channel: int) -> float:
    """Return the room's light from a direction above the horizon."""
    z = min(max(direction[2], 0.0), 1.0)
    return float(lamps.around[channel] + z * (lamps.above[channel] - lamps.around[channel]))


@compiled
def sky_mirrored(view: Vector, normal: Vector) -> float:
    """Return the share of the ceiling's brightness that a glossy surface mirrors."""
    share = fresnel(-dot(view, normal))
    return share if mirrored(view, normal)[2] > 0.0 else 0.25 * share
