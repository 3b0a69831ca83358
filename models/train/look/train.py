"""Train how a tile looks: `python -m models.train.look.train --classifier RUN --out DIR`.

A box that learns its table's own set by heart must tell that set's faces from each other: the third
plum from the fourth, though no other set draws them so. The classifier is never asked that, for it
learns what all sets have in common. So a small head beside it, which sees where in the tile its
features lie, is trained on whole sets, table by table: a tile must look more like other pictures of
its own face than like any other face of its set and, where its face is not known, like nothing
("prototypical networks", Snell et al. 2017). The classifier itself stays as it is.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional as F

from models.train.classifier.net import Classifier
from models.train.look.features import features, trained
from models.train.look.net import Likeness, Look
from models.train.look.tables import Table, drawn_tables, episode, real_tables

STEPS, RATE, SEED = 3000, 2e-3, 1

TABLES_A_STEP = 6

REAL = 0.25
"""Share of the steps' tables that are real ones."""

AVERAGING = 0.998


@dataclass(frozen=True, slots=True, eq=False)
class Featured:
    """A table as the classifier's features show it."""

    codes: npt.NDArray[np.str_]
    features: Tensor
    """(N, 2, 384, 5, 4), half precision: as it was cut, and upside down."""


def main() -> None:
    """Train the head and write its averaged weights to OUT/checkpoint.pt."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--classifier", type=Path, required=True, help="its checkpoint")
    parser.add_argument("--sets", type=Path, default=Path("var/sets"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=STEPS)
    args = parser.parse_args()
    torch.manual_seed(SEED)
    classifier = trained(args.classifier)
    drawn = _featured(classifier, drawn_tables(args.sets, args.out / "tables", SEED))
    real = _featured(classifier, real_tables(SEED))
    print(f"{len(drawn)} drawn tables, {len(real)} real ones", flush=True)
    look = train(drawn, real, args.steps)
    torch.save({"average": look.state_dict()}, args.out / "checkpoint.pt")


def _featured(classifier: Classifier, tables: Iterable[Table]) -> list[Featured]:
    found = []
    for table in tables:
        both = np.stack([table.crops, table.crops[:, ::-1, ::-1]], 1)
        said = features(classifier, both.reshape(-1, *both.shape[2:]))
        found.append(Featured(table.codes, said.unflatten(0, (-1, 2))))
    return found


def train(drawn: list[Featured], real: list[Featured], steps: int) -> Look:
    """Return the head with its averaged weights."""
    look, likeness = Look(), Likeness()
    weights = [*look.parameters(), *likeness.parameters()]
    optimiser = torch.optim.AdamW(weights, lr=RATE, weight_decay=0.02)
    pace = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    mean = torch.optim.swa_utils.AveragedModel(
        look, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(AVERAGING)
    )
    rng = np.random.default_rng(SEED)
    told, began = [], time.monotonic()
    for step in range(1, steps + 1):
        loss, right = _step(look, likeness, _tables(drawn, real, rng), rng)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        pace.step()
        mean.update_parameters(look)
        told.append((loss.item(), right))
        if step % 100 == 0:
            figures = np.mean(told[-100:], 0)
            print(
                f"step {step} loss {figures[0]:.4f} right {figures[1]:.4f} "
                f"sharpness {likeness.sharpness.exp().item():.1f} "
                f"neutral {likeness.neutral.item():.3f} {time.monotonic() - began:.0f} s",
                flush=True,
            )
    learnt = Look()
    learnt.load_state_dict(mean.module.state_dict())
    return learnt


def _tables(
    drawn: list[Featured], real: list[Featured], rng: np.random.Generator
) -> Iterator[Featured]:
    for _ in range(TABLES_A_STEP):
        lot = real if real and rng.random() < REAL else drawn
        yield lot[rng.integers(len(lot))]


def _step(
    look: Look, likeness: Likeness, tables: Iterator[Featured], rng: np.random.Generator
) -> tuple[Tensor, float]:
    losses, right = [], []
    for table in tables:
        known, asked, answers = episode(table.codes, rng)
        if not len(known):
            continue
        looks = look(table.features[known].float().flatten(0, 2)).unflatten(0, (len(known), -1))
        logits = likeness(look(table.features[asked, 0].float()), looks)
        answer = torch.from_numpy(answers)
        losses.append(F.cross_entropy(logits, answer))
        right.append(float((logits.argmax(1) == answer).float().mean()))
    return torch.stack(losses).mean(), float(np.mean(right))


if __name__ == "__main__":
    main()
