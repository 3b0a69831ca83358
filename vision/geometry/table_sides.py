"""Assign hands to the sides of a table that is photographed as a whole.

A hand lies along its owner's edge with the tops of the tiles towards the middle. The direction of a
row leaves two possible owners. Its place and the way up of its tiles decide between them. Single
tiles belong to the nearest row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.geometry.plane import Plane, Quads, fit_plane, mean_sides
from vision.geometry.rows import MAX_ROW_GAP_WIDTHS, MAX_ROW_OFFSET_HEIGHTS
from vision.geometry.runs import find_runs
from vision.preprocess import Float64s
from vision.reading import Side

SIDES: tuple[Side, ...] = ("bottom", "right", "top", "left")
"""Sides of the photograph in the order of play: anticlockwise, like the players' winds."""

MAX_AMBIGUOUS_SPREAD_WIDTHS = 16.0
"""When hands are this far apart, in tile widths, the place of a row alone decides its side. For a
single hand nearly only the way up of its tiles counts."""

MIN_ROW_TILES = 3
"""Fewest adjacent tiles that make a row; fewer say too little about their owner."""

_OUTWARD = {"bottom": (0.0, 1.0), "right": (1.0, 0.0), "top": (0.0, -1.0), "left": (-1.0, 0.0)}


@dataclass(frozen=True, slots=True)
class SideOfTable:
    """Tiles on one player's side of the table."""

    side: Side
    tiles: tuple[int, ...]
    owner: tuple[float, float]
    """Direction in the photograph from the tiles to the player."""


def divide_by_side(quads: Quads, backs: Sequence[bool]) -> tuple[SideOfTable, ...]:
    """Return the sides of the table that have rows, with each tile on one of them.

    `quads` are of the whole photograph; `backs` says which tiles lie face down.
    """
    is_back = np.asarray(backs, bool)
    rows = [
        np.array(row)
        for row in find_runs(quads, MAX_ROW_GAP_WIDTHS, MAX_ROW_OFFSET_HEIGHTS)
        if len(row) >= MIN_ROW_TILES
    ]
    rows = [row for row in rows if is_back[row].mean() < 0.5]
    if not rows:
        return ()
    flat = _flatten_as_held(fit_plane(quads, max(rows, key=len)), quads)
    sides = _sides_of_rows(flat, rows)
    centres = flat.mean(1)
    distances = [np.linalg.norm(centres[:, None] - centres[row], axis=2).min(1) for row in rows]
    nearest_rows = np.argmin(distances, axis=0)
    seats = []
    for side in SIDES:
        side_rows = [row for row, its in zip(rows, sides, strict=True) if its == side]
        if side_rows:
            tiles = np.flatnonzero([sides[row] == side for row in nearest_rows])
            owner = _owner_direction(quads, flat, np.concatenate(side_rows), side)
            seats.append(SideOfTable(side, tuple(tiles.tolist()), owner))
    return tuple(seats)


def _flatten_as_held(plane: Plane, quads: Quads) -> Float64s:
    """Return quads (N, 4, 2) as they lie, turned by quarters as in the photograph."""
    x, y = plane.owner_direction
    quarters = round(np.arctan2(x, y) / (np.pi / 2))
    c, s = round(np.cos(quarters * np.pi / 2)), round(np.sin(quarters * np.pi / 2))
    return np.asarray(plane.flatten(quads) @ np.array([[c, s], [-s, c]]))


def _sides_of_rows(flat: Float64s, rows: Sequence[npt.NDArray[np.intp]]) -> list[Side]:
    """Return the side of the table of each row."""
    horizontal, vertical = mean_sides(flat)
    middles = np.array([flat[row].mean((0, 1)) for row in rows])
    middle = (middles.min(0) + middles.max(0)) / 2
    spread = np.maximum(np.ptp(middles, axis=0), 2.0)
    says = 2.5 * np.minimum(
        spread / MAX_AMBIGUOUS_SPREAD_WIDTHS, 1.0
    )  # some players lay half of their tiles upside down
    sides: list[Side] = []
    for row, place in zip(rows, says * (middles - middle) / (spread / 2), strict=True):
        along_x = np.abs(horizontal[row]).sum(0).argmax() == 0
        axis = 1 if along_x else 0
        upright = np.sign(vertical[row, axis]).mean()
        outward = place[axis] + upright > 0
        if along_x:
            sides.append("bottom" if outward else "top")
        else:
            sides.append("right" if outward else "left")
    return sides


def _owner_direction(
    quads: Quads, flat: Float64s, rows: npt.NDArray[np.intp], side: Side
) -> tuple[float, float]:
    """Return the direction in the photograph to the owner, along the tiles' long sides."""
    _, vertical = mean_sides(quads[rows].astype(np.float64))
    _, lies = mean_sides(flat[rows])
    x, y = (vertical * np.sign(lies @ np.array(_OUTWARD[side]))[:, None]).mean(0)
    return float(x), float(y)
