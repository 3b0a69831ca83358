"""Which tile of one photograph of a hand is which of another: by order and place, names as hints.

Both hands are written out row by row and aligned as two strings are: a tile matches one that
follows in the same order, and either photograph may lack tiles that the other has. Names only
weigh: a tile misread in one photograph still has its neighbours, and pungs would match anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from vision.preprocess import LABELS
from vision.reading import TileReading

Chances = dict[str, float]
"""Probability of each code that was thought of; what is left is spread over the others."""

Pairs = tuple[tuple[int, int], ...]
"""Matched places in the first and the second sequence, ascending in the first."""

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
"""The least chance of a code: readings round theirs to four places."""

_FACES = len(LABELS) - 1
"""The 42 faces and face down."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One tile in the order in which one reads the hand."""

    chances: Chances
    row: float
    """0 for the farthest row to 1 for the nearest; 0.5 for a single row, which may be either."""


def chances(tile: TileReading) -> Chances:
    """Return what the tile may be, as read."""
    return {tile.code: tile.confidence, **dict(tile.alternatives)}


def align(first: Sequence[Spot], second: Sequence[Spot]) -> tuple[Pairs, float]:
    """Return the best matching of two hands in their order, and its log likelihood ratio."""
    rows, columns = len(first), len(second)
    best = [[SKIPPED * (i + j) for j in range(columns + 1)] for i in range(rows + 1)]
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            best[i][j] = max(
                best[i - 1][j - 1] + likeness(first[i - 1], second[j - 1]),
                best[i - 1][j] + SKIPPED,
                best[i][j - 1] + SKIPPED,
            )
    return _traced(first, second, best), best[rows][columns]


def _traced(first: Sequence[Spot], second: Sequence[Spot], best: list[list[float]]) -> Pairs:
    """Walk the table of best sums back from its end."""
    pairs = []
    i, j = len(first), len(second)
    while i and j:
        if best[i][j] == best[i - 1][j - 1] + likeness(first[i - 1], second[j - 1]):
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif best[i][j] == best[i - 1][j] + SKIPPED:
            i -= 1
        else:
            j -= 1
    return tuple(reversed(pairs))


def likeness(a: Spot, b: Spot) -> float:
    """Return how much more likely these are one tile than any two, as a logarithm.

    The chance that both show the same face, over that of two tiles drawn blindly.
    """
    spread_a, spread_b = _left_over(a.chances), _left_over(b.chances)
    same = sum(
        a.chances.get(code, spread_a) * b.chances.get(code, spread_b)
        for code in a.chances.keys() | b.chances.keys()
    )
    same += spread_a * spread_b * (_FACES - len(a.chances.keys() | b.chances.keys()))
    names = math.log(_FACES * ((1 - MISTAKEN) * same + MISTAKEN / _FACES))
    return names + OTHER_ROW * abs(a.row - b.row)


def _left_over(known: Chances) -> float:
    """Return the chance of each code that was not thought of."""
    others = _FACES - len(known)
    return max(1 - sum(known.values()), 0.0) / others if others > 0 else 0.0


def pooled(witnesses: Sequence[Chances]) -> list[tuple[str, float]]:
    """Return the codes with the chance that all these looks at one tile give each, best first.

    Chances multiply, as those of independent witnesses would, but each counts for less than one.
    """
    weight = (1 + FURTHER_LOOK * (len(witnesses) - 1)) / len(witnesses)
    codes = sorted({code for known in witnesses for code in known})
    logs = [sum(_log(known, code) for known in witnesses) for code in codes]
    unknown = sum(_log(known, "") for known in witnesses)
    raised = [math.exp(weight * log) for log in logs]
    total = sum(raised) + (_FACES - len(codes)) * math.exp(weight * unknown)
    ranked = zip(codes, (value / total for value in raised), strict=True)
    return sorted(ranked, key=lambda item: -item[1])


def _log(known: Chances, code: str) -> float:
    return math.log(max(known.get(code, _left_over(known)), _LEAST))
