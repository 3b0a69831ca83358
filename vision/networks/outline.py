"""Encode a tile's outline in numbers that do not depend on the first corner.

Corners in order are hard to learn: a tile that lies sideways may start at either end. The answer
then jumps where the picture hardly changes, and a network learns the mean of both, which is no
tile. These numbers stay the same whichever corner comes first.

A point is a complex number x + iy. The clockwise corners (y down) are

    centre - u - v + w,  centre + u - v - w,  centre + u + v + w,  centre - u + v - w

where `u` is half the way across, `v` half the way down and `w` the effect of perspective. Starting
at the next corner turns u, v, w into v, -u, -w. Let D = u² - v² and s = √|D|. Then these values do
not change:

    centre,  (u² + v²) / s,  s (D / s²)²,  w D / s²

All are lengths in pixels and vary continuously. Only the sign of D depends on the first corner. The
direction of `across` = D / s says which way the tile's own short sides lie, even where perspective
makes them look longer.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.preprocess import Float32s

OUTLINE_NUMBERS = 10
"""Real numbers per outline: five complex numbers, x then y."""

CENTRE_SLICE, TOTAL_SLICE, FOURFOLD_SLICE, TWIST_SLICE, ACROSS_SLICE = (
    slice(k, k + 2) for k in range(0, OUTLINE_NUMBERS, 2)
)
"""Position of each value: the four continuous ones in the order above, then `across`."""

_Complex = npt.NDArray[np.complex64]


def encode(quads: Float32s) -> Float32s:
    """Return the numbers (..., OUTLINE_NUMBERS) of quads (..., 4, 2), clockwise from the top."""
    a, b, c, d = np.moveaxis(_to_complex(quads), -1, 0)
    u, v, w = (b + c - a - d) / 4, (c + d - a - b) / 4, (a + c - b - d) / 4
    difference = u * u - v * v
    length = np.sqrt(np.maximum(np.abs(difference), 1e-9))
    way = difference / length**2
    parts = ((a + b + c + d) / 4, (u * u + v * v) / length, length * way**2, w * way, length * way)
    return _to_real(np.stack(parts, -1))


def decode(numbers: Float32s) -> Float32s:
    """Return clockwise quads (..., 4, 2) that start with the higher of the short sides.

    Many tiles do not show which way up they are; the classifier decides that.
    """
    centre, total, fourfold, twist, horizontal = np.moveaxis(_to_complex(_to_pairs(numbers)), -1, 0)
    length = np.maximum(np.abs(fourfold), 1e-6)
    way = np.sqrt(fourfold / length)
    way = np.where((way * horizontal.conj()).real < 0, -way, way)
    u = np.sqrt((total * length + way * length**2) / 2)
    v = np.sqrt((total * length - way * length**2) / 2)
    v = np.where((u.conj() * v).imag < 0, -v, v)  # clockwise
    half_turn = np.where(v.imag < 0, -1, 1)
    u, v, w = u * half_turn, v * half_turn, twist * way.conj()
    return _to_real(
        np.stack(
            [centre - u - v + w, centre + u - v - w, centre + u + v + w, centre - u + v - w], -1
        )
    ).reshape(*numbers.shape[:-1], 4, 2)


def _to_pairs(numbers: Float32s) -> Float32s:
    return numbers.reshape(*numbers.shape[:-1], OUTLINE_NUMBERS // 2, 2)


def _to_complex(points: npt.NDArray[np.float32]) -> _Complex:
    """Return points (..., 2) as complex numbers (...)."""
    return np.asarray(points[..., 0] + 1j * points[..., 1], np.complex64)


def _to_real(numbers: npt.NDArray[np.complexfloating]) -> Float32s:
    """Return complex numbers (..., N) as real ones (..., 2 N), x then y each."""
    pairs = np.stack([numbers.real, numbers.imag], -1)
    return np.asarray(pairs.reshape(*numbers.shape[:-1], 2 * numbers.shape[-1]), np.float32)
