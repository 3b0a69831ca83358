"""Find places where the fourth tile of a kong may have been missed.

A kong counts as three tiles, so the number of tiles does not reveal it. Neither does a gap: the set
may be the last of its row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from scorer.tiles import FACE_DOWN
from vision.geometry.plane import quads_of
from vision.hand.laid_hand import LaidHand

MAX_OVERLAP_SHARE = 0.2
"""A place is taken where another tile covers more than this share of it."""


@dataclass(frozen=True, slots=True, eq=False)
class FourthTilePlace:
    """A place at an end of a pung where a fourth tile may lie."""

    code: str
    """Code of the pung's tiles."""
    quad: npt.NDArray[np.float32]
    """(4, 2), in pixels of the photograph."""


def possible_fourth_tiles(laid_hand: LaidHand) -> Iterator[FourthTilePlace]:
    """Yield the free places at the ends of exposed and concealed pungs."""
    quads = quads_of(laid_hand.tiles)
    for laid_set in laid_hand.hand.sets:
        set_codes = {laid_hand.tiles[tile].code for tile in laid_set.tiles}
        if laid_set.row == "bonus" or laid_set.kind != "pung" or FACE_DOWN in set_codes:
            continue
        if laid_hand.layout.sideways.intersection(laid_set.tiles):
            continue  # claimed to win, so not a kong
        first, middle, last = laid_set.tiles
        for end, before in ((first, middle), (last, middle)):
            step = quads[end].mean(0) - quads[before].mean(0)
            place = np.asarray(quads[end] + step, np.float32)
            if not any(_covers(quad, place) for quad in quads):
                yield FourthTilePlace(laid_set.codes[0], place)


def _covers(quad: npt.NDArray[np.float32], place: npt.NDArray[np.float32]) -> bool:
    area, _ = cv2.intersectConvexConvex(quad, place)
    return float(area) > MAX_OVERLAP_SHARE * cv2.contourArea(place)
