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
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import structs

from scorer.tiles import CODES, WHITE_DRAGON, Tile, copies_in_set
from vision.hand.assembly import AssembledHand
from vision.reading import TileReading

CONFIDENCE_SHRINK_FACTOR = 25.0
"""How strongly unfamiliarity shrinks log odds, chosen on styles and rendered hands outside the
training. A higher value asks more about sets that are read well, a lower one less about the
others."""

USUAL_UNFAMILIARITY = 0.003
"""Nine in ten held-out hands that are read well have less unfamiliarity."""

MIN_TILES_JUDGED = 6
"""Fewer tiles than this say less about their set."""

MAX_CONFIDENCE = 0.9999
"""Confidence is rounded to this precision."""

_ALIKE_FAMILIES = frozenset("BCOWD")
_VARYING_CODES = frozenset(("B1", WHITE_DRAGON))
"""Birds, white dragons, flowers and seasons vary by maker, so doubt about them is usual."""


def reduce_confidence(
    tiles: Sequence[TileReading], unfamiliarity: float, gate: float
) -> tuple[TileReading, ...]:
    """Return the tiles with confidence reduced by unfamiliarity; below `gate` doubtful."""
    factor = 1 / (1 + CONFIDENCE_SHRINK_FACTOR * max(0.0, unfamiliarity - USUAL_UNFAMILIARITY))
    return (
        tuple(tiles) if factor == 1 else tuple(_shrink_confidence(t, factor, gate) for t in tiles)
    )


def measure_unfamiliarity(tiles: Sequence[TileReading]) -> float:
    """Return 0 if all tiles are named with confidence, each by itself, 1 if all are guesses."""
    roots = [
        math.sqrt(1 - min(tile.confidence if tile.alone is None else tile.alone, MAX_CONFIDENCE))
        for tile in tiles
        if tile.code[0] in _ALIKE_FAMILIES and tile.code not in _VARYING_CODES
    ]
    return (sum(roots) / max(len(roots), MIN_TILES_JUDGED)) ** 2


def _shrink_confidence(tile: TileReading, factor: float, gate: float) -> TileReading:
    """Return a tile with the log odds of its look multiplied by `factor`, if they are positive."""
    was = min(tile.confidence, MAX_CONFIDENCE)
    look = was / (1 - was) / tile.print_odds
    if look <= 1:
        return tile
    confidence = round(1 - 1 / (1 + look**factor * tile.print_odds), 4)
    return structs.replace(tile, confidence=confidence, doubtful=tile.doubtful or confidence < gate)


MIN_ASK_FIRST_RATIO = 2.0
"""A tile is asked about before another if its chance of being misread is this much higher."""

MIN_MISREAD_CHANCE = 0.001
"""Lower limit of the chance that a tile is misread."""


def count_excess_faces(hand: AssembledHand) -> Mapping[str, int]:
    """Return the faces that the hand holds more often than a set, with their number."""
    face_counts = Counter(code for laid in hand.sets for code in laid.codes)
    return {
        code: count
        for code, count in sorted(face_counts.items())
        if code in CODES and count > copies_in_set(Tile.parse(code))
    }


def find_likely_misread(tiles: Sequence[TileReading], hand: AssembledHand) -> frozenset[int]:
    """Return the positions of tiles to ask about: the excess ones, and those as doubtful.

    Face-down tiles are never among them: they take their neighbours' identity.
    """
    in_hand = [tile for laid in hand.sets for tile in laid.tiles]
    suspects: set[int] = set()
    for code, count in count_excess_faces(hand).items():
        face_tiles = [k for k in in_hand if tiles[k].code == code]
        wrong = {k: max(1 - tiles[k].confidence, MIN_MISREAD_CHANCE) for k in face_tiles}
        excess = count - copies_in_set(Tile.parse(code))
        min_chance = sorted(wrong.values(), reverse=True)[:excess][-1]
        suspects |= {k for k, chance in wrong.items() if MIN_ASK_FIRST_RATIO * chance >= min_chance}
    return frozenset(suspects)
