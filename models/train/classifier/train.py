"""Train the classifier: `python -m models.train.classifier.train --scenes DIR --out DIR`."""

from __future__ import annotations

from argparse import Namespace

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.train.classifier.crops import (
    NO_FACE,
    UNKNOWN_TURN,
    Source,
    draw_batch,
    from_empty_places,
    from_faces,
    from_pictures,
)
from models.train.classifier.net import Classifier
from models.train.data.photos import given_photos, training_photos
from models.train.data.scenes import load_photo, load_scenes
from models.train.drawing.faces.bank import procedural_bank
from models.train.drawing.faces.style import HOUSE_STYLE
from models.train.drawing.flat_tiles import shrink_faces
from models.train.drawing.sets import load_sets
from models.train.training import Batch, Run, endless_batches, half_precision, parse_arguments

BATCH_SIZE = 96
DEFAULT_STEPS = 4800
TURN_WEIGHT = 0.3
LABEL_SMOOTHING = 0.03
UNNAMED_WEIGHT = 0.5

SHARES = {
    "hands": 0.3,
    "singles": 0.12,
    "given": 0.15,
    "scenes": 0.25,
    "flat": 0.33,
    "house": 0.04,
    "between": 0.12,
}
"""Weight of each source: real photographs, real single tiles, hands that players gave (if any),
rendered scenes, flat tiles, flat tiles in the page's own style, and places without a tile. The
sample photographs, which newcomers try first, have the page's style."""


def main() -> None:
    """Train, or go on training, and save now and then."""
    args = parse_arguments(__doc__, DEFAULT_STEPS)
    run = Run(Classifier(), args)
    sources = _sources(args)
    batches = endless_batches(
        lambda rng: draw_batch(sources, BATCH_SIZE, rng), args.seed + run.step
    )
    run.train(batches, lambda batch: _losses(run.net, batch), report=100, save=500)


def _losses(net: nn.Module, batch: Batch) -> dict[str, Tensor]:
    crop = batch["crop"].permute(0, 3, 1, 2).float() / 255
    with half_precision():
        faces, turns = net(crop.contiguous(memory_format=torch.channels_last))
    faces, turns = faces.float(), turns.float()
    face = _face_loss(faces, batch["face"])
    loss = face + TURN_WEIGHT * _turn_loss(turns, batch["turn"])
    return {"loss": loss, "face": face, "right": _share_right(faces, batch["face"])}


def _face_loss(faces: Tensor, labels: Tensor) -> Tensor:
    """Return the log loss; where a tile has no name, every name should be equally unlikely."""
    is_known = labels != NO_FACE
    named_loss = F.cross_entropy(
        faces[is_known], labels[is_known], label_smoothing=LABEL_SMOOTHING, reduction="sum"
    )
    unnamed_loss = -F.log_softmax(faces[~is_known], 1)[:, :-1].mean(1).sum()
    return (named_loss + UNNAMED_WEIGHT * unnamed_loss) / len(labels)


def _share_right(faces: Tensor, labels: Tensor) -> Tensor:
    tiles = labels != NO_FACE
    return (faces[tiles].argmax(1) == labels[tiles]).float().mean()


def _turn_loss(turns: Tensor, labels: Tensor) -> Tensor:
    if (labels == UNKNOWN_TURN).all():
        return turns.sum() * 0.0
    return F.cross_entropy(turns, labels, ignore_index=UNKNOWN_TURN)


def _sources(args: Namespace) -> list[tuple[float, Source]]:
    photos = training_photos(args.hold_out)
    hands = [load_photo(photo) for photo in photos if photo.kind == "photo"]
    singles = [load_photo(photo) for photo in photos if photo.kind == "crop"]
    given_pictures = [load_photo(photo) for photo in given_photos(args.hold_out)]
    scenes = [picture for folder in args.scenes for picture in load_scenes(folder)]
    lots = {"hands": hands, "singles": singles, "given": given_pictures, "scenes": scenes}
    sources = [(SHARES[lot], from_pictures(pictures)) for lot, pictures in lots.items() if pictures]
    if hands + scenes:
        sources.append((SHARES["between"], from_empty_places(hands + scenes)))
    house = shrink_faces(procedural_bank(HOUSE_STYLE))
    return [
        *sources,
        (SHARES["flat"], from_faces(load_sets(args.sets))),
        (SHARES["house"], from_faces([house])),
    ]


if __name__ == "__main__":
    main()
