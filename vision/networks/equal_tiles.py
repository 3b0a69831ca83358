"""Doubt tiles that look alike where the print of one denies the name that all of them have.

They are misread alike if at all, so the certainty of one adds nothing to that of another. The
numeral in a corner is independent of the look, and the small network reads it at little cost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import cv2
import numpy as np
from msgspec import structs

from scorer.tiles import SUITS
from vision.networks.print_evidence import is_denied
from vision.networks.print_reader import PrintReader
from vision.networks.print_review import contradict
from vision.preprocess import RGB
from vision.reading import TileReading

MIN_DENYING_CHANCE = 0.9
"""Chance of a numeral from which it denies another name. Of 728 equal tiles in photographs to
choose by, it was so clear on 75, and the tile's each time. At 0.8 it was on 81, but three others
with 0.78 and 0.79 were wrong."""


def doubt_equal_tiles(
    rgb: RGB,
    tiles: Sequence[TileReading],
    after: Sequence[TileReading],
    places: Collection[int],
    reader: PrintReader,
) -> tuple[TileReading, ...]:
    """Return the tiles `after` pips were counted, with equal ones at these positions in one doubt.

    `tiles` are those before. A group is doubted if the pips of one tile denied its name, or if the
    numeral on the largest one does.
    """
    result = list(after)
    groups = [*_equal_groups(tiles, places)]
    doubts = {k: after[k] for group in groups for k in group if after[k].doubtful}
    largest_tiles = [
        max(group, key=lambda k: _area(tiles[k]))
        for group in groups
        if doubts.keys().isdisjoint(group)
    ]
    quads = [np.array(tiles[k].quad, np.float32) for k in largest_tiles]
    for k, (numeral, chance) in zip(largest_tiles, reader.read_indexes(rgb, quads), strict=True):
        if chance >= MIN_DENYING_CHANCE and is_denied(tiles[k].code, numeral):
            doubts[k] = contradict(tiles[k], [tiles[k].code[0] + numeral])
    for group in groups:
        doubt_of_group = [doubts[k] for k in group if k in doubts]
        for k in group if doubt_of_group else ():
            result[k] = structs.replace(doubt_of_group[0], quad=tiles[k].quad, turn=tiles[k].turn)
    return tuple(result)


def _equal_groups(tiles: Sequence[TileReading], places: Collection[int]) -> Iterator[list[int]]:
    """Yield the positions of two or more sure tiles of a suit that look alike and have one name."""
    groups: dict[tuple[int, str], list[int]] = {}
    for k in sorted(places):
        if tiles[k].alike and tiles[k].code[0] in SUITS and not tiles[k].doubtful:
            groups.setdefault((tiles[k].alike, tiles[k].code), []).append(k)
    return (group for group in groups.values() if len(group) > 1)


def _area(tile: TileReading) -> float:
    """Return the area of a tile in square pixels."""
    return float(cv2.contourArea(np.array(tile.quad, np.float32)))
