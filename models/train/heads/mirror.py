"""Train to tell mirrored tiles: `python -m models.train.heads.mirror --classifier RUN --out DIR`.

Phones' front cameras give mirror images, and mirrored tiles misread: 7 circles is named 6 circles,
9 characters 6, often surely. A small head on the finished classifier's features learns from drawn
and real tables which crops are mirrored. Most tiles tell a little, a hand's together tell surely
(`vision/networks/classifier.py`). What looks the same mirrored learns to say nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor
from torch.nn import functional as F

from models.train.classifier.net import Classifier
from models.train.heads.net import (
    TRAINING_SEED,
    Mirror,
    Pace,
    head_arguments,
    load_classifier,
    paired_features,
    save_head,
    train_head,
)
from models.train.heads.tables import SetCrops, drawn_tables, real_tables

DEFAULT_STEPS, BATCH_SIZE, LEARNING_RATE, WEIGHT_DECAY = 4000, 256, 2e-3, 0.05

MAX_GRADIENT_NORM = 5.0

REAL_SHARE = 0.4
"""Share of a batch that is of real tables."""

DRAWN_SHARE = 0.5
"""Share of a drawn table's photographs that is taken: the features must fit into memory."""


def main() -> None:
    """Train the head and write its averaged weights to OUT/checkpoint.pt."""
    args = head_arguments(__doc__, DEFAULT_STEPS)
    classifier = load_classifier(args.classifier)
    drawn_features = _both_ways(
        classifier, drawn_tables(args.sets, args.tables, TRAINING_SEED), DRAWN_SHARE
    )
    real = _both_ways(classifier, real_tables(TRAINING_SEED), 1.0)
    print(f"{len(drawn_features)} drawn crops, {len(real)} real ones", flush=True)
    save_head(train([(1 - REAL_SHARE, drawn_features), (REAL_SHARE, real)], args.steps), args.out)


def _both_ways(classifier: Classifier, tables: Iterable[SetCrops], share: float) -> Tensor:
    """Return the features (N, 2, 384, 5, 4) of crops as they are and mirrored.

    Half of them are turned upside down: the locator knows no way up.
    """
    feature_lots = []
    for table in tables:
        crops = table.crops[: round(share * len(table.crops))].copy()
        crops[::2] = crops[::2, ::-1, ::-1]
        feature_lots.append(paired_features(classifier, crops, crops[:, :, ::-1]))
    return torch.cat(feature_lots)


def train(lots: list[tuple[float, Tensor]], steps: int) -> Mirror:
    """Return the head with its averaged weights; `lots` are weights and features of crops."""
    net = Mirror()
    pace = Pace(steps, LEARNING_RATE, WEIGHT_DECAY, MAX_GRADIENT_NORM, report=200)
    return train_head(net, (), lambda: _step(net, lots), pace)


def _step(net: Mirror, lots: list[tuple[float, Tensor]]) -> tuple[Tensor, float]:
    batch = torch.cat(
        [lot[torch.randint(len(lot), (round(weight * BATCH_SIZE),))] for weight, lot in lots]
    )
    answers = torch.tensor([0.0, 1.0]).repeat(len(batch))
    odds = net(batch.float().flatten(0, 1))
    loss = F.binary_cross_entropy_with_logits(odds, answers)
    return loss, float(((odds > 0) == (answers > 0)).float().mean())


if __name__ == "__main__":
    main()
