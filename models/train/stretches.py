"""What each stretch of the training came to: `python -m models.train.stretches RUNS`.

Reads the held-out photographs with the networks of every stretch that RUNS holds, and with their
mean, and prints a row of Markdown for each. Nothing is fitted between: temperature, gate and floor
are the cautious ones that an export begins with.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import torch

from models.train.data.photos import photos_by_scene
from models.train.export import export_both
from models.train.pipeline import STRETCHES
from vision.measure.evaluate import MeasureSummary, evaluate
from vision.measure.summary import MEASURES
from vision.reader import Reader

FIGURES = ("found", "invented", "named_right_base", "named_right_bonus", "all_right", "unflagged")


def main() -> None:
    """Print the table."""
    torch.set_num_threads(1)
    runs = Path(sys.argv[1])
    folders = {part.name: runs / part.folder for part in STRETCHES} | {"their mean": runs}
    print("| stretch | " + " | ".join(FIGURES) + " |\n|" + "---|" * (len(FIGURES) + 1))
    for name, folder in folders.items():
        if (folder / "locator" / "checkpoint.pt").exists():
            print(f"| {name} | " + " | ".join(figures(folder)) + " |", flush=True)


def figures(folder: Path) -> list[str]:
    """Return the figures of the held-out hands, in per cent, read with a folder's networks."""
    with tempfile.TemporaryDirectory() as out:
        export_both(folder, Path(out))
        reader = Reader.load(Path(out))
    photos = [photo for of_one in photos_by_scene(held_out=True).values() for photo in of_one]
    report = evaluate([photo for photo in photos if photo.kind == "photo"], reader)
    of_all = MeasureSummary(tuple(report.results))
    shares = {measure.key: measure.of(of_all).value for measure in MEASURES}
    return [f"{100 * (shares[key] or 0):.1f}" for key in FIGURES]


if __name__ == "__main__":
    main()
