"""Draw sets, once: `python -m models.train.drawing.sets --out DIR --count N --seed S`.

Drawing a set takes half a second, and every training needs hundreds of them.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from models.train.drawing.faces.bank import training_banks
from models.train.drawing.flat_tiles import Faces, shrink_faces


def main() -> None:
    """Draw the sets that are missing: a stopped run goes on where it was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for NNNNN.npz")
    parser.add_argument("--count", type=int, required=True, help="how many sets in all")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    draw_sets(args.out, args.count, args.seed)


def draw_sets(folder: Path, count: int, seed: int) -> None:
    """Draw the sets that a folder lacks, as the trainings are shown them."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        path = folder / f"{number:05d}.npz"
        if not path.exists():
            (bank,) = training_banks(np.random.default_rng((seed, number)), 1)
            faces: dict[str, Any] = {**shrink_faces(bank)}
            part = path.with_suffix(".part")
            with part.open("wb") as file:
                np.savez_compressed(file, **faces)
            part.replace(path)


def load_sets(folder: Path) -> list[Faces]:
    """Return the sets that a folder holds."""
    sets: list[Faces] = []
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as faces:
            sets.append({code: faces[code] for code in faces.files})
    return sets


if __name__ == "__main__":
    main()
