"""How wrong the locator was."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from vision.networks.outline import CENTRE_SLICE, FOURFOLD_SLICE, TOTAL_SLICE

EXTENT_WEIGHT = 0.5
"""A box tells less than a quad: its share in the corner loss."""

BETA = 0.1
"""Error, in tile sizes, below which it counts by its square."""

NEARLY_NOTHING = 1e-6
"""Keeps the slope of a root finite."""

UPRIGHT_WEIGHT = 0.3
"""How much a box itself counts: enough to rule out the diamond that reaches as far."""

SEEN_OF_A_BOX = slice(CENTRE_SLICE.start, FOURFOLD_SLICE.stop)
"""What a box hints of its tile: not what perspective does, nor which sides are the short ones."""


def centre_loss(logits: Tensor, heat: Tensor, weight: Tensor) -> Tensor:
    """Return the focal loss of centre points (Law and Deng 2018, Zhou et al. 2019)."""
    p = torch.sigmoid(logits[:, 0]).clamp(1e-4, 1 - 1e-4)
    peak = heat > 0.999
    hit = torch.log(p) * (1 - p) ** 2 * peak
    miss = torch.log(1 - p) * p**2 * (1 - heat) ** 4 * ~peak
    return -((hit + miss) * weight).sum() / peak.sum().clamp(min=1)


def outline_loss(outlines: Tensor, target: Tensor, axis: Tensor, owned: Tensor) -> Tensor:
    """Return how far outlines are off, in tile sizes: by number for quads, by extent for boxes.

    Outlines are of shape (N, NUMBERS, rows, columns); `owned` (N, rows, columns) tells quads (1)
    from boxes (2). A box says how far the tile reaches along the box's own axes, and hints that it
    lies along them.
    """
    said, wanted, axes = (t.permute(0, 2, 3, 1) for t in (outlines, target, axis))
    quads, boxes = owned == 1, owned == 2
    loss = outlines.sum() * 0.0
    if quads.any():
        loss = loss + _error(*_in_tile_sizes(said[quads], wanted[quads]))
    if boxes.any():
        a, b = _in_tile_sizes(said[boxes], wanted[boxes])
        reach = _error(_reach(a, axes[boxes]), _reach(b, axes[boxes]))
        hint = _error(a[:, SEEN_OF_A_BOX], b[:, SEEN_OF_A_BOX])
        loss = loss + EXTENT_WEIGHT * reach + UPRIGHT_WEIGHT * hint
    return loss


def _in_tile_sizes(said: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    """Return outlines (N, NUMBERS) over the tile's size, so that small tiles count as much."""
    size = wanted[:, FOURFOLD_SLICE].norm(dim=1, keepdim=True).clamp(min=0.05)
    return said / size, wanted / size


def _error(said: Tensor, wanted: Tensor) -> Tensor:
    return F.smooth_l1_loss(said, wanted, beta=BETA)


def _reach(outlines: Tensor, axis: Tensor) -> Tensor:
    """Return how far outlines (N, NUMBERS) reach along and across the axis (N, 2): shape (N, 4).

    What perspective adds is left out.
    """
    against = torch.complex(axis[:, 0], -axis[:, 1])
    centre, total, fourfold = (
        _complex(outlines[:, p]) for p in (CENTRE_SLICE, TOTAL_SLICE, FOURFOLD_SLICE)
    )
    length = fourfold.abs().clamp(min=0.05)
    difference = (fourfold / length + NEARLY_NOTHING).sqrt() * length**2
    along = across = 0.0
    for squared in (total * length + difference) / 2, (total * length - difference) / 2:
        size, real = squared.abs(), (squared * against**2).real
        along = along + ((size + real) / 2).clamp(min=NEARLY_NOTHING).sqrt()
        across = across + ((size - real) / 2).clamp(min=NEARLY_NOTHING).sqrt()
    middle = centre * against
    return torch.stack(
        [middle.real - along, middle.real + along, middle.imag - across, middle.imag + across], 1
    )


def _complex(pair: Tensor) -> Tensor:
    return torch.complex(pair[:, 0], pair[:, 1])
