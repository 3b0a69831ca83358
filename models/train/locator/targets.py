"""What the locator should have said of a picture, and how wrong it was."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional as F

from models.train.locator.net import CELL, OFFSET_UNIT

NEAR = 0.35
"""Cells where the centre's bump is at least this high learn the corners too."""

EXTENT_WEIGHT = 0.5
"""A box tells less than a quad: its share in the corner loss."""


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """One picture's answer, cell by cell (rows, columns)."""

    heat: npt.NDArray[np.float32]
    """(rows, columns): 1 at a tile's centre, falling off around it."""
    weight: npt.NDArray[np.float32]
    """(rows, columns): 0 where nobody knows whether a tile lies."""
    corners: npt.NDArray[np.float32]
    """(8, rows, columns): offsets to the corners of the tile that owns the cell."""
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
    rows, columns = known.shape[0] // CELL, known.shape[1] // CELL
    heat = np.zeros((rows, columns), np.float32)
    corners = np.zeros((8, rows, columns), np.float32)
    owned = np.zeros((rows, columns), np.uint8)
    for quad, is_exact in zip(quads, exact, strict=True):
        _draw_tile(quad, 1 if is_exact else 2, heat, corners, owned)
    weight = known.reshape(rows, CELL, columns, CELL).min((1, 3)).astype(np.float32)
    axis = np.empty((2, rows, columns), np.float32)
    axis[0], axis[1] = np.cos(turn), np.sin(turn)
    return Target(heat, np.maximum(weight, heat > NEAR), corners, axis, owned)


def _draw_tile(
    quad: npt.NDArray[np.float32],
    owner: int,
    heat: npt.NDArray[np.float32],
    corners: npt.NDArray[np.float32],
    owned: npt.NDArray[np.uint8],
) -> None:
    """Add one tile to the maps in place; a tile centred outside the picture leaves no mark."""
    x, y = quad.mean(0) / CELL - 0.5
    column, row = round(float(x)), round(float(y))
    if not (0 <= row < heat.shape[0] and 0 <= column < heat.shape[1]):
        return
    side = min(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])) / CELL
    sigma = max(0.12 * float(side), 0.6)
    reach = int(3 * sigma) + 1
    rows = slice(max(row - reach, 0), min(row + reach + 1, heat.shape[0]))
    columns = slice(max(column - reach, 0), min(column + reach + 1, heat.shape[1]))
    ys, xs = np.mgrid[rows, columns]
    bump = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * sigma**2)).astype(np.float32)
    bump[row - rows.start, column - columns.start] = 1.0
    mine = (bump >= NEAR) & (bump > heat[rows, columns])
    offsets = quad - (np.stack([xs, ys], -1)[mine][:, None] + 0.5) * CELL
    corners[:, rows, columns][:, mine] = offsets.reshape(-1, 8).T / OFFSET_UNIT
    owned[rows, columns][mine] = owner
    heat[rows, columns] = np.maximum(heat[rows, columns], bump)


def centre_loss(logits: Tensor, heat: Tensor, weight: Tensor) -> Tensor:
    """Return the focal loss of centre points (Law and Deng 2018, Zhou et al. 2019)."""
    p = torch.sigmoid(logits[:, 0]).clamp(1e-4, 1 - 1e-4)
    peak = heat > 0.999
    hit = torch.log(p) * (1 - p) ** 2 * peak
    miss = torch.log(1 - p) * p**2 * (1 - heat) ** 4 * ~peak
    return -((hit + miss) * weight).sum() / peak.sum().clamp(min=1)


def corner_loss(offsets: Tensor, target: Tensor, axis: Tensor, owned: Tensor) -> Tensor:
    """Return how far the corners are off: by corner for quads, by extent for boxes.

    A quad may be met with its first corner at either end, so the nearer of the two counts. A box
    only says how far the tile reaches along the box's own axes.
    """
    said, wanted, axes = (t.permute(0, 2, 3, 1) for t in (offsets, target, axis))
    quads, boxes = owned == 1, owned == 2
    loss = offsets.sum() * 0.0
    if quads.any():
        a, b = said[quads], wanted[quads]
        ahead = F.smooth_l1_loss(a, b, reduction="none", beta=0.05).mean(-1)
        behind = F.smooth_l1_loss(a, b.roll(4, -1), reduction="none", beta=0.05).mean(-1)
        loss = loss + torch.minimum(ahead, behind).mean()
    if boxes.any():
        reach_said = _reach(said[boxes], axes[boxes])
        reach_wanted = _reach(wanted[boxes], axes[boxes])
        loss = loss + EXTENT_WEIGHT * F.smooth_l1_loss(reach_said, reach_wanted, beta=0.05)
    return loss


def _reach(corners: Tensor, axis: Tensor) -> Tensor:
    """Return how far corners (N, 8) reach along and across the axis (N, 2): shape (N, 4)."""
    points = corners.reshape(-1, 4, 2)
    along = (points * axis[:, None]).sum(-1)
    across = points[..., 1] * axis[:, None, 0] - points[..., 0] * axis[:, None, 1]
    return torch.stack(
        [along.amin(1), along.amax(1), across.amin(1), across.amax(1)],
        1,
    )
