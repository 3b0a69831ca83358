"""Which tiles stand side by side, each in the other's own view: true in any perspective.

Over the length of a tile or two a photograph is as good as seen straight: a tile's own sides are
the rulers for what lies beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.geometry.plane import SHAPE, Quads, mean_sides

ASKEW = np.radians(20)
"""Side by side are tiles that are turned against each other by less, the same way up or not."""


def side_by_side(quads: Quads, reach: float, slant: float) -> list[list[int]]:
    """Return runs of tiles side by side.

    The next tile's edge is within `reach` tile widths, its middle no more than `slant` heights off
    the line.
    """
    across, down = mean_sides(quads.astype(np.float64))
    ruler = np.stack([across, down], -1)  # (N, 2, 2): a tile's own sides as columns
    degenerate = np.abs(np.linalg.det(ruler)) < 1e-6
    ruler[degenerate] = np.eye(2)
    inverse = np.linalg.inv(ruler)
    centres = quads.mean(1).astype(np.float64)
    offsets = np.einsum("iab,ijb->ija", inverse, centres[None] - centres[:, None])
    sides = np.einsum("iab,jb->ija", inverse, across) * (1, SHAPE)  # in the other's widths
    turned = np.abs(np.arctan2(sides[..., 1], sides[..., 0]))
    parallel = np.minimum(turned, np.pi - turned) < ASKEW
    sees = (np.abs(offsets[..., 0]) < 1 + reach) & (np.abs(offsets[..., 1]) < slant) & parallel
    return components(range(len(quads)), sees & sees.T)


def components(items: Sequence[int], linked: npt.NDArray[np.bool_]) -> list[list[int]]:
    """Return the connected components of the items, `linked` (N, N) telling who is next to whom."""
    left = list(items)
    found: list[list[int]] = []
    while left:
        component = [left.pop()]
        for i in component:
            component += [j for j in left if linked[i, j]]
            left = [j for j in left if not linked[i, j]]
        found.append(component)
    return found
