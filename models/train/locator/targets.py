"""What the locator should say of a picture, cell by cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.networks.outline import OUTLINE_NUMBERS, encode
from vision.preprocess import CELL_SIDE_PX, OFFSET_UNIT_PX

NEAR = 0.35
"""Cells where the centre's bump is at least this high learn the outline too."""


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """One picture's answer, cell by cell (rows, columns)."""

    heat: npt.NDArray[np.float32]
    """(rows, columns): 1 at a tile's centre, falling off around it."""
    weight: npt.NDArray[np.float32]
    """(rows, columns): 0 where nobody knows whether a tile lies."""
    outline: npt.NDArray[np.float32]
    """(NUMBERS, rows, columns): the outline, from the cell's centre, of the tile that owns it."""
    axis: npt.NDArray[np.float32]
    """(2, rows, columns): cosine and sine of the label box's x axis in the turned picture."""
    owned: npt.NDArray[np.uint8]
    """(rows, columns): 0 no tile, 1 an exact quad, 2 a box around the tile."""


def make_target(
    quads: npt.NDArray[np.float32],
    exact: npt.NDArray[np.bool_],
    known: npt.NDArray[np.uint8],
    turn: float,
) -> Target:
    """Draw the answer for a picture.

    `quads` (N, 4, 2) in pixels; `exact` (N,) tells outlines from boxes; `known` (H, W) is 0 where
    unlabelled tiles may lie; `turn` (radians) is how far the picture was turned after the boxes
    were drawn.
    """
    rows, columns = known.shape[0] // CELL_SIDE_PX, known.shape[1] // CELL_SIDE_PX
    heat = np.zeros((rows, columns), np.float32)
    outline = np.zeros((OUTLINE_NUMBERS, rows, columns), np.float32)
    owned = np.zeros((rows, columns), np.uint8)
    for quad, is_exact in zip(quads, exact, strict=True):
        _draw_tile(quad, 1 if is_exact else 2, heat, outline, owned)
    weight = known.reshape(rows, CELL_SIDE_PX, columns, CELL_SIDE_PX).min((1, 3)).astype(np.float32)
    axis = np.empty((2, rows, columns), np.float32)
    axis[0], axis[1] = np.cos(turn), np.sin(turn)
    return Target(heat, np.maximum(weight, heat > NEAR), outline, axis, owned)


def _draw_tile(
    quad: npt.NDArray[np.float32],
    owner: int,
    heat: npt.NDArray[np.float32],
    outline: npt.NDArray[np.float32],
    owned: npt.NDArray[np.uint8],
) -> None:
    """Add one tile to the maps in place; a tile centred outside the picture leaves no mark."""
    x, y = quad.mean(0) / CELL_SIDE_PX - 0.5
    column, row = round(float(x)), round(float(y))
    if not (0 <= row < heat.shape[0] and 0 <= column < heat.shape[1]):
        return
    side = min(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])) / CELL_SIDE_PX
    sigma = max(0.12 * float(side), 0.6)
    reach = int(3 * sigma) + 1
    rows = slice(max(row - reach, 0), min(row + reach + 1, heat.shape[0]))
    columns = slice(max(column - reach, 0), min(column + reach + 1, heat.shape[1]))
    ys, xs = np.mgrid[rows, columns]
    bump = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * sigma**2)).astype(np.float32)
    bump[row - rows.start, column - columns.start] = 1.0
    mine = (bump >= NEAR) & (bump > heat[rows, columns])
    offsets = quad - (np.stack([xs, ys], -1)[mine][:, None] + 0.5) * CELL_SIDE_PX
    outline[:, rows, columns][:, mine] = encode(offsets.astype(np.float32)).T / OFFSET_UNIT_PX
    owned[rows, columns][mine] = owner
    heat[rows, columns] = np.maximum(heat[rows, columns], bump)
