"""Find the gaps between sets in a row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.preprocess import Float64s

WIDE, NARROW = 0.3, 0.16
"""In tile widths: a gap above the first ends a set, and one below the second does not. Between them
the row's other gaps decide."""

ODD = 0.08
"""The narrowest gap between sets exceeds the widest one within a set by at least this."""


def cut_at_gaps(
    centres: Float64s, half_widths: Float64s, rows: Sequence[Sequence[int]]
) -> list[tuple[tuple[int, ...], ...]]:
    """Return each row's tiles from left to right, cut into groups at the gaps between sets.

    `centres` (N,) and `half_widths` (N,) are measured along the rows, in tile widths.
    """
    orders = [sorted(row, key=lambda i: float(centres[i])) for row in rows]
    gaps = [_between(centres, half_widths, order) for order in orders]
    ends_set = _threshold(np.concatenate(gaps)) if gaps else WIDE
    return [
        tuple(
            tuple(group.tolist())
            for group in np.split(np.array(order, int), np.flatnonzero(between >= ends_set) + 1)
        )
        for order, between in zip(orders, gaps, strict=True)
    ]


def _between(centres: Float64s, half_widths: Float64s, order: Sequence[int]) -> Float64s:
    left, right = np.array(order[:-1], int), np.array(order[1:], int)
    return np.asarray(centres[right] - centres[left] - half_widths[left] - half_widths[right])


def _threshold(gaps: Float64s) -> float:
    """Return the width from which a gap ends a set: the middle of the largest step in size.

    A hand has gaps of similar size, and a single wider one may only be careless.
    """
    sizes = np.sort(np.clip(gaps, 0.0, 2 * WIDE))
    steps = np.diff(sizes)
    if len(steps) < 2:
        return WIDE
    clearest = int(steps[:-1].argmax())
    if steps[clearest] < ODD:
        return WIDE
    return float(np.clip(sizes[clearest] + steps[clearest] / 2, NARROW, WIDE))
