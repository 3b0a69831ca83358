"""Average networks: `python -m models.train.average OUT RUNS RUNS...`.

The mean of a network's weights before and after further training reads better than either ("model
soups", Wortsman et al. 2022) and costs nothing when reading.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from models.train.training import load_averaged

NETWORKS = ("locator", "classifier")

State = dict[str, torch.Tensor]


def main() -> None:
    """Write OUT/locator and OUT/classifier, the means of those in the other folders."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("runs", type=Path, nargs="+")
    args = parser.parse_args()
    for network in NETWORKS:
        states = [load_averaged(runs / network / "checkpoint.pt") for runs in args.runs]
        path = args.out / network / "checkpoint.pt"
        path.parent.mkdir(parents=True, exist_ok=True)
        torch.save({"average": average_weights(states)}, path)


def average_weights(states: list[State]) -> State:
    """Return the mean of each tensor of floats; counters are the first one's."""
    first = states[0]
    return {
        name: torch.stack([state[name].float() for state in states]).mean(0)
        if tensor.dtype.is_floating_point
        else tensor
        for name, tensor in first.items()
    }


if __name__ == "__main__":
    main()
