"""How wrong the locator was."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

EXTENT_WEIGHT = 0.5
"""A box tells less than a quad: its share in the corner loss."""

BETA = 0.1
"""Error, in tile sizes, below which it counts by its square."""

SIDEWAYS = 0.85
"""Sine of the angle against upright from which a tile counts as lying sideways."""

UPRIGHT_WEIGHT = 0.3
"""How much a box's own corners count: enough to rule out the diamond that reaches as far."""


def centre_loss(logits: Tensor, heat: Tensor, weight: Tensor) -> Tensor:
    """Return the focal loss of centre points (Law and Deng 2018, Zhou et al. 2019)."""
    p = torch.sigmoid(logits[:, 0]).clamp(1e-4, 1 - 1e-4)
    peak = heat > 0.999
    hit = torch.log(p) * (1 - p) ** 2 * peak
    miss = torch.log(1 - p) * p**2 * (1 - heat) ** 4 * ~peak
    return -((hit + miss) * weight).sum() / peak.sum().clamp(min=1)


def corner_loss(offsets: Tensor, target: Tensor, axis: Tensor, owned: Tensor) -> Tensor:
    """Return how far the corners are off, in tile sizes: by corner for quads, by extent for boxes.

    Targets are of shape (N, 8, rows, columns); `owned` (N, rows, columns) tells quads (1) from
    boxes (2). A box says how far the tile reaches along the box's own axes, and hints that it lies
    along them.
    """
    said, wanted, axes = (t.permute(0, 2, 3, 1) for t in (offsets, target, axis))
    quads, boxes = owned == 1, owned == 2
    loss = offsets.sum() * 0.0
    if quads.any():
        loss = loss + _order_error(*_in_tile_sizes(said[quads], wanted[quads])).mean()
    if boxes.any():
        a, b = _in_tile_sizes(said[boxes], wanted[boxes])
        reach = F.smooth_l1_loss(_reach(a, axes[boxes]), _reach(b, axes[boxes]), beta=BETA)
        loss = loss + EXTENT_WEIGHT * reach + UPRIGHT_WEIGHT * _order_error(a, b).mean()
    return loss


def _in_tile_sizes(said: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    """Return corners (N, 8) over the tile's mean reach, so that small tiles count as much."""
    size = wanted.abs().mean(-1, keepdim=True).clamp(min=0.05)
    return said / size, wanted / size


def _order_error(said: Tensor, wanted: Tensor) -> Tensor:
    """Return the error (N,) of corners (N, 8); a tile lying sideways may begin at either end."""
    behind = torch.where(_lies_sideways(wanted), _corner_error(said, wanted.roll(4, -1)), torch.inf)
    return torch.minimum(_corner_error(said, wanted), behind)


def _corner_error(said: Tensor, wanted: Tensor) -> Tensor:
    return F.smooth_l1_loss(said, wanted, reduction="none", beta=BETA).mean(-1)


def _lies_sideways(corners: Tensor) -> Tensor:
    """Whether a tile (N, 8) lies so nearly sideways that either short side may come first."""
    up = corners[:, 0:2] - corners[:, 6:8]
    return up[:, 0].abs() > SIDEWAYS * up.norm(dim=1)


def _reach(corners: Tensor, axis: Tensor) -> Tensor:
    """Return how far corners (N, 8) reach along and across the axis (N, 2): shape (N, 4)."""
    points = corners.reshape(-1, 4, 2)
    along = (points * axis[:, None]).sum(-1)
    across = points[..., 1] * axis[:, None, 0] - points[..., 0] * axis[:, None, 1]
    return torch.stack([along.amin(1), along.amax(1), across.amin(1), across.amax(1)], 1)
