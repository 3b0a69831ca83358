"""More tiles of a face than a set holds: some of them are misread, likeliest the least sure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from scorer.tiles import CODES, Tile, copies
from vision.hand.assemble import AssembledHand
from vision.reading import TileReading

AS_LIKELY = 2.0
"""Of two tiles, one so many times likelier misread than the other is asked about before it."""

NEVER_SURER = 0.001
"""Nothing is less likely misread than this: so sure the classifier's word cannot be."""


def too_many(hand: AssembledHand) -> Mapping[str, int]:
    """Return the faces of which the hand holds more than there are, with how many it holds."""
    held = Counter(code for laid in hand.sets for code in laid.codes)
    return {
        code: count
        for code, count in sorted(held.items())
        if code in CODES and count > copies(Tile.parse(code))
    }


def likely_misread(tiles: Sequence[TileReading], hand: AssembledHand) -> frozenset[int]:
    """Return the tiles to ask about, by their place: as many as are too many, or those as unsure.

    A face-down tile is never one: it is what its neighbours are.
    """
    in_hand = [tile for laid in hand.sets for tile in laid.tiles]
    asked: set[int] = set()
    for code, count in too_many(hand).items():
        shown = [k for k in in_hand if tiles[k].code == code]
        wrong = {k: max(1 - tiles[k].confidence, NEVER_SURER) for k in shown}
        excess = count - copies(Tile.parse(code))
        least = sorted(wrong.values(), reverse=True)[:excess][-1]
        asked |= {k for k, chance in wrong.items() if AS_LIKELY * chance >= least}
    return frozenset(asked)
