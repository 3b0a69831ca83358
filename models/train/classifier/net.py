"""The classifier network: a small plain residual net over one straightened tile."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.train.locator.net import ConvBlock, Residual
from vision.preprocess import LABELS

TURN_COUNT = 4
"""Ways up: turned clockwise in the crop by none, one, two or three quarters."""

HIDDEN_UNITS = 128
"""Units between the pooled features and the face."""

FINE_STAGES = 5
"""So many of the features' stages come before the last halving."""

WIDTHS = (16, 32, 64, 128)


class Classifier(nn.Module):
    """Crops (N, 3, 80, 64), 0 to 1 → logits (N, 44) and turn logits (N, 4)."""

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
        self.embed = nn.Linear(2 * d, HIDDEN_UNITS)
        self.dropout = nn.Dropout(0.2)
        self.face = nn.Linear(HIDDEN_UNITS, len(LABELS))
        self.turn = nn.Linear(2 * d, TURN_COUNT)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """Return face logits and turn logits."""
        return self.answers(self.maps(crops)[1])

    def maps(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """Return the features at an eighth (N, 64, 10, 8) and a sixteenth (N, 128, 5, 4)."""
        brightness = crops.mean((1, 2, 3), keepdim=True)
        fine = self.features[:FINE_STAGES]((crops - brightness) * 4.0)
        return fine, self.features[FINE_STAGES:](fine)

    def answers(self, maps: Tensor) -> tuple[Tensor, Tensor]:
        """Return face logits and turn logits."""
        features = torch.cat([maps.mean((2, 3)), maps.amax((2, 3))], 1)
        return self.face(self.dropout(F.relu(self.embed(features)))), self.turn(features)
