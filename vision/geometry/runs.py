"""Find runs of adjacent tiles, and the gaps between sets within a row.

Over one or two tiles a photograph has little perspective. A tile's own sides can therefore measure
what lies beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.geometry.plane import HEIGHT_PER_WIDTH, Quads, mean_sides
from vision.preprocess import Float64s

MAX_NEIGHBOUR_TURN_RAD = np.radians(20)
"""Adjacent tiles are turned against each other by less than this, the same way up or not."""


def find_runs(quads: Quads, reach: float, slant: float) -> list[list[int]]:
    """Return runs of adjacent tiles.

    The next tile's edge is within `reach` tile widths, and its middle within `slant` heights of the
    line.
    """
    horizontal, vertical = mean_sides(quads.astype(np.float64))
    ruler = np.stack([horizontal, vertical], -1)  # (N, 2, 2): a tile's own sides as columns
    degenerate = np.abs(np.linalg.det(ruler)) < 1e-6
    ruler[degenerate] = np.eye(2)
    inverse = np.asarray(np.linalg.inv(ruler), np.float64)
    centres = quads.mean(1).astype(np.float64)
    # Middles and side directions of the others in each tile's view, (2, N, N).
    right, down_offset = np.abs(
        _in_tile_view(inverse, *(centres.T[:, None] - centres.T[:, :, None]))
    )
    right_offset, vertical = np.abs(_in_tile_view(inverse, *horizontal.T[:, None]))
    parallel = (
        vertical * HEIGHT_PER_WIDTH <= np.tan(MAX_NEIGHBOUR_TURN_RAD) * right_offset
    )  # in the other's widths
    sees = (right < 1 + reach) & (down_offset < slant) & parallel
    return find_components(range(len(quads)), sees & sees.T)


def _in_tile_view(inverse: Float64s, x: Float64s, y: Float64s) -> Float64s:
    """Return x and y, (N, N) or (1, N), measured by each tile's own sides (N, 2, 2): (2, N, N)."""
    return inverse[:, :, 0].T[..., None] * x + inverse[:, :, 1].T[..., None] * y


def find_components(items: Sequence[int], is_linked: npt.NDArray[np.bool_]) -> list[list[int]]:
    """Return the connected components of the items; `is_linked` (N, N) says which are adjacent."""
    next_to = is_linked.tolist()  # NumPy is slow for single values
    left = list(items)
    components: list[list[int]] = []
    while left:
        component = [left.pop()]
        for i in component:
            neighbours = next_to[i]
            component += [j for j in left if neighbours[j]]
            left = [j for j in left if not neighbours[j]]
        components.append(component)
    return components


MIN_SET_GAP_WIDTHS, MAX_INNER_GAP_WIDTHS = 0.3, 0.16
"""In tile widths: a gap above the first ends a set, and one below the second does not. Between them
the row's other gaps decide."""

MIN_GAP_STEP_WIDTHS = 0.08
"""The narrowest gap between sets exceeds the widest one within a set by at least this."""


def cut_at_gaps(
    centres: Float64s, half_widths: Float64s, rows: Sequence[Sequence[int]]
) -> list[tuple[tuple[int, ...], ...]]:
    """Return each row's tiles from left to right, cut into groups at the gaps between sets.

    `centres` (N,) and `half_widths` (N,) are measured along the rows, in tile widths.
    """
    orders = [sorted(row, key=lambda i: float(centres[i])) for row in rows]
    gaps = [_gap_widths(centres, half_widths, order) for order in orders]
    ends_set = _gap_threshold(np.concatenate(gaps)) if gaps else MIN_SET_GAP_WIDTHS
    groups = (
        np.split(np.array(order, int), np.flatnonzero(between >= ends_set) + 1)
        for order, between in zip(orders, gaps, strict=True)
    )
    return [tuple(tuple(group.tolist()) for group in of_row) for of_row in groups]


def _gap_widths(centres: Float64s, half_widths: Float64s, order: Sequence[int]) -> Float64s:
    left, right = np.array(order[:-1], int), np.array(order[1:], int)
    return np.asarray(centres[right] - centres[left] - half_widths[left] - half_widths[right])


def _gap_threshold(gaps: Float64s) -> float:
    """Return the width from which a gap ends a set: the middle of the largest step in size.

    A hand has gaps of similar size, and a single wider one may only be careless.
    """
    sizes = np.sort(np.clip(gaps, 0.0, 2 * MIN_SET_GAP_WIDTHS))
    steps = np.diff(sizes)
    if len(steps) < 2:
        return MIN_SET_GAP_WIDTHS
    clearest = int(steps[:-1].argmax())
    if steps[clearest] < MIN_GAP_STEP_WIDTHS:
        return MIN_SET_GAP_WIDTHS
    return float(
        np.clip(sizes[clearest] + steps[clearest] / 2, MAX_INNER_GAP_WIDTHS, MIN_SET_GAP_WIDTHS)
    )
