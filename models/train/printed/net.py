"""The small network that reads print: a plain net that answers step by step across a window."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from models.train.locator.net import ConvBlock, Residual
from vision.networks.print_signs import SIGNS

WIDTHS = (24, 32, 72, 128)
"""Channels at strides 2, 4 and 8, and where the height alone is halved once more."""

STEP_CHANNELS = 192
"""Channels of a step across the window, once its height is gone."""

TYPICAL_CONTRAST, MIN_CONTRAST = 0.8, 0.02
"""How far pixels of a window lie from its mean once its light is evened out, and what counts as
that far at least: less is noise."""


class PrintNet(nn.Module):
    """Windows (N, 3, 48, W), 0 to 1 → logits (N, W / 8, SIGNS)."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c, d = WIDTHS
        self.features = nn.Sequential(
            ConvBlock(3, a, 2),
            ConvBlock(a, b, 2),
            Residual(b),
            ConvBlock(b, c, 2),
            Residual(c),
            ConvBlock(c, d, (2, 1)),
            Residual(d),
            ConvBlock(d, STEP_CHANNELS, padding=(0, 1)),
            ConvBlock(STEP_CHANNELS, STEP_CHANNELS, kernel=(1, 3), padding=(0, 1)),
        )
        self.head = nn.Conv2d(STEP_CHANNELS, len(SIGNS), 1)

    def forward(self, windows: Tensor) -> Tensor:
        """Return logits of each sign at each step."""
        ink = windows - windows.mean((1, 2, 3), keepdim=True)
        contrast = ((ink * ink).mean((1, 2, 3), keepdim=True) + MIN_CONTRAST**2).sqrt()
        steps: Tensor = self.head(self.features(ink * (TYPICAL_CONTRAST / contrast)))
        return steps.squeeze(2).transpose(1, 2)


class PrintChances(nn.Module):
    """What the box runs: windows → chances (N, W / 8, SIGNS)."""

    def __init__(self, net: PrintNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, windows: Tensor) -> Tensor:
        """Return the chance of each sign at each step."""
        return torch.softmax(self.net(windows), 2)
