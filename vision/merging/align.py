"""Which tile of one photograph of a hand is which of another: by order and place, names as hints.

Both hands are written out row by row and aligned as two strings are: a tile matches one that
follows in the same order, and either photograph may lack tiles that the other has. Names only
weigh: a tile misread in one photograph still has its neighbours, and pungs would match anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.preprocess import LABELS, NO_TILE, Float64s
from vision.reading import TileReading

FACES = tuple(label for label in LABELS if label != NO_TILE)
"""All that a tile may be: 42 faces and face down."""

Pairs = tuple[tuple[int, int], ...]
"""Matched places in the first and the second sequence, ascending."""

SKIPPED = -2.5
"""What a tile without a match costs, in nats. Two of these cost more than the worst pair of names:
a tile that is named differently is one tile misread, not one lost and one come."""

OTHER_ROW = -1.5
"""What it costs to match a tile of the top row with one of the bottom row, in nats."""

MISTAKEN = 0.02
"""Chance that a stated name is wrong however sure it was: bounds what one name can prove."""

FURTHER_LOOK = 0.5
"""What another photograph of a tile adds, as a share of what an independent witness would: the
same odd face misleads each of them."""

_LEAST = 1e-5
"""The least chance of a face: readings round theirs to four places."""


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """The N tiles of a hand in the order in which one reads them."""

    chances: Float64s
    """(N, 43): what each may be, by FACES."""
    rows: Float64s
    """(N,): 0 for the farthest row to 1 for the nearest; 0.5 for a single one, which may be
    either."""


def chances(tile: TileReading) -> Float64s:
    """Return what the tile may be (43,), as read; what is left is spread over the other faces."""
    known = {tile.code: tile.confidence, **dict(tile.alternatives)}
    rest = max(1 - sum(known.values()), 0.0) / max(len(FACES) - len(known), 1)
    return np.maximum([known.get(face, rest) for face in FACES], _LEAST)


def pooled(witnesses: Sequence[Float64s]) -> Float64s:
    """Return what one tile may be (43,) after several looks at it, summing to 1.

    Chances multiply, as those of independent witnesses would, but each counts for less than one.
    """
    weight = (1 + FURTHER_LOOK * (len(witnesses) - 1)) / len(witnesses)
    raised = np.exp(weight * np.log(witnesses).sum(0))
    return np.asarray(raised / raised.sum(), np.float64)


def align(first: Spots, second: Spots) -> tuple[Pairs, float]:
    """Return the best matching of two hands in their order, and its log likelihood ratio."""
    likeness = _likeness(first, second)
    rows, columns = likeness.shape
    best = SKIPPED * np.add.outer(np.arange(rows + 1.0), np.arange(columns + 1.0))
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            skipping = max(best[i - 1, j], best[i, j - 1]) + SKIPPED
            best[i, j] = max(best[i - 1, j - 1] + likeness[i - 1, j - 1], skipping)
    return _traced(likeness, best), float(best[rows, columns])


def _traced(likeness: Float64s, best: Float64s) -> Pairs:
    """Walk the table of best sums back from its end."""
    pairs = []
    i, j = likeness.shape
    while i and j:
        if best[i, j] == best[i - 1, j - 1] + likeness[i - 1, j - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif best[i, j] == best[i - 1, j] + SKIPPED:
            i -= 1
        else:
            j -= 1
    return tuple(reversed(pairs))


def _likeness(first: Spots, second: Spots) -> Float64s:
    """Return how much more likely any two (N, M) are one tile than any two are, as logarithms.

    The chance that both show the same face, over that of two tiles drawn blindly.
    """
    same = len(FACES) * first.chances @ second.chances.T
    names = np.log((1 - MISTAKEN) * same + MISTAKEN)
    rows = np.abs(np.subtract.outer(first.rows, second.rows))
    return np.asarray(names + OTHER_ROW * rows, np.float64)
