"""Flowers and seasons that lie beside the hand: players lay them apart, askew, on any side of it.

What is plainly this hand's is taken in; what may be is taken in to be asked about, as a doubtful
tile. Bonus tiles are never discarded, so that one that lies about is some player's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scorer.tiles import FACE_DOWN
from vision.geometry.beside import seen_from_above, whose
from vision.geometry.plane import quads_of
from vision.geometry.rows import Layout
from vision.hand.arrange import is_bonus
from vision.reading import TileReading

PLAIN, LIKELY, POSSIBLE = 0.9, 0.5, 0.2
"""How sure it is that a tile is a flower or a season, whichever: wherever it lies, for strewn tiles
are misread too; by the hand, with no question but whether it is named rightly; and with one."""


def with_bonus(
    tiles: Sequence[TileReading], layout: Layout, others: Sequence[TileReading] = ()
) -> Layout:
    """Return the layout with the bonus tiles beside the hand taken in, the unclear ones marked.

    `others` are other players' tiles. Flowers by themselves, with no hand beside them, stay as
    they are.
    """
    apart = [
        tile
        for tile, why in layout.left_out.items()
        if why not in ("size", "backs") and bonus_chance(tiles[tile]) >= POSSIBLE
    ]
    in_line = [
        tile
        for row in layout.rows
        for group in row.groups
        if all(is_bonus(tiles[k].code) for k in group)
        for tile in group
    ]
    if not apart and not (in_line and (layout.left_out or others)):
        return layout
    thrown = [*in_line, *apart]
    if all(tile in thrown for row in layout.rows for tile in row.tiles):
        return layout
    quads = quads_of(tiles)
    backs = [tile.code == FACE_DOWN for tile in (*tiles, *others)]
    above = seen_from_above(quads, layout, thrown, backs, quads_of(others))
    likely = {k for k in apart if bonus_chance(tiles[k]) >= LIKELY}
    found = whose(above, thrown, [k for k in apart if bonus_chance(tiles[k]) < PLAIN])
    taken = [k for k in apart if found[k] == "own" or (found[k] == "asked" and k in likely)]
    asked = {k for k in (*in_line, *taken) if found[k] != "own"}
    asked |= {k for k in taken if k not in likely or not is_bonus(tiles[k].code)}
    left_out = {k: why for k, why in layout.left_out.items() if k not in taken}
    along = sorted(taken, key=lambda k: float(np.mean(quads[k, :, 0])))
    return replace(layout, beside=tuple(along), left_out=left_out, unclear=frozenset(asked))


def bonus_chance(tile: TileReading) -> float:
    """Return how likely a tile is a flower or a season, whichever of them."""
    said = ((tile.code, tile.confidence), *tile.alternatives)
    return sum(chance for code, chance in said if is_bonus(code))
