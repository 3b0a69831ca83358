"""Train the classifier: `python -m models.train.classifier.train --scenes DIR --out DIR`."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from models.train.classifier.crops import (
    UNKNOWN_TURN,
    Source,
    draw_batch,
    from_faces,
    from_pictures,
)
from models.train.classifier.net import Classifier
from models.train.data.flat import fit_faces
from models.train.data.photos import training_photos
from models.train.data.scenes import from_photo, rendered
from models.train.faces.bank import training_banks
from models.train.training import Run, endless
from vision.labels import LabelledPhoto

BATCH = 96
RATE = 2e-3
TURN_WEIGHT = 0.3
SMOOTHING = 0.03
BANKS = 160
"""Face styles, drawn and designed."""

SHARES = {"hands": 0.3, "singles": 0.12, "scenes": 0.25, "flat": 0.33}
"""Share of crops from real photographs, real single tiles, rendered scenes and flat tiles."""


def main() -> None:
    """Train, or go on training, and save now and then."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=Path, nargs="*", default=[], help="rendered folders")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    run = Run(Classifier(), args.out, args.steps, RATE)
    sources = _sources(args.scenes, args.seed)
    batches = endless(lambda rng: draw_batch(sources, BATCH, rng), args.seed + run.step)
    began, loss_sum, right = time.monotonic(), 0.0, 0.0
    while run.step < args.steps:
        batch = next(batches)
        crop = batch["crop"].permute(0, 3, 1, 2).float() / 255
        run.net.train()
        faces, turns, _ = run.net(crop.contiguous(memory_format=torch.channels_last))
        loss = F.cross_entropy(faces, batch["face"], label_smoothing=SMOOTHING)
        run.learn(loss + TURN_WEIGHT * _turn_loss(turns, batch["turn"]))
        loss_sum += loss.item()
        right += (faces.argmax(1) == batch["face"]).float().mean().item()
        if run.step % 100 == 0:
            pace = 100 * BATCH / (time.monotonic() - began)
            print(
                f"step {run.step} loss {loss_sum / 100:.4f} right {right / 100:.4f} "
                f"{pace:.0f} crops/s",
                flush=True,
            )
            began, loss_sum, right = time.monotonic(), 0.0, 0.0
        if run.step % 500 == 0 or run.step == args.steps:
            run.save()


def _turn_loss(turns: Tensor, labels: Tensor) -> Tensor:
    if (labels == UNKNOWN_TURN).all():
        return turns.sum() * 0.0
    return F.cross_entropy(turns, labels, ignore_index=UNKNOWN_TURN)


def _sources(folders: list[Path], seed: int) -> list[tuple[float, Source]]:
    photos = training_photos()
    banks = [fit_faces(bank) for bank in training_banks(np.random.default_rng(seed), BANKS)]
    sources: list[tuple[float, Source]] = [
        (SHARES["hands"], _real(photos, "photo")),
        (SHARES["singles"], _real(photos, "crop")),
        (SHARES["flat"], from_faces(banks)),
    ]
    scenes = [picture for folder in folders for picture in rendered(folder)]
    if scenes:
        sources.append((SHARES["scenes"], from_pictures(scenes)))
    return sources


def _real(photos: list[LabelledPhoto], kind: str) -> Source:
    return from_pictures([from_photo(photo) for photo in photos if photo.kind == kind])


if __name__ == "__main__":
    main()
