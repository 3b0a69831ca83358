"""Which tiles of a photograph may be the hand's: those alone are worth a second look."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.tiles import FACE_DOWN
from vision.geometry.mat import Mat
from vision.geometry.plane import quads_of
from vision.geometry.rows import lay_out
from vision.hand.bonus import POSSIBLE, bonus_chance
from vision.reading import TileReading


def own_tiles(tiles: Sequence[TileReading], mat: Mat | None = None) -> frozenset[int]:
    """Return the places of the tiles in the hand's rows, and of flowers wherever they lie."""
    quads = quads_of(tiles)
    if mat and len(tiles):
        layout = mat.lay_out(quads)
    else:
        layout = lay_out(quads, [tile.code == FACE_DOWN for tile in tiles])
    in_rows = {tile for row in layout.rows for tile in row.tiles}
    thrown = (k for k in layout.left_out if bonus_chance(tiles[k]) >= POSSIBLE)
    return frozenset(in_rows.union(thrown))
