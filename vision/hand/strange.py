"""How strange a set looks, and so how little a sure name says of it.

The classifier's confidence holds for sets like those that it learnt from. Of a set printed
otherwise it is often wrong and as sure of it; but then it also hesitates at more of the set's other
tiles than it does else. So the suits and honours of a hand are judged together: the square of
the mean root of their uncertainties, which a few doubtful tiles among sure ones hardly move,
shrinks the log odds of every name. Of the signs tried this told wrong and sure from right and sure
best (models/train/NOTES.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.reading import TileReading

SHRINKING = 120.0
"""How much strangeness shrinks log odds. Chosen on styles and photographs that no training saw:
higher asks more of sets that are read well, lower less of those that are not."""

USUAL = 0.003
"""Strangeness of hands read well: nine in ten of the held-out ones have less."""

FEWEST = 6
"""Fewer tiles than so many say less of their set, one by one."""

SUREST = 0.9999
"""Confidence comes rounded to this."""

_DRAWN_ALIKE = frozenset("BCOWD")
_EACH_ITS_OWN = frozenset(("B1", "DW"))
"""Birds, white dragons, flowers and seasons differ from maker to maker: doubt there is usual."""


def doubted_together(
    tiles: Sequence[TileReading], strange: float, gate: float
) -> tuple[TileReading, ...]:
    """Return the tiles of a hand so strange, less sure of their names; below `gate` doubtful."""
    factor = 1 / (1 + SHRINKING * max(0.0, strange - USUAL))
    return tuple(tiles) if factor == 1 else tuple(_less_sure(t, factor, gate) for t in tiles)


def strangeness(tiles: Sequence[TileReading]) -> float:
    """Return 0 for tiles all surely named, 1 for nothing but guesses."""
    roots = [
        math.sqrt(1 - min(tile.confidence, SUREST))
        for tile in tiles
        if tile.code[0] in _DRAWN_ALIKE and tile.code not in _EACH_ITS_OWN
    ]
    return (sum(roots) / max(len(roots), FEWEST)) ** 2


def _less_sure(tile: TileReading, factor: float, gate: float) -> TileReading:
    """Return a tile whose name's log odds are so many times as great, if they are for it at all."""
    if tile.confidence <= 0.5:
        return tile
    was = min(tile.confidence, SUREST)
    now = round(1 / (1 + ((1 - was) / was) ** factor), 4)
    return replace(tile, confidence=now, doubtful=tile.doubtful or now < gate)
