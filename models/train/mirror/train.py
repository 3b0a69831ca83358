"""Train to tell mirrored tiles: `python -m models.train.mirror.train --classifier RUN --out DIR`.

Phones' front cameras give mirror images, and mirrored tiles misread: 7 circles is named 6 circles,
9 characters 6, often surely. A small head on the finished classifier's features learns of drawn and
real tables' crops which of them are mirrored; most tiles tell a little, a hand's together tell
surely (`vision/networks/classifier.py`). What looks the same mirrored learns to say nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.train.classifier.net import Classifier
from models.train.look.features import features, trained
from models.train.look.tables import Table, drawn_tables, real_tables
from models.train.mirror.net import Mirror

STEPS, BATCH, RATE, SEED = 4000, 256, 2e-3, 1

REAL = 0.4
"""Share of a batch that is of real tables."""

DRAWN = 0.5
"""Share of a drawn table's photographs that is taken: the features must fit into memory."""

AVERAGING = 0.998


def main() -> None:
    """Train the head and write its averaged weights to OUT/checkpoint.pt."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--classifier", type=Path, required=True, help="its checkpoint")
    parser.add_argument("--sets", type=Path, default=Path("var/sets"))
    parser.add_argument("--tables", type=Path, default=Path("var/look/tables"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=STEPS)
    args = parser.parse_args()
    torch.manual_seed(SEED)
    classifier = trained(args.classifier)
    drawn = _both(classifier, drawn_tables(args.sets, args.tables, SEED), DRAWN)
    real = _both(classifier, real_tables(SEED), 1.0)
    print(f"{len(drawn)} drawn crops, {len(real)} real ones", flush=True)
    net = train([(1 - REAL, drawn), (REAL, real)], args.steps)
    args.out.mkdir(parents=True, exist_ok=True)
    torch.save({"average": net.state_dict()}, args.out / "checkpoint.pt")


def _both(classifier: Classifier, tables: Iterable[Table], share: float) -> Tensor:
    """Return the features (N, 2, 384, 5, 4) of crops as they are and mirrored.

    Half of them are turned upside down: the locator knows no way up.
    """
    found = []
    for table in tables:
        crops = table.crops[: round(share * len(table.crops))].copy()
        crops[::2] = crops[::2, ::-1, ::-1]
        both = np.stack([crops, crops[:, :, ::-1]], 1)
        found.append(features(classifier, both.reshape(-1, *both.shape[2:])))
    return torch.cat(found).unflatten(0, (-1, 2))


def train(lots: list[tuple[float, Tensor]], steps: int) -> Mirror:
    """Return the head with its averaged weights; `lots` are weights and features of crops."""
    net = Mirror()
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=0.05)
    pace = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    mean = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(AVERAGING)
    )
    told: list[tuple[float, float]] = []
    for step in range(1, steps + 1):
        picked = torch.cat(
            [lot[torch.randint(len(lot), (round(weight * BATCH),))] for weight, lot in lots]
        )
        answers = torch.tensor([0.0, 1.0]).repeat(len(picked))
        odds = net(picked.float().flatten(0, 1))
        loss = F.binary_cross_entropy_with_logits(odds, answers)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        pace.step()
        mean.update_parameters(net)
        told.append((loss.item(), float(((odds > 0) == (answers > 0)).float().mean())))
        if step % 200 == 0:
            figures = np.mean(told[-200:], 0)
            print(f"step {step} loss {figures[0]:.4f} right {figures[1]:.4f}", flush=True)
    learnt = Mirror()
    learnt.load_state_dict(mean.module.state_dict())
    return learnt


if __name__ == "__main__":
    main()
