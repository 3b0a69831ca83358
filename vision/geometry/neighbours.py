"""Find runs of adjacent tiles, and the gaps between sets within a row.

Over one or two tiles a photograph has little perspective. A tile's own sides can therefore measure
what lies beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.geometry.plane import SHAPE, Quads, mean_sides
from vision.preprocess import Float64s

ASKEW = np.radians(20)
"""Adjacent tiles are turned against each other by less than this, the same way up or not."""


def side_by_side(quads: Quads, reach: float, slant: float) -> list[list[int]]:
    """Return runs of adjacent tiles.

    The next tile's edge is within `reach` tile widths, and its middle within `slant` heights of the
    line.
    """
    across, down = mean_sides(quads.astype(np.float64))
    ruler = np.stack([across, down], -1)  # (N, 2, 2): a tile's own sides as columns
    degenerate = np.abs(np.linalg.det(ruler)) < 1e-6
    ruler[degenerate] = np.eye(2)
    inverse = np.asarray(np.linalg.inv(ruler), np.float64)
    centres = quads.mean(1).astype(np.float64)
    # Middles and side directions of the others in each tile's view, (2, N, N).
    right, below = np.abs(_seen_by(inverse, *(centres.T[:, None] - centres.T[:, :, None])))
    along, down = np.abs(_seen_by(inverse, *across.T[:, None]))
    parallel = down * SHAPE <= np.tan(ASKEW) * along  # in the other's widths
    sees = (right < 1 + reach) & (below < slant) & parallel
    return components(range(len(quads)), sees & sees.T)


def _seen_by(inverse: Float64s, x: Float64s, y: Float64s) -> Float64s:
    """Return x and y, (N, N) or (1, N), measured by each tile's own sides (N, 2, 2): (2, N, N)."""
    return inverse[:, :, 0].T[..., None] * x + inverse[:, :, 1].T[..., None] * y


def components(items: Sequence[int], linked: npt.NDArray[np.bool_]) -> list[list[int]]:
    """Return the connected components of the items; `linked` (N, N) says which are adjacent."""
    next_to = linked.tolist()  # NumPy is slow for single values
    left = list(items)
    found: list[list[int]] = []
    while left:
        component = [left.pop()]
        for i in component:
            beside = next_to[i]
            component += [j for j in left if beside[j]]
            left = [j for j in left if not beside[j]]
        found.append(component)
    return found
