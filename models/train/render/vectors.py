"""Three-vectors as plain tuples, for the compiled parts of the renderer."""

from __future__ import annotations

import math

from numba import njit

compiled = njit(cache=True, fastmath=True, _nrt=False)
"""The one way in which the renderer is compiled. Counting references to arrays is switched off:
nothing here allocates, and the counting takes more time than the light."""

Vector = tuple[float, float, float]

FAR = 1e9
"""A distance (cm) that stands for "never"."""


@compiled
def dot(a: Vector, b: Vector) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@compiled
def minus(a: Vector, b: Vector) -> Vector:
    """From `b` to `a`."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@compiled
def plus(a: Vector, scale: float, b: Vector) -> Vector:
    """`a` and `scale` times `b`."""
    return (a[0] + scale * b[0], a[1] + scale * b[1], a[2] + scale * b[2])


@compiled
def unit(a: Vector) -> Vector:
    """`a` at length 1."""
    k = 1.0 / math.sqrt(dot(a, a) + 1e-20)
    return (a[0] * k, a[1] * k, a[2] * k)


@compiled
def mirrored(a: Vector, normal: Vector) -> Vector:
    """The direction `a` after reflection at a surface with this normal."""
    return plus(a, -2.0 * dot(a, normal), normal)


@compiled
def cosine_direction(normal: Vector, u: float, v: float) -> Vector:
    """A direction above the surface, cosine-distributed as `u` and `v` run over 0 to 1."""
    z = 1.0 - 2.0 * u
    r = math.sqrt(max(0.0, 1.0 - z * z))
    a = 2.0 * math.pi * v
    return unit((normal[0] + r * math.cos(a), normal[1] + r * math.sin(a), normal[2] + z))
