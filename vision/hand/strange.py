"""Doubts that arise from all tiles of a hand together.

The classifier's confidence holds for sets like those that it learned. With an unfamiliar set it is
often wrong and still confident, but it hesitates more often too. So the suits and honours of a hand
are judged together. Their unfamiliarity is the squared mean of the square roots of their
uncertainties. A few doubtful tiles among confident ones hardly change it. It shrinks the log odds
of every name. Of the measures tried, this one separated wrong from right best
(models/train/NOTES.md).

A hand may also hold a face more often than a set does: then some of these tiles are misread.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.reading import TileReading

SHRINKING = 50.0
"""How strongly unfamiliarity shrinks log odds, chosen on styles and photographs outside the
training. A higher value asks more about sets that are read well, a lower one less about the
others."""

USUAL = 0.003
"""Nine in ten held-out hands that are read well have less unfamiliarity."""

FEWEST = 6
"""Fewer tiles than this say less about their set."""

SUREST = 0.9999
"""Confidence is rounded to this precision."""

_DRAWN_ALIKE = frozenset("BCOWD")
_EACH_ITS_OWN = frozenset(("B1", "DW"))
"""Birds, white dragons, flowers and seasons vary by maker, so doubt about them is usual."""


def doubted_together(
    tiles: Sequence[TileReading], strange: float, gate: float
) -> tuple[TileReading, ...]:
    """Return the tiles with confidence reduced by unfamiliarity; below `gate` doubtful."""
    factor = 1 / (1 + SHRINKING * max(0.0, strange - USUAL))
    return tuple(tiles) if factor == 1 else tuple(_less_sure(t, factor, gate) for t in tiles)


def strangeness(tiles: Sequence[TileReading]) -> float:
    """Return 0 if all tiles are named with confidence, 1 if all are guesses."""
    roots = [
        math.sqrt(1 - min(tile.confidence, SUREST))
        for tile in tiles
        if tile.code[0] in _DRAWN_ALIKE and tile.code not in _EACH_ITS_OWN
    ]
    return (sum(roots) / max(len(roots), FEWEST)) ** 2


def _less_sure(tile: TileReading, factor: float, gate: float) -> TileReading:
    """Return a tile with its log odds multiplied by `factor`, if they are positive."""
    if tile.confidence <= 0.5:
        return tile
    was = min(tile.confidence, SUREST)
    now = round(1 / (1 + ((1 - was) / was) ** factor), 4)
    return replace(tile, confidence=now, doubtful=tile.doubtful or now < gate)
