"""Train how a tile looks: `python -m models.train.heads.look --classifier RUN --out DIR`.

A box that learns its table's own set must tell that set's faces from each other: the third plum
from the fourth, though no other set draws them so. The classifier is never asked that, for it
learns what all sets have in common. So a small head, which sees where in the tile the features lie,
is trained on whole sets, table by table. A tile must look more like other pictures of its own face
than like any other face of its set. A tile whose face is not known must look like nothing
("prototypical networks", Snell et al. 2017). The classifier itself stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional as F

from models.train.classifier.net import Classifier
from models.train.heads.net import (
    TRAINING_SEED,
    Likeness,
    Look,
    Pace,
    head_arguments,
    load_classifier,
    paired_features,
    save_head,
    train_head,
)
from models.train.heads.tables import SetCrops, drawn_tables, random_episode, real_tables

DEFAULT_STEPS, LEARNING_RATE, WEIGHT_DECAY = 3000, 2e-3, 0.02

TABLES_PER_STEP = 6

REAL_SHARE = 0.25
"""Share of the steps' tables that are real ones."""


@dataclass(frozen=True, slots=True, eq=False)
class FeatureTable:
    """A table as the classifier's features show it."""

    codes: npt.NDArray[np.str_]
    features: Tensor
    """(N, 2, 384, 5, 4), half precision: as it was cut, and upside down."""


def main() -> None:
    """Train the head and write its averaged weights to OUT/checkpoint.pt."""
    args = head_arguments(__doc__, DEFAULT_STEPS)
    classifier = load_classifier(args.classifier)
    drawn_features = _with_features(classifier, drawn_tables(args.sets, args.tables, TRAINING_SEED))
    real = _with_features(classifier, real_tables(TRAINING_SEED))
    print(f"{len(drawn_features)} drawn tables, {len(real)} real ones", flush=True)
    save_head(train(drawn_features, real, args.steps), args.out)


def _with_features(classifier: Classifier, tables: Iterable[SetCrops]) -> list[FeatureTable]:
    return [
        FeatureTable(t.codes, paired_features(classifier, t.crops, t.crops[:, ::-1, ::-1]))
        for t in tables
    ]


def train(drawn_features: list[FeatureTable], real: list[FeatureTable], steps: int) -> Look:
    """Return the head with its averaged weights."""
    look, likeness = Look(), Likeness()
    rng = np.random.default_rng(TRAINING_SEED)
    pace = Pace(steps, LEARNING_RATE, WEIGHT_DECAY)
    return train_head(
        look,
        likeness.parameters(),
        lambda: _step(look, likeness, _random_tables(drawn_features, real, rng), rng),
        pace,
    )


def _random_tables(
    drawn_features: list[FeatureTable], real: list[FeatureTable], rng: np.random.Generator
) -> Iterator[FeatureTable]:
    for _ in range(TABLES_PER_STEP):
        lot = real if real and rng.random() < REAL_SHARE else drawn_features
        yield lot[rng.integers(len(lot))]


def _step(
    look: Look, likeness: Likeness, tables: Iterator[FeatureTable], rng: np.random.Generator
) -> tuple[Tensor, float]:
    losses, right = [], []
    for table in tables:
        known_crops, asked_crops, answers = random_episode(table.codes, rng)
        if not len(known_crops):
            continue
        looks = look(table.features[known_crops].float().flatten(0, 2)).unflatten(
            0, (len(known_crops), -1)
        )
        logits = likeness(look(table.features[asked_crops, 0].float()), looks)
        answer = torch.from_numpy(answers)
        losses.append(F.cross_entropy(logits, answer))
        right.append(float((logits.argmax(1) == answer).float().mean()))
    return torch.stack(losses).mean(), float(np.mean(right))


if __name__ == "__main__":
    main()
