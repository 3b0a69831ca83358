"""Train the locator: `python -m models.train.locator.train --scenes DIR --out DIR --steps N`."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

from models.train.data.photos import given_photos, training_photos
from models.train.data.scenes import from_photo, rendered
from models.train.locator.losses import centre_loss, outline_loss
from models.train.locator.net import Locator
from models.train.locator.views import Sources, draw_batch
from models.train.training import Batch, Run, arguments, endless

OUTLINE_WEIGHT = 3.0
BATCH = 12
STEPS = 6000
REAL_SHARE = 0.6
"""Share of views on real photographs; the rest are on rendered scenes."""


def main() -> None:
    """Train, or go on training, and save now and then."""
    args = arguments(__doc__, STEPS)
    run = Run(Locator(), args)
    sources = _sources(args.scenes, args.hold_out)
    batches = endless(lambda rng: draw_batch(sources, BATCH, rng), args.seed + run.step)
    run.train(batches, lambda batch: _losses(run.net, batch), report=50, save=200)


def _losses(net: nn.Module, batch: Batch) -> dict[str, Tensor]:
    picture = batch["picture"].permute(0, 3, 1, 2).float() / 255
    logits, outlines = net(picture.contiguous(memory_format=torch.channels_last))
    centre = centre_loss(logits, batch["heat"], batch["weight"])
    outline = outline_loss(outlines, batch["outline"], batch["axis"], batch["owned"])
    return {"loss": centre + OUTLINE_WEIGHT * outline, "centre": centre, "outline": outline}


def _sources(folders: list[Path], hold_out: str) -> Sources:
    photos = [p for p in training_photos(hold_out) if p.kind == "photo"]
    real = [from_photo(photo) for photo in (*photos, *given_photos(hold_out))]
    scenes = [picture for folder in folders for picture in rendered(folder)]
    lots = [(REAL_SHARE, real), (1 - REAL_SHARE, scenes)]
    return [(share, pictures) for share, pictures in lots if pictures]


if __name__ == "__main__":
    main()
