"""Whether a hand comes out of arranging as it was laid."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np

from tests.vision.laid_tiles import LaidTile
from tests.vision.pinhole_camera import PhotoOfTiles
from vision.hand.assembly import AssembledHand
from vision.hand.laid_hand import lay_hand
from vision.hand.questions import find_winning_tile, questions
from vision.reading import TileReading, turn_of

Parts = dict[str, list[tuple[str, ...]]]


def verdict(
    photo: PhotoOfTiles,
    tiles_laid: Iterable[LaidTile],
    rules: str,
    owner: tuple[float, float] | None = None,
) -> Literal["right", "asked", "wrong"]:
    """Arrange what was seen and compare: right, wrong with a question asked, or just wrong."""
    tiles = [as_read(t, quad) for t, quad in zip(photo.tiles, photo.quads, strict=True)]
    laid_hand = lay_hand(tiles, rules, owner=owner)
    hand, layout = laid_hand.hand, laid_hand.layout
    winning_place = next(
        (n for n, k in enumerate(laid_hand.order) if photo.tiles[k].is_winning), None
    )
    if (
        parts_of(hand) == parts_laid(tiles_laid)
        and find_winning_tile(hand, layout) == winning_place
    ):
        return "right"
    has_doubts = any(tile.doubtful for tile in laid_hand.tiles)
    codes = [tile.code for tile in laid_hand.tiles]
    return "asked" if has_doubts or questions(codes, hand, layout, laid_hand.blocks) else "wrong"


def as_read(tile: LaidTile, corners: np.ndarray) -> TileReading:
    """Return a tile as read by who makes no mistakes."""
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return TileReading(tile.shows, 1.0, (a, b, c, d), turn_of((a, b, c, d)), (), doubtful=False)


def parts_of(hand: AssembledHand) -> Parts:
    """Return the parts of a hand as arranged, in an order that does not matter."""
    return {
        "exposed": sorted(tuple(sorted(codes)) for codes in hand.exposed),
        "kong": sorted(tuple(sorted(codes)) for codes in hand.declared_kongs),
        "concealed": [tuple(sorted(hand.concealed))],
        "bonus": [tuple(sorted(hand.bonus))],
    }


def parts_laid(tiles: Iterable[LaidTile]) -> Parts:
    """Return the parts of a hand as it was laid."""
    own_tiles = [tile for tile in tiles if tile.part != "out"]
    sets: dict[str, dict[int, list[str]]] = {"exposed": {}, "kong": {}}
    for tile in own_tiles:
        if tile.part in sets:
            sets[tile.part].setdefault(tile.group, []).append(tile.code)
    loose = {
        part: [tuple(sorted(tile.code for tile in own_tiles if tile.part == part))]
        for part in ("concealed", "bonus")
    }
    return {
        part: sorted(tuple(sorted(codes)) for codes in groups.values())
        for part, groups in sets.items()
    } | loose
