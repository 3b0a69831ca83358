"""Three-vectors as plain tuples, for the compiled parts of the renderer."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

Vector = tuple[float, float, float]

FAR = 1e9
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
