"""How wrong the locator was."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

EXTENT_WEIGHT = 0.5
"""A box tells less than a quad: its share in the corner loss."""

UPRIGHT_WEIGHT = 0.15
"""How much a box's own corners count: enough to rule out the diamond that reaches as far."""


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
    says how far the tile reaches along the box's own axes, and hints that it lies along them.
    """
    said, wanted, axes = (t.permute(0, 2, 3, 1) for t in (offsets, target, axis))
    quads, boxes = owned == 1, owned == 2
    loss = offsets.sum() * 0.0
    if quads.any():
        a, b = said[quads], wanted[quads]
        loss = loss + _nearest_order(a, b, (0, 2)).mean()
    if boxes.any():
        reach_said = _reach(said[boxes], axes[boxes])
        reach_wanted = _reach(wanted[boxes], axes[boxes])
        loss = loss + EXTENT_WEIGHT * F.smooth_l1_loss(reach_said, reach_wanted, beta=0.05)
        upright = _nearest_order(said[boxes], wanted[boxes], (0, 1, 2, 3))
        loss = loss + UPRIGHT_WEIGHT * upright.mean()
    return loss


def _nearest_order(said: Tensor, wanted: Tensor, firsts: tuple[int, ...]) -> Tensor:
    """Return the loss (N,) of corners (N, 8) against the best of some choices of first corner."""
    ways = [
        F.smooth_l1_loss(said, wanted.roll(2 * first, -1), reduction="none", beta=0.05).mean(-1)
        for first in firsts
    ]
    return torch.stack(ways).amin(0)


def _reach(corners: Tensor, axis: Tensor) -> Tensor:
    """Return how far corners (N, 8) reach along and across the axis (N, 2): shape (N, 4)."""
    points = corners.reshape(-1, 4, 2)
    along = (points * axis[:, None]).sum(-1)
    across = points[..., 1] * axis[:, None, 0] - points[..., 0] * axis[:, None, 1]
    return torch.stack(
        [along.amin(1), along.amax(1), across.amin(1), across.amax(1)],
        1,
    )
