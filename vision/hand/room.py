"""Sets of three alike that have room for a fourth: of a kong one tile may not have been found.

A kong counts three of the thirteen tiles, so that the hand's count does not tell. Nor does its gap:
the set may be the last of its row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from scorer.tiles import FACE_DOWN
from vision.geometry.plane import quads_of
from vision.hand.build import LaidHand

TAKEN = 0.2
"""Share of a place that another tile covers from which there is no room."""


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """A place at an end of a set where one more tile of it may lie."""

    code: str
    """What the set is of."""
    quad: npt.NDArray[np.float32]
    """(4, 2), pixels of the photograph."""


def rooms(laid: LaidHand) -> Iterator[Room]:
    """Yield the places, one or two to a set."""
    quads = quads_of(laid.tiles)
    for each in laid.hand.sets:
        shown = {laid.tiles[tile].code for tile in each.tiles}
        if each.row == "bonus" or each.kind != "pung" or FACE_DOWN in shown:
            continue
        if laid.layout.sideways.intersection(each.tiles):
            continue  # claimed from a discard to win: no kong
        first, middle, last = each.tiles
        for end, before in ((first, middle), (last, middle)):
            step = quads[end].mean(0) - quads[before].mean(0)
            place = np.asarray(quads[end] + step, np.float32)
            if not any(_covers(quad, place) for quad in quads):
                yield Room(each.codes[0], place)


def _covers(quad: npt.NDArray[np.float32], place: npt.NDArray[np.float32]) -> bool:
    area, _ = cv2.intersectConvexConvex(quad, place)
    return float(area) > TAKEN * cv2.contourArea(place)
