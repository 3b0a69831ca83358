"""Average networks: `python -m models.train.average OUT CHECKPOINT CHECKPOINT...`.

The mean of a network's weights before and after further training reads better than either ("model
soups", Wortsman et al. 2022) and costs nothing when reading.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from models.train.training import load_averaged

State = dict[str, torch.Tensor]


def main() -> None:
    """Write the checkpoint OUT, the mean of the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    args = parser.parse_args()
    args.out.parent.mkdir(parents=True, exist_ok=True)
    states = [load_averaged(checkpoint) for checkpoint in args.checkpoints]
    torch.save({"average": average_weights(states)}, args.out)


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
