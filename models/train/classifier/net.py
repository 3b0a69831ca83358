"""The classifier network: a small plain residual net over one straightened tile."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.train.locator.net import ConvBlock, Residual
from vision.preprocess import LABELS

TURNS = 4
"""Ways up: turned clockwise in the crop by none, one, two or three quarters."""

EMBEDDING = 128
"""Length of the vector that says how a tile looks, for learning a table's own set by heart."""

WIDTHS = (16, 32, 64, 128)


class Classifier(nn.Module):
    """Crops (N, 3, 80, 64), 0 to 1 → logits (N, 44), turn logits (N, 4), embedding (N, 128)."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c, d = WIDTHS
        self.features = nn.Sequential(
            ConvBlock(3, a, 2),
            ConvBlock(a, b, 2),
            Residual(b),
            ConvBlock(b, c, 2),
            Residual(c),
            ConvBlock(c, d, 2),
            Residual(d),
        )
        self.embed = nn.Linear(2 * d, EMBEDDING)
        self.dropout = nn.Dropout(0.2)
        self.face = nn.Linear(EMBEDDING, len(LABELS))
        self.turn = nn.Linear(2 * d, TURNS)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return face logits, turn logits and the unit-length embedding."""
        brightness = crops.mean((1, 2, 3), keepdim=True)
        maps = self.features((crops - brightness) * 4.0)
        pooled = torch.cat([maps.mean((2, 3)), maps.amax((2, 3))], 1)
        embedding = self.embed(pooled)
        faces = self.face(self.dropout(F.relu(embedding)))
        return faces, self.turn(pooled), F.normalize(embedding, dim=1)
