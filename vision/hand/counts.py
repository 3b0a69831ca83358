"""Find faces that a hand holds more often than a set does: some are misread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from scorer.tiles import CODES, Tile, copies_in_set
from vision.hand.assemble import AssembledHand
from vision.reading import TileReading

AS_LIKELY = 2.0
"""A tile is asked about before another if its chance of being misread is this much higher."""

NEVER_SURER = 0.001
"""Lower limit of the chance that a tile is misread."""


def too_many(hand: AssembledHand) -> Mapping[str, int]:
    """Return the faces that the hand holds more often than a set, with their number."""
    held = Counter(code for laid in hand.sets for code in laid.codes)
    return {
        code: count
        for code, count in sorted(held.items())
        if code in CODES and count > copies_in_set(Tile.parse(code))
    }


def likely_misread(tiles: Sequence[TileReading], hand: AssembledHand) -> frozenset[int]:
    """Return the positions of tiles to ask about: the excess ones, and those as doubtful.

    Face-down tiles are never among them: they take their neighbours' identity.
    """
    in_hand = [tile for laid in hand.sets for tile in laid.tiles]
    asked: set[int] = set()
    for code, count in too_many(hand).items():
        shown = [k for k in in_hand if tiles[k].code == code]
        wrong = {k: max(1 - tiles[k].confidence, NEVER_SURER) for k in shown}
        excess = count - copies_in_set(Tile.parse(code))
        least = sorted(wrong.values(), reverse=True)[:excess][-1]
        asked |= {k for k, chance in wrong.items() if AS_LIKELY * chance >= least}
    return frozenset(asked)
