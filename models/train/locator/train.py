"""Train the locator: `python -m models.train.locator.train --scenes DIR --out DIR --steps N`."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.train.data.photos import given_photos, training_photos
from models.train.data.scenes import load_photo, load_scenes
from models.train.locator.net import Locator
from models.train.locator.views import Sources, draw_batch
from models.train.training import Batch, Run, endless_batches, half_precision, parse_arguments
from vision.networks.outline import CENTRE_SLICE, FOURFOLD_SLICE, TOTAL_SLICE

EXTENT_WEIGHT = 0.5
"""A box tells less than a quad: its share in the corner loss."""

SMOOTH_L1_BETA = 0.1
"""Error, in tile sizes, below which it counts by its square."""

ROOT_EPSILON = 1e-6
"""Added under a root, so that its slope stays finite."""

UPRIGHT_WEIGHT = 0.3
"""How much a box itself counts: enough to rule out the diamond that reaches as far."""

BOX_NUMBERS = slice(CENTRE_SLICE.start, FOURFOLD_SLICE.stop)
"""The numbers that a box hints at: neither perspective nor which sides are the short ones."""


def centre_loss(logits: Tensor, heat: Tensor, weight: Tensor) -> Tensor:
    """Return the focal loss of centre points (Law and Deng 2018, Zhou et al. 2019)."""
    p = torch.sigmoid(logits[:, 0]).clamp(1e-4, 1 - 1e-4)
    peak = heat > 0.999
    hit = torch.log(p) * (1 - p) ** 2 * peak
    miss = torch.log(1 - p) * p**2 * (1 - heat) ** 4 * ~peak
    return -((hit + miss) * weight).sum() / peak.sum().clamp(min=1)


def outline_loss(outlines: Tensor, target: Tensor, axis: Tensor, owner_map: Tensor) -> Tensor:
    """Return how far outlines are off, in tile sizes: by number for quads, by extent for boxes.

    Outlines are of shape (N, NUMBERS, rows, columns); `owner_map` (N, rows, columns) tells quads
    (1) from boxes (2). A box says how far the tile reaches along the box's own axes, and hints that
    it lies along them.
    """
    outputs, targets, axes = (t.permute(0, 2, 3, 1) for t in (outlines, target, axis))
    quads, boxes = owner_map == 1, owner_map == 2
    loss = outlines.sum() * 0.0
    if quads.any():
        loss = loss + _error(*_in_tile_sizes(outputs[quads], targets[quads]))
    if boxes.any():
        a, b = _in_tile_sizes(outputs[boxes], targets[boxes])
        reach = _error(_reach(a, axes[boxes]), _reach(b, axes[boxes]))
        hint = _error(a[:, BOX_NUMBERS], b[:, BOX_NUMBERS])
        loss = loss + EXTENT_WEIGHT * reach + UPRIGHT_WEIGHT * hint
    return loss


def _in_tile_sizes(outputs: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """Return outlines (N, NUMBERS) over the tile's size, so that small tiles count as much."""
    size = targets[:, FOURFOLD_SLICE].norm(dim=1, keepdim=True).clamp(min=0.05)
    return outputs / size, targets / size


def _error(outputs: Tensor, targets: Tensor) -> Tensor:
    return F.smooth_l1_loss(outputs, targets, beta=SMOOTH_L1_BETA)


def _reach(outlines: Tensor, axis: Tensor) -> Tensor:
    """Return how far outlines (N, NUMBERS) reach along and across the axis (N, 2): shape (N, 4).

    What perspective adds is left out.
    """
    axis_conjugate = torch.complex(axis[:, 0], -axis[:, 1])
    centre, total, fourfold = (
        _complex(outlines[:, p]) for p in (CENTRE_SLICE, TOTAL_SLICE, FOURFOLD_SLICE)
    )
    length = fourfold.abs().clamp(min=0.05)
    difference = (fourfold / length + ROOT_EPSILON).sqrt() * length**2
    along_reach = across_reach = 0.0
    for square in (total * length + difference) / 2, (total * length - difference) / 2:
        size, real = square.abs(), (square * axis_conjugate**2).real
        along_reach = along_reach + ((size + real) / 2).clamp(min=ROOT_EPSILON).sqrt()
        across_reach = across_reach + ((size - real) / 2).clamp(min=ROOT_EPSILON).sqrt()
    middle = centre * axis_conjugate
    return torch.stack(
        [
            middle.real - along_reach,
            middle.real + along_reach,
            middle.imag - across_reach,
            middle.imag + across_reach,
        ],
        1,
    )


def _complex(pair: Tensor) -> Tensor:
    return torch.complex(pair[:, 0], pair[:, 1])


OUTLINE_WEIGHT = 3.0
BATCH_SIZE = 12
DEFAULT_STEPS = 6000
REAL_SHARE = 0.5
"""Share of views on real photographs; the rest are on rendered scenes."""


def main() -> None:
    """Train, or go on training, and save now and then."""
    args = parse_arguments(__doc__, DEFAULT_STEPS)
    run = Run(Locator(), args)
    sources = _sources(args.scenes, args.hold_out)
    batches = endless_batches(
        lambda rng: draw_batch(sources, BATCH_SIZE, rng), args.seed + run.step
    )
    run.train(batches, lambda batch: _losses(run.net, batch), report=50, save=200)


def _losses(net: nn.Module, batch: Batch) -> dict[str, Tensor]:
    picture = batch["picture"].permute(0, 3, 1, 2).float() / 255
    with half_precision():
        logits, outlines = net(picture.contiguous(memory_format=torch.channels_last))
    centre = centre_loss(logits.float(), batch["heat"], batch["weight"])
    outline = outline_loss(outlines.float(), batch["outline"], batch["axis"], batch["owner_map"])
    return {"loss": centre + OUTLINE_WEIGHT * outline, "centre": centre, "outline": outline}


def _sources(folders: list[Path], hold_out: str) -> Sources:
    photos = [p for p in training_photos(hold_out) if p.kind == "photo"]
    real = [load_photo(photo) for photo in (*photos, *given_photos(hold_out))]
    scenes = [picture for folder in folders for picture in load_scenes(folder)]
    lots = [(REAL_SHARE, real), (1 - REAL_SHARE, scenes)]
    return [(share, pictures) for share, pictures in lots if pictures]


if __name__ == "__main__":
    main()
