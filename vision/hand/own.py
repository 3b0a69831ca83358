"""Select the tiles of a photograph that may belong to the hand."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.tiles import FACE_DOWN
from vision.geometry.mat import Mat
from vision.geometry.plane import quads_of
from vision.geometry.rows import lay_out
from vision.hand.bonus import may_be_thrown
from vision.reading import TileReading


def own_tiles(tiles: Sequence[TileReading], mat: Mat | None = None) -> frozenset[int]:
    """Return the positions of tiles in the hand's rows, and of possible flowers around it.

    Only these tiles get a second look.
    """
    quads = quads_of(tiles)
    if mat and len(tiles):
        layout = mat.lay_out(quads)
    else:
        layout = lay_out(quads, [tile.code == FACE_DOWN for tile in tiles])
    in_rows = {tile for row in layout.rows for tile in row.tiles}
    return may_be_thrown(tiles, layout).union(in_rows)
