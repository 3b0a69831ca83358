"""Assign flowers and seasons beside the hand: players lay them apart, turned, on any side.

Tiles that clearly belong to the hand are added. Possible ones are added too, but asked about. Bonus
tiles are never discarded, so one that lies around belongs to some player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scorer.tiles import FACE_DOWN
from vision.geometry.beside import Whose, seen_from_above, whose
from vision.geometry.plane import quads_of
from vision.geometry.rows import Layout
from vision.hand.arrange import is_bonus
from vision.reading import TileReading, Why

PLAIN, LIKELY, POSSIBLE = 0.9, 0.5, 0.2
"""Chances that a tile is a bonus tile, whichever it is. From the first it counts wherever it lies,
because strewn tiles are misread too. From the second it counts beside the hand. From the third it
counts there, but the player is asked."""

NO_FLOWER: frozenset[Why] = frozenset(("size", "pattern"))
"""Reasons for leaving a tile out that never apply to a flower."""

NO_BACK = 0.7
"""A face-down tile by itself with less confidence than this may be a flower with a picture all
over. Nobody lays tiles face down beside a hand, and a wall's are more certain."""


def with_bonus(
    tiles: Sequence[TileReading], layout: Layout, others: Sequence[TileReading] = ()
) -> Layout:
    """Return the layout with the bonus tiles beside the hand added and unclear ones marked.

    `others` are other players' tiles. Flowers without a hand beside them stay as they are.
    """
    claims = _claims(tiles, layout, others)
    if not claims:
        return layout
    apart = [k for k in claims if k in layout.left_out]
    likely = {k for k in apart if bonus_chance(tiles[k]) >= LIKELY}
    taken = [k for k in apart if claims[k] == "own" or (claims[k] == "asked" and k in likely)]
    asked = {k for k in claims if claims[k] != "own" and (k not in apart or k in taken)}
    asked |= {k for k in taken if k not in likely or not is_bonus(tiles[k].code)}
    left_out = {k: why for k, why in layout.left_out.items() if k not in taken}
    along = sorted(taken, key=lambda k: float(np.mean(tiles[k].quad, axis=0)[0]))
    return replace(layout, beside=tuple(along), left_out=left_out, unclear=frozenset(asked))


def may_be_thrown(tiles: Sequence[TileReading], layout: Layout) -> frozenset[int]:
    """Return the tiles left out of the rows that may still be bonus tiles of the hand.

    A likely one counts wherever it lies, because a closer look may confirm it. Others count only
    near the hand.
    """
    claims = _claims(tiles, layout, ())
    near = frozenset(k for k, of in claims.items() if of != "not" and k in layout.left_out)
    others = set(layout.left_out) - layout.odd
    return near.union(k for k in others if bonus_chance(tiles[k]) >= LIKELY)


def _claims(
    tiles: Sequence[TileReading], layout: Layout, others: Sequence[TileReading]
) -> dict[int, Whose]:
    """Return the ownership of each bonus tile outside a set; empty if nothing is unclear."""
    apart = [
        tile
        for tile, why in layout.left_out.items()
        if tile not in layout.odd and _may_be_flower(tiles[tile], why)
    ]
    in_line = [
        tile
        for row in layout.rows
        for group in row.groups
        if all(is_bonus(tiles[k].code) for k in group)
        for tile in group
    ]
    thrown = [*in_line, *apart]
    if not apart and not (in_line and (layout.left_out or others)):
        return {}
    if all(tile in thrown for row in layout.rows for tile in row.tiles):
        return {}
    backs = [tile.code == FACE_DOWN for tile in (*tiles, *others)]
    above = seen_from_above(quads_of(tiles), layout, thrown, backs, quads_of(others))
    return whose(above, thrown, [k for k in apart if bonus_chance(tiles[k]) < PLAIN])


def _may_be_flower(tile: TileReading, why: Why) -> bool:
    if why == "backs":
        return tile.confidence < NO_BACK
    return why not in NO_FLOWER and bonus_chance(tile) >= POSSIBLE


def bonus_chance(tile: TileReading) -> float:
    """Return the chance that a tile is a flower or a season."""
    said = ((tile.code, tile.confidence), *tile.alternatives)
    return sum(chance for code, chance in said if is_bonus(code))
