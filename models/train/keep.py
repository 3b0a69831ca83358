"""Keep what later trainings may begin from: `python -m models.train.keep RUNS`.

Writes the averaged weights of RUNS/drawn and of RUNS, in half precision, to `models/train/start/`.
With `--start models/train/start/NAME.pt` a training spares itself the hours that these cost; the
`drawn` ones have met no photograph, so that every fold of a cross-validation may begin with them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

from models.train.training import averaged

NETWORKS = ("locator", "classifier", "look", "mirror")

FOLDER = Path(__file__).with_name("start")


def main() -> None:
    """Write a file for each network and stage that RUNS has."""
    runs = Path(sys.argv[1])
    FOLDER.mkdir(exist_ok=True)
    for stage, folder in {"drawn": runs / "drawn", "real": runs}.items():
        for network in NETWORKS:
            path = folder / network / "checkpoint.pt"
            if path.exists():
                halves = {name: _halved(tensor) for name, tensor in averaged(path).items()}
                torch.save({"average": halves}, FOLDER / f"{stage}-{network}.pt")


def _halved(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.half() if tensor.dtype.is_floating_point else tensor


if __name__ == "__main__":
    main()
