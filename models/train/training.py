"""What both trainings share: batches, averaged weights, the learning rate, checkpoints."""

from __future__ import annotations

import argparse
import copy
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from models.train.data.photos import parse_hold_out

MakeBatch = Callable[[np.random.Generator], dict[str, npt.NDArray[Any]]]
"""Makes one batch of named arrays, the first axis being the sample."""

AVERAGING_SHARE = 0.998
"""How slowly the averaged weights, which are the ones shipped, follow the trained ones."""

LEARNING_RATE = 2e-3
"""Learning rate from the warm-up to the decay."""

WARM_UP_STEPS = 200
"""Steps until the full learning rate is reached."""

DECAY_START_SHARE = 0.6
"""Share of the steps after which the learning rate falls, in a straight line, to nothing."""


Batch = dict[str, torch.Tensor]
Losses = Callable[[Batch], dict[str, torch.Tensor]]


class _Batches(IterableDataset[Batch]):
    def __init__(self, make: MakeBatch, seed: int) -> None:
        self.make = make
        self.seed = seed

    def __iter__(self) -> Iterator[Batch]:
        worker = get_worker_info()
        rng = np.random.default_rng((self.seed, worker.id if worker else 0))
        while True:
            yield {name: torch.from_numpy(array) for name, array in self.make(rng).items()}


def endless_batches(make: MakeBatch, seed: int) -> Iterator[Batch]:
    """Yield batches without end, made in a process of their own while the network learns."""
    return iter(DataLoader(_Batches(make, seed), batch_size=None, num_workers=1, prefetch_factor=4))


def parse_arguments(description: str | None, steps: int) -> argparse.Namespace:
    """Return the command line's choices, with the threads and the seed set by them."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--scenes", type=Path, nargs="*", default=[], help="rendered folders")
    parser.add_argument("--sets", type=Path, default=Path("var/sets"), help="drawn tile sets")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hold-out", type=parse_hold_out, default="validation")
    parser.add_argument("--start", type=Path, help="a checkpoint to begin from")
    parser.add_argument(
        "--rate", type=float, default=LEARNING_RATE, help="the highest learning rate"
    )
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    return args


def half_precision() -> torch.autocast:
    """Compute in bfloat16 within, where the processor multiplies in it: in two fifths of the time.

    Others take eight times as long in it, so they compute in float32. Weights, losses and the
    optimiser stay in float32 anywhere.
    """
    is_quick = torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=is_quick)


def load_averaged(checkpoint: Path) -> dict[str, torch.Tensor]:
    """Return the averaged weights that a checkpoint holds: the ones that are shipped."""
    weights: dict[str, torch.Tensor] = torch.load(checkpoint, weights_only=True)["average"]
    return weights


class Run:
    """A training run that can be stopped at any time and taken up again."""

    def __init__(self, net: nn.Module, args: argparse.Namespace) -> None:
        self.checkpoint = args.out / "checkpoint.pt"
        args.out.mkdir(parents=True, exist_ok=True)
        if args.start and not self.checkpoint.exists():
            net.load_state_dict(load_averaged(args.start))
        self.net = net.to(memory_format=torch.channels_last)
        self.average = copy.deepcopy(net).eval()
        self.steps = args.steps
        self.rate = args.rate
        self.step = 0
        self.optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.02)
        if self.checkpoint.exists():
            self._load(torch.load(self.checkpoint, weights_only=True))

    def learn(self, loss: torch.Tensor) -> None:
        """Take one step down the loss."""
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate * self._rate_factor()
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        self.step += 1
        self._update_average()

    def train(self, batches: Iterator[Batch], losses: Losses, *, report: int, save: int) -> None:
        """Learn to the last step, reporting and saving now and then.

        `losses` gives named figures of one batch; the one called `loss` is learned
        from, and the mean of each since the last report is printed.
        """
        start, reported_step, sums, picture_count = time.monotonic(), self.step, Counter[str](), 0
        while self.step < self.steps:
            batch = next(batches)
            self.net.train()
            figures = losses(batch)
            self.learn(figures["loss"])
            sums.update({name: figure.item() for name, figure in figures.items()})
            picture_count += len(next(iter(batch.values())))
            if self.step % report == 0:
                means = " ".join(
                    f"{n} {s / (self.step - reported_step):.4f}" for n, s in sums.items()
                )
                pace = picture_count / (time.monotonic() - start)
                print(f"step {self.step} {means} {pace:.0f} samples/s", flush=True)
                start, reported_step, sums, picture_count = (
                    time.monotonic(),
                    self.step,
                    Counter[str](),
                    0,
                )
            if self.step % save == 0 or self.step == self.steps:
                self.save()

    def save(self) -> None:
        """Write the checkpoint whole, or leave the old one."""
        state = {
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
        }
        part = self.checkpoint.with_suffix(".part")
        torch.save(state, part)
        part.replace(self.checkpoint)

    def _load(self, state: dict[str, Any]) -> None:
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.step = state["step"]

    def _rate_factor(self) -> float:
        share_done = self.step / self.steps
        falling = (
            (1 - share_done) / (1 - DECAY_START_SHARE) if share_done > DECAY_START_SHARE else 1.0
        )
        return max(0.01, min(1.0, (self.step + 1) / WARM_UP_STEPS, falling))

    def _update_average(self) -> None:
        keep = min(AVERAGING_SHARE, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            averages, weights = self.average.state_dict(), self.net.state_dict()
            for name, tensor in averages.items():
                if tensor.dtype.is_floating_point:
                    tensor.mul_(keep).add_(weights[name], alpha=1 - keep)
                else:
                    tensor.copy_(weights[name])
