"""The locator network: a small plain U-shaped net with both heads at an eighth of the input size.

There are only dense 3×3 convolutions: on CPUs they run several times as fast per multiplication as
separable ones. Beyond the stem nothing is computed at a quarter of the size. Each cell of the
eighth answers for its four quarters itself (Shi et al. 2016); tiles of 18 pixels are over two cells
wide.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from vision.networks.outline import ACROSS_SLICE, FOURFOLD_SLICE, OUTLINE_NUMBERS

WIDTHS = (16, 24, 48, 64, 112)
"""Channels at strides 2, 4, 8, 16 and 32."""

NECK_CHANNELS = 40
"""Channels on the way back up."""

OUTPUT_COUNT = 1 + OUTLINE_NUMBERS
"""A centre and an outline."""

INITIAL_SIZE = 1.0
"""Outlines begin as an upright tile's; this is the sum of its sides in OFFSET_UNITs."""


class ConvBlock(nn.Sequential):
    """Convolution, batch normalisation, ReLU; 3×3 where nothing else is said."""

    def __init__(
        self,
        wide_in: int,
        wide_out: int,
        stride: int | tuple[int, int] = 1,
        kernel: tuple[int, int] = (3, 3),
        padding: tuple[int, int] = (1, 1),
    ) -> None:
        super().__init__(
            nn.Conv2d(wide_in, wide_out, kernel, stride, padding, bias=False),
            nn.BatchNorm2d(wide_out),
            nn.ReLU(),
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


class Locator(nn.Module):
    """Picture (N, 3, H, W), 0 to 1 → logits (N, 1, H/4, W/4), outlines (N, NUMBERS, H/4, W/4).

    The logit of a cell says whether a tile's centre lies in it; the outline is the tile's, from the
    cell's centre, as `vision.networks.outline` encodes it, in units of OFFSET_UNIT input pixels.
    """

    def __init__(self) -> None:
        super().__init__()
        w2, w4, w8, w16, w32 = WIDTHS
        self.to8 = nn.Sequential(ConvBlock(3, w2, 2), ConvBlock(w2, w4, 2), ConvBlock(w4, w8, 2))
        self.to16 = nn.Sequential(ConvBlock(w8, w16, 2), Residual(w16))
        self.to32 = nn.Sequential(ConvBlock(w16, w32, 2), Residual(w32))
        self.from32 = nn.Conv2d(w32, NECK_CHANNELS, 1)
        self.from16 = nn.Conv2d(w16, NECK_CHANNELS, 1)
        self.from8 = nn.Conv2d(w8, NECK_CHANNELS, 1)
        self.mix16 = ConvBlock(NECK_CHANNELS, NECK_CHANNELS)
        self.mix8 = ConvBlock(NECK_CHANNELS, NECK_CHANNELS)
        self.heads = nn.Conv2d(NECK_CHANNELS, 4 * OUTPUT_COUNT, 1)
        with torch.no_grad():
            self.heads.bias[:4].fill_(-4.6)  # one cell in a hundred is a centre, to begin
            for x in FOURFOLD_SLICE.start, ACROSS_SLICE.start:
                self.heads.bias[4 * (1 + x) : 4 * (2 + x)].fill_(INITIAL_SIZE)

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        """Return centre logits and outlines."""
        x8 = self.to8((picture - 0.5) * 4.0)
        x16 = self.to16(x8)
        x32 = self.to32(x16)
        merged = self.mix16(_double(self.from32(x32)) + self.from16(x16))
        merged = self.mix8(_double(merged) + self.from8(x8))
        answers = F.pixel_shuffle(self.heads(merged), 2)
        return answers[:, :1], answers[:, 1:]


def _double(x: Tensor) -> Tensor:
    return F.interpolate(x, scale_factor=2.0, mode="nearest")
