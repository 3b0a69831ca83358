"""The head that says how a tile looks, beside the classifier and on its features."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.train.classifier.net import WIDTHS

LOOK = 128
"""Length of the vector."""

NARROW = 48
"""Channels that each cell of the tile is told in."""

CELLS = 5 * 4


class Look(nn.Module):
    """Features of crops → unit vectors (N, 128), near to those of tiles that look alike."""

    def __init__(self) -> None:
        super().__init__()
        self.narrow = nn.Conv2d(4 * WIDTHS[2] + WIDTHS[3], NARROW, 1)
        self.dropout = nn.Dropout(0.1)
        self.look = nn.Linear(CELLS * NARROW, LOOK)

    def forward(self, cells: Tensor) -> Tensor:
        """Return how tiles look, of what `cells` says of them."""
        narrow = F.relu(self.narrow(cells))
        return F.normalize(self.look(self.dropout(narrow.flatten(1))), dim=1)


def cells(fine: Tensor, maps: Tensor) -> Tensor:
    """Return the features (N, 384, 5, 4): both sizes, cell by cell."""
    return torch.cat([F.pixel_unshuffle(fine, 2), maps], 1)


class Likeness(nn.Module):
    """How alike two looks must be to speak for the same face: as `prototypes` weighs it."""

    def __init__(self) -> None:
        super().__init__()
        self.sharpness = nn.Parameter(torch.tensor(3.0))
        self.neutral = nn.Parameter(torch.tensor(0.5))

    def forward(self, asked: Tensor, known: Tensor) -> Tensor:
        """Return (M, F + 1) logits: (M, 128) beside (F, P, 128), the last for none of them."""
        near = self.sharpness.exp() * (torch.einsum("md,fpd->mfp", asked, known) - self.neutral)
        like = torch.logsumexp(near, 2) - math.log(known.shape[1])
        return torch.cat([like, torch.zeros(len(asked), 1)], 1)
