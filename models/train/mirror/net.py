"""The head that tells a mirrored tile, beside the classifier and on its features."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional as F

from models.train.classifier.net import WIDTHS
from models.train.look.net import CELLS

NARROW = 24
"""Channels that each cell of the tile is told in."""


class Mirror(nn.Module):
    """Features of crops → log odds (N,) that each is a mirror image."""

    def __init__(self) -> None:
        super().__init__()
        self.narrow = nn.Conv2d(4 * WIDTHS[2] + WIDTHS[3], NARROW, 1)
        self.dropout = nn.Dropout(0.2)
        self.odds = nn.Linear(CELLS * NARROW, 1)

    def forward(self, cells: Tensor) -> Tensor:
        """Return the log odds, of what `models.train.look.net.cells` says of crops."""
        narrow = F.relu(self.narrow(cells))
        odds: Tensor = self.odds(self.dropout(narrow.flatten(1)))
        return odds[:, 0]
