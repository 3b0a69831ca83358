"""The heads beside the classifier and on its features, and how each of them is trained."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.train.classifier.net import WIDTHS, Classifier
from models.train.training import AVERAGING_SHARE, load_averaged
from vision.preprocess import to_input

LOOK_NUMBERS = 128
"""Length of the vector that says how a tile looks."""

LOOK_CHANNELS, MIRROR_CHANNELS = 48, 24
"""Channels that each cell of the tile is reduced to."""

CELLS_PER_TILE = 5 * 4

CROPS_PER_RUN = 64
"""Crops that the classifier is given at once."""

TRAINING_SEED = 1

Head = TypeVar("Head", bound=nn.Module)


class Look(nn.Module):
    """Features of crops → unit vectors (N, 128), near to those of tiles that look alike."""

    def __init__(self) -> None:
        super().__init__()
        self.narrow = nn.Conv2d(4 * WIDTHS[2] + WIDTHS[3], LOOK_CHANNELS, 1)
        self.dropout = nn.Dropout(0.1)
        self.look = nn.Linear(CELLS_PER_TILE * LOOK_CHANNELS, LOOK_NUMBERS)

    def forward(self, cells: Tensor) -> Tensor:
        """Return how tiles look, from what `cells` says of them."""
        narrow = F.relu(self.narrow(cells))
        return F.normalize(self.look(self.dropout(narrow.flatten(1))), dim=1)


class Likeness(nn.Module):
    """How alike two looks must be to speak for the same face: as `prototypes` weighs it."""

    def __init__(self) -> None:
        super().__init__()
        self.sharpness = nn.Parameter(torch.tensor(3.0))
        self.neutral = nn.Parameter(torch.tensor(0.5))

    def forward(self, asked_looks: Tensor, known_looks: Tensor) -> Tensor:
        """Return (M, F + 1) logits: (M, 128) beside (F, P, 128), the last for none of them."""
        similarity = self.sharpness.exp() * (
            torch.einsum("md,fpd->mfp", asked_looks, known_looks) - self.neutral
        )
        like = torch.logsumexp(similarity, 2) - math.log(known_looks.shape[1])
        return torch.cat([like, torch.zeros(len(asked_looks), 1)], 1)


class Mirror(nn.Module):
    """Features of crops → log odds (N,) that each is a mirror image."""

    def __init__(self) -> None:
        super().__init__()
        self.narrow = nn.Conv2d(4 * WIDTHS[2] + WIDTHS[3], MIRROR_CHANNELS, 1)
        self.dropout = nn.Dropout(0.2)
        self.odds = nn.Linear(CELLS_PER_TILE * MIRROR_CHANNELS, 1)

    def forward(self, cells: Tensor) -> Tensor:
        """Return the log odds, from what `cells` says of crops."""
        narrow = F.relu(self.narrow(cells))
        odds: Tensor = self.odds(self.dropout(narrow.flatten(1)))
        return odds[:, 0]


def cells(fine: Tensor, maps: Tensor) -> Tensor:
    """Return the features (N, 384, 5, 4): both sizes, cell by cell."""
    return torch.cat([F.pixel_unshuffle(fine, 2), maps], 1)


def load_classifier(checkpoint: Path) -> Classifier:
    """Return the classifier of a checkpoint, not to be trained further."""
    classifier = Classifier()
    classifier.load_state_dict(load_averaged(checkpoint))
    classifier.eval()
    return classifier


def features(classifier: Classifier, crops: npt.NDArray[np.uint8]) -> Tensor:
    """Return what `cells` says of crops (N, CROP_HEIGHT, CROP_WIDTH, 3), in half precision."""
    with torch.no_grad():
        batches = [
            cells(*classifier.maps(torch.from_numpy(to_input(crops[k : k + CROPS_PER_RUN])))).half()
            for k in range(0, len(crops), CROPS_PER_RUN)
        ]
    return torch.cat(batches)


def paired_features(
    classifier: Classifier, crops: npt.NDArray[np.uint8], other_crops: npt.NDArray[np.uint8]
) -> Tensor:
    """Return the features (N, 2, 384, 5, 4) of crops, each beside another one."""
    pairs = np.stack([crops, other_crops], 1)
    return features(classifier, pairs.reshape(-1, *pairs.shape[2:])).unflatten(0, (-1, 2))


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a head learns."""

    steps: int
    rate: float
    decay: float
    """Weight decay."""
    max_norm: float = math.inf
    """Longest gradient; longer ones are cut."""
    report: int = 100
    """Steps from one line of figures to the next."""


def train_head(
    head: Head, extra: Iterable[nn.Parameter], step: Callable[[], tuple[Tensor, float]], pace: Pace
) -> Head:
    """Train the head and return it with its averaged weights.

    `extra` are parameters that learn beside it; `step` returns a loss and the share answered right.
    """
    weights = [*head.parameters(), *extra]
    optimiser = torch.optim.AdamW(weights, lr=pace.rate, weight_decay=pace.decay)
    falling = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, pace.steps)
    mean = torch.optim.swa_utils.AveragedModel(
        head, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(AVERAGING_SHARE)
    )
    figures: list[tuple[float, float]] = []
    for number in range(1, pace.steps + 1):
        loss, right = step()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(head.parameters(), pace.max_norm)
        optimiser.step()
        falling.step()
        mean.update_parameters(head)
        figures.append((loss.item(), right))
        if number % pace.report == 0:
            loss_mean, right_mean = np.mean(figures[-pace.report :], 0)
            print(f"step {number} loss {loss_mean:.4f} right {right_mean:.4f}", flush=True)
    head.load_state_dict(mean.module.state_dict())
    return head


def head_arguments(description: str | None, steps: int) -> argparse.Namespace:
    """Return the command line's choices, with the seed set."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--classifier", type=Path, required=True, help="its checkpoint")
    parser.add_argument("--sets", type=Path, default=Path("var/sets"))
    parser.add_argument("--tables", type=Path, default=Path("var/look/tables"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=steps)
    args = parser.parse_args()
    torch.manual_seed(TRAINING_SEED)
    return args


def save_head(head: nn.Module, folder: Path) -> None:
    """Write the head's weights to checkpoint.pt in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    torch.save({"average": head.state_dict()}, folder / "checkpoint.pt")
