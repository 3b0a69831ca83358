"""Readings of hands laid out in rows, as a photograph from any side would give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.hand.laid_hand import lay_hand
from vision.reading import Quad, Reading, TileReading, Timings, turn_of

WIDTH, HEIGHT = 1600, 1200
TILE_WIDTH, TILE_HEIGHT = 60, 80

STRAIGHT_VIEW: npt.NDArray[np.float64] = np.eye(3)
SIDE_VIEW = np.array([[0.9, 0.15, 40], [-0.05, 0.8, 160], [0.0001, 0.00005, 1]])
"""The same table from a little to the side."""

OPPOSITE = np.array([[-1.0, 0, WIDTH], [0, -1.0, HEIGHT], [0, 0, 1]])
"""And from its other side."""

CodeChance = tuple[str, float]
"""A code and how sure the reading is of it."""

GATE = 0.9


def read_rows(
    rows: Sequence[str],
    names: Mapping[int, CodeChance] | None = None,
    view: npt.NDArray[np.float64] = STRAIGHT_VIEW,
    hidden_places: Sequence[int] = (),
    photo: str = "a.jpg",
) -> Reading:
    """Return the reading of these rows of codes, seen through `view`.

    `|` makes a gap. Tiles are numbered row by row from the left: `names` is what the photograph
    makes of some of them, and `hidden_places` names those that it does not show.
    """
    tiles: list[TileReading] = []
    number = 0
    for y, row in enumerate(rows):
        x = 200.0
        for code in row.split():
            if code == "|":
                x += TILE_WIDTH
                continue
            if number not in hidden_places:
                read, sure = (names or {}).get(number, (code, 0.99))
                tiles.append(_tile(read, sure, code, _quad(x, 300.0 + y * 1.3 * TILE_HEIGHT, view)))
            number += 1
            x += TILE_WIDTH + 2
    return reading_of(tiles, photo)


def reading_of(tiles: Sequence[TileReading], photo: str) -> Reading:
    """Return the reading of these tiles, arranged as a reader does."""
    ms = Timings(load=0.0, locate=1.0, classify=1.0, arrange=1.0, total=3.0)
    fields = lay_hand(tiles, "bmja").fields()
    return Reading(photo=photo, width=WIDTH, height=HEIGHT, problems=(), ms=ms, **fields)


def _quad(x: float, y: float, view: npt.NDArray[np.float64]) -> Quad:
    corners = np.array([[[x, y], [x + TILE_WIDTH, y], [x + TILE_WIDTH, y + TILE_HEIGHT],
                         [x, y + TILE_HEIGHT]]])  # fmt: skip
    a, b, c, d = ((float(px), float(py)) for px, py in cv2.perspectiveTransform(corners, view)[0])
    return (a, b, c, d)


def _tile(code: str, sure: float, truth: str, quad: Quad) -> TileReading:
    other = truth if truth != code else "S1" if code != "S1" else "S2"
    alternatives = ((other, round(min(0.8 * (1 - sure), 0.9 * sure), 4)),)
    return TileReading(code, sure, quad, turn_of(quad), alternatives, sure < GATE)
