"""The locator network: a small plain U-shaped net with two heads at a quarter of the input size."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

WIDTHS = (16, 24, 48, 80, 128)
"""Channels at strides 2, 4, 8, 16 and 32."""

NECK = 48
"""Channels on the way back up."""


class ConvBlock(nn.Sequential):
    """3×3 convolution, batch normalisation, ReLU."""

    def __init__(self, wide_in: int, wide_out: int, stride: int = 1, groups: int = 1) -> None:
        super().__init__(
            nn.Conv2d(wide_in, wide_out, 3, stride, 1, groups=groups, bias=False),
            nn.BatchNorm2d(wide_out),
            nn.ReLU(inplace=True),
        )


class Residual(nn.Module):
    """Two 3×3 convolutions with a way round them."""

    def __init__(self, wide: int) -> None:
        super().__init__()
        self.first = ConvBlock(wide, wide)
        self.second = nn.Sequential(
            nn.Conv2d(wide, wide, 3, 1, 1, bias=False), nn.BatchNorm2d(wide)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Keep the shape."""
        return F.relu(x + self.second(self.first(x)))


class Separable(nn.Sequential):
    """A depthwise and a pointwise convolution: cheap, where the map is large."""

    def __init__(self, wide_in: int, wide_out: int) -> None:
        super().__init__(
            ConvBlock(wide_in, wide_in, groups=wide_in),
            nn.Conv2d(wide_in, wide_out, 1, bias=False),
            nn.BatchNorm2d(wide_out),
            nn.ReLU(inplace=True),
        )


class Locator(nn.Module):
    """Picture (N, 3, H, W), 0 to 1 → logits (N, 1, H/4, W/4) and offsets (N, 8, H/4, W/4).

    The logit of a cell says whether a tile's centre lies in it; the offsets lead from the cell's
    centre to the tile's four corners, x then y each, in units of OFFSET_UNIT input pixels. The
    corners go round clockwise and the first two span the short side that is higher in the
    picture: which way up the face is, the classifier tells.
    """

    def __init__(self) -> None:
        super().__init__()
        w2, w4, w8, w16, w32 = WIDTHS
        self.to4 = nn.Sequential(ConvBlock(3, w2, 2), ConvBlock(w2, w4, 2))
        self.to8 = nn.Sequential(ConvBlock(w4, w8, 2), Residual(w8))
        self.to16 = nn.Sequential(ConvBlock(w8, w16, 2), Residual(w16))
        self.to32 = nn.Sequential(ConvBlock(w16, w32, 2), Residual(w32))
        self.from32 = nn.Conv2d(w32, NECK, 1)
        self.from16 = nn.Conv2d(w16, NECK, 1)
        self.from8 = nn.Conv2d(w8, NECK, 1)
        self.from4 = nn.Conv2d(w4, NECK, 1)
        self.mix16 = Separable(NECK, NECK)
        self.mix8 = Separable(NECK, NECK)
        self.mix4 = nn.Sequential(Separable(NECK, NECK), Separable(NECK, NECK))
        self.centre = nn.Conv2d(NECK, 1, 1)
        self.corners = nn.Conv2d(NECK, 8, 1)
        nn.init.constant_(self.centre.bias, -4.6)  # one cell in a hundred is a centre, to begin

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        """Return centre logits and corner offsets."""
        x4 = self.to4((picture - 0.5) * 4.0)
        x8 = self.to8(x4)
        x16 = self.to16(x8)
        x32 = self.to32(x16)
        up = self.mix16(_double(self.from32(x32)) + self.from16(x16))
        up = self.mix8(_double(up) + self.from8(x8))
        up = self.mix4(_double(up) + self.from4(x4))
        return self.centre(up), self.corners(up)


def _double(x: Tensor) -> Tensor:
    return F.interpolate(x, scale_factor=2.0, mode="nearest")


def probabilities(logits: Tensor) -> Tensor:
    """Turn centre logits into probabilities."""
    return torch.sigmoid(logits)
