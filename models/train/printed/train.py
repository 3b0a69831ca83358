"""Teach the small network that reads print: `python -m models.train.printed.train --out DIR`.

It learns what its teacher answers to the windows and strips of `models.train.printed.teach`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.train.printed.net import PrintNet
from models.train.training import Batch, Run, endless_batches, half_precision, parse_arguments

SHARDS_FOLDER = Path("var/print-windows")

BATCH_SIZE = 96
STRIP_BATCH_SIZE = 12
DEFAULT_STEPS = 12000
PEAK_WEIGHT = 0.5
"""Weight of how likely a sign is anywhere in a window, beside that of every step: which step says
it matters little."""

STRIP_WEIGHT = 0.3

SIGN_WEIGHT = 4.0
"""How much more a step counts where its teacher sees a sign: most show none."""

SHARD_BATCHES = 10
"""Batches drawn from one shard before the next is read."""

MAX_GAIN, MAX_BIAS = 0.15, 0.08
"""How far a window's contrast and light are changed; its teacher would say the same."""


def main() -> None:
    """Train, or go on training, and save now and then."""
    args = parse_arguments(__doc__, DEFAULT_STEPS)
    run = Run(PrintNet(), args)
    shards = ShardBatches(SHARDS_FOLDER)
    batches = endless_batches(shards.draw, args.seed + run.step)
    run.train(batches, lambda batch: _losses(run.net, batch), report=100, save=500)


class ShardBatches:
    """Draws batches from a folder of shards, which may still be growing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._shard: dict[str, npt.NDArray[Any]] = {}
        self._left = 0

    def draw(self, rng: np.random.Generator) -> dict[str, npt.NDArray[Any]]:
        """Return windows and strips with their answers."""
        if not self._left:
            paths = sorted(self._folder.glob("*.npz"))
            with np.load(paths[int(rng.integers(len(paths)))]) as shard:
                self._shard = {name: shard[name] for name in shard.files}
            self._left = SHARD_BATCHES
        self._left -= 1
        batch: dict[str, npt.NDArray[Any]] = {}
        for kind, size in (("window", BATCH_SIZE), ("strip", STRIP_BATCH_SIZE)):
            pictures = self._shard[f"{kind}s"]
            places = rng.choice(len(pictures), size, replace=False)
            batch[f"{kind}s"] = pictures[places]
            batch[f"{kind}_answers"] = self._shard[f"{kind}_answers"][places]
        return batch


def _losses(net: nn.Module, batch: Batch) -> dict[str, Tensor]:
    windows = _distance(net, batch["windows"], batch["window_answers"])
    strips = _distance(net, batch["strips"], batch["strip_answers"])
    loss = windows["step"] + PEAK_WEIGHT * windows["peak"]
    loss = loss + STRIP_WEIGHT * (strips["step"] + PEAK_WEIGHT * strips["peak"])
    return {"loss": loss, "strip": strips["step"], **windows}


def _distance(net: nn.Module, pictures: Tensor, answers: Tensor) -> dict[str, Tensor]:
    """Return how far the net is from its teacher: at each step, at its peaks, in its best sign."""
    inputs = pictures.permute(0, 3, 1, 2).float() / 255
    gain = 1 + MAX_GAIN * (2 * torch.rand(len(inputs), 1, 1, 1) - 1)
    bias = MAX_BIAS * (2 * torch.rand(len(inputs), 3, 1, 1) - 1)
    inputs = (inputs * gain + bias).clamp(0, 1).contiguous(memory_format=torch.channels_last)
    with half_precision():
        logits = net(inputs)
    log_chances = F.log_softmax(logits.float(), 2)
    answers = answers.float()
    divergence = (answers * (answers.clamp_min(1e-6).log() - log_chances)).sum(2)
    step = (divergence * (1 + SIGN_WEIGHT * (1 - answers[..., -1]))).mean()
    own_peaks, peaks = log_chances.exp().amax(1)[:, :-1], answers.amax(1)[:, :-1]
    own_peaks, peaks = own_peaks.clamp(1e-5, 1 - 1e-5), peaks.clamp(0, 1)
    peak = F.binary_cross_entropy(own_peaks, peaks, reduction="sum")
    return {
        "step": step,
        "peak": peak / len(inputs),
        "far": ((own_peaks - peaks).abs().amax(1) > FAR_CHANCE).float().mean(),
    }


FAR_CHANCE = 0.25
"""A window is read otherwise where a sign's highest chance differs by more."""

if __name__ == "__main__":
    main()
