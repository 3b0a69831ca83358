"""Match the tiles of two photographs of a hand by order, row and name.

Both hands are written row by row and aligned as two strings are. Tiles match in the same order, and
either photograph may lack some. Names are only hints: a misread tile still has its neighbours, and
the tiles of a pung match each other anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.preprocess import LABELS, NO_TILE, Float64s
from vision.reading import TileReading

FACES = tuple(label for label in LABELS if label != NO_TILE)
"""Everything a tile may be: 42 faces and face down."""

MatchedPairs = tuple[tuple[int, int], ...]
"""Matched positions in the first and second sequence, ascending."""

UNMATCHED_TILE_COST_NATS = -2.5
"""Score of a tile without a match, in nats. Two of these cost more than the worst pair of names. A
tile with different names is therefore one misread tile, not one lost and one added."""

OTHER_ROW_COST_NATS = -1.5
"""Score of matching a tile of the top row with one of the bottom row, in nats."""

MISREAD_CHANCE = 0.02
"""Chance that a name is wrong however confident it is. It limits what one name can prove."""

FURTHER_PHOTO_SHARE = 0.5
"""Weight of another photograph of a tile, compared with an independent witness. The same unusual
face misleads both."""

_MIN_CHANCE = 1e-5
"""Lower limit of a face's chance; readings round theirs to four places."""


@dataclass(frozen=True, slots=True, eq=False)
class TileSequence:
    """The N tiles of a hand in reading order."""

    chances: Float64s
    """(N, 43): chances of FACES for each tile."""
    rows: Float64s
    """(N,): from 0 for the farthest row to 1 for the nearest; 0.5 for a single row."""


def chances(tile: TileReading) -> Float64s:
    """Return the chances (43,) of a tile as read; the rest is spread over the other faces."""
    chance_by_code = {tile.code: tile.confidence, **dict(tile.alternatives)}
    rest = max(1 - sum(chance_by_code.values()), 0.0) / max(len(FACES) - len(chance_by_code), 1)
    return np.maximum([chance_by_code.get(face, rest) for face in FACES], _MIN_CHANCE)


def pool_chances(witnesses: Sequence[Float64s]) -> Float64s:
    """Return the chances (43,) of one tile after several looks, summing to 1.

    Chances multiply as for independent witnesses, but each counts for less than one.
    """
    weight = (1 + FURTHER_PHOTO_SHARE * (len(witnesses) - 1)) / len(witnesses)
    likelihoods = np.exp(weight * np.log(witnesses).sum(0))
    return np.asarray(likelihoods / likelihoods.sum(), np.float64)


def align(first: TileSequence, second: TileSequence) -> tuple[MatchedPairs, float]:
    """Return the best match of two hands in their order, and its log likelihood ratio."""
    likeness = _match_scores(first, second)
    rows, columns = likeness.shape
    best = UNMATCHED_TILE_COST_NATS * np.add.outer(np.arange(rows + 1.0), np.arange(columns + 1.0))
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            skipping = max(best[i - 1, j], best[i, j - 1]) + UNMATCHED_TILE_COST_NATS
            best[i, j] = max(best[i - 1, j - 1] + likeness[i - 1, j - 1], skipping)
    return _trace_back(likeness, best), float(best[rows, columns])


def _trace_back(likeness: Float64s, best: Float64s) -> MatchedPairs:
    """Follow the matrix of best scores back from its end."""
    pairs = []
    i, j = likeness.shape
    while i and j:
        if best[i, j] == best[i - 1, j - 1] + likeness[i - 1, j - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif best[i, j] == best[i - 1, j] + UNMATCHED_TILE_COST_NATS:
            i -= 1
        else:
            j -= 1
    return tuple(reversed(pairs))


def _match_scores(first: TileSequence, second: TileSequence) -> Float64s:
    """Return the log likelihood ratio (N, M) that two tiles are the same one.

    It compares the chance that both show one face with that of two random tiles.
    """
    same_tile_chance = len(FACES) * first.chances @ second.chances.T
    names = np.log((1 - MISREAD_CHANCE) * same_tile_chance + MISREAD_CHANCE)
    rows = np.abs(np.subtract.outer(first.rows, second.rows))
    return np.asarray(names + OTHER_ROW_COST_NATS * rows, np.float64)
