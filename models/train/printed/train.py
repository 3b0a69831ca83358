"""Teach the small network that reads print: `python -m models.train.printed.train --out DIR`.

It learns the answers that `models.train.printed.teach` and `box_windows` wrote.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.train.printed.net import PrintNet
from models.train.training import Batch, Run, endless_batches, half_precision, parse_arguments
from vision.networks.print_reader import NUMERAL_INDEXES

SHARDS_FOLDERS = {Path("var/print-windows"): 1, Path("var/print-used"): 2}
"""Folders of shards, of `teach` and `box_windows`, and how often each of their shards is drawn."""

BATCH_SIZE = 96
STRIP_BATCH_SIZE = 12
DEFAULT_STEPS = 12000
STEP_WEIGHT = 0.2
"""Weight of every step's answer in a window, beside what the box makes of all of them: which step
says a sign matters little."""

PEAK_WEIGHT, STRIP_WEIGHT = 0.5, 0.6
"""Weight of how likely a sign is anywhere in a strip, where its step matters to words, and of
strips."""

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
    shards = ShardBatches(SHARDS_FOLDERS)
    batches = endless_batches(shards.draw, args.seed + run.step)
    run.train(batches, lambda batch: _losses(run.net, batch), report=100, save=500)


class ShardBatches:
    """Draws batches from folders of shards, which may still be growing."""

    def __init__(self, folders: Mapping[Path, int]) -> None:
        self._folders = folders
        self._shard: dict[str, npt.NDArray[Any]] = {}
        self._left = 0

    def draw(self, rng: np.random.Generator) -> dict[str, npt.NDArray[Any]]:
        """Return windows and strips with their answers."""
        if not self._left:
            paths = [
                path
                for folder, share in self._folders.items()
                for path in sorted(folder.glob("*.npz")) * share
            ]
            with np.load(paths[int(rng.integers(len(paths)))]) as shard:
                self._shard = {name: shard[name] for name in shard.files}
            self._left = SHARD_BATCHES
        self._left -= 1
        batch: dict[str, npt.NDArray[Any]] = {}
        for kind, size in (("window", BATCH_SIZE), ("strip", STRIP_BATCH_SIZE)):
            pictures = self._shard[f"{kind}s"]
            places = rng.choice(len(pictures), size, replace=len(pictures) < size)
            batch[f"{kind}s"] = pictures[places]
            batch[f"{kind}_answers"] = self._shard[f"{kind}_answers"][places]
        return batch


def _losses(net: nn.Module, batch: Batch) -> dict[str, Tensor]:
    windows = _distance(net, batch["windows"], batch["window_answers"])
    strips = _distance(net, batch["strips"], batch["strip_answers"])
    loss = STEP_WEIGHT * windows["step"] + windows["peak"] + windows["numeral"]
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
    chances = log_chances.exp()
    own_peaks, peaks = chances.amax(1)[:, :-1], answers.amax(1)[:, :-1]
    from_left = _entropy(_first_numerals(chances), _first_numerals(answers))
    from_right = _entropy(_first_numerals(chances.flip(1)), _first_numerals(answers.flip(1)))
    return {
        "step": step,
        "peak": _entropy(own_peaks, peaks),
        "numeral": from_left + from_right,
        "far": ((own_peaks - peaks).abs().amax(1) > FAR_CHANCE).float().mean(),
    }


def _entropy(own_chances: Tensor, chances: Tensor) -> Tensor:
    """Return the cross entropy of signs (N, S), a picture."""
    own_chances, chances = own_chances.clamp(1e-5, 1 - 1e-5), chances.clamp(0, 1)
    return F.binary_cross_entropy(own_chances, chances, reduction="sum") / len(chances)


def _first_numerals(chances: Tensor) -> Tensor:
    """Return the chance (N, 18) that each numeral comes first, as the box reckons it."""
    numerals = chances[..., NUMERAL_INDEXES]
    no_mark_chances = (1 - numerals.sum(2)).clamp(1e-4, 1).cumprod(1)
    before = F.pad(no_mark_chances[:, :-1], (1, 0), value=1.0)
    return (numerals * before[..., None]).sum(1)


FAR_CHANCE = 0.25
"""A window is read otherwise where a sign's highest chance differs by more."""

if __name__ == "__main__":
    main()
