"""Compare trained networks: `python -m models.train.compare RUNS... [--labels FILE]`.

Reads the held-out photographs with the networks of each folder and prints one row of Markdown for
each. A folder without a locator is read with the shipped one. FILE labels more photographs, such as
hands of a set whose players gave others. Temperature, gate and floor are those that an export
begins with; nothing is fitted.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import torch

from models.train.data.photos import VALIDATION_SCENES, photos_by_scene
from models.train.export import MODELS_FOLDER, export_classifier, export_locator
from vision.labels import LabelledPhoto, read_labels
from vision.measure.evaluate import MeasureSummary, PhotoResult, evaluate
from vision.measure.shares import Share
from vision.measure.summary import MEASURES
from vision.reader import Reader

COLUMNS = (
    "found", "invented", "named_right_base", "named_right_bonus", "right", "all_right", "unflagged",
)  # fmt: skip

Rows = dict[str, tuple[int, list[Share]]]
"""Group of photographs to its number of tiles and its share in each of COLUMNS."""


def main() -> None:
    """Read with each folder's networks and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--labels", type=Path, help="more labelled photographs to read")
    args = parser.parse_args()
    torch.set_num_threads(1)
    photos = [*(read_labels(args.labels) if args.labels else ()), *held_out_photos()]
    tables = {str(runs): measure(photos, runs) for runs in args.runs}
    print("| photographs | tiles | network | " + " | ".join(COLUMNS) + " |")
    print("|---|---:|---|" + "---:|" * len(COLUMNS))
    for group in next(iter(tables.values())):
        for name, table in tables.items():
            tiles, shares = table[group]
            print(f"| {group} | {tiles} | {name} | {' | '.join(map(_format, shares))} |")


def held_out_photos() -> list[LabelledPhoto]:
    """Return the photographs that are never trained on, hands and single tiles apart."""
    return [
        replace(photo, group=scene if photo.kind == "photo" else "single tiles")
        for scene, photos in photos_by_scene(wants_held_out=True).items()
        for photo in photos
    ]


def measure(photos: list[LabelledPhoto], runs: Path) -> Rows:
    """Return what the networks in a folder of trainings read right, group by group and in all."""
    with tempfile.TemporaryDirectory() as folder:
        export_classifier(runs, Path(folder))
        if (runs / "locator").exists():
            export_locator(runs, Path(folder))
        else:
            for part in ("locator.onnx", "locator.json"):
                shutil.copy(MODELS_FOLDER / part, folder)
        report = evaluate(photos, Reader.load(Path(folder)))
    groups: dict[str, list[PhotoResult]] = {}
    for result in (*report.photos, *report.crops):
        groups.setdefault(result.group, []).append(result)
    groups["held-out hands"] = [r for r in report.photos if r.group in VALIDATION_SCENES]
    rows = Rows()
    for group, results in groups.items():
        of_group = MeasureSummary(tuple(results))
        shares = {each.key: each.share_of(of_group) for each in MEASURES}
        rows[group] = (of_group.labelled_count, [shares[key] for key in COLUMNS])
    return rows


def _format(share: Share) -> str:
    if share.value is None:
        return "–"
    return f"{100 * share.value:.1f} ({share.part}/{share.total})"


if __name__ == "__main__":
    main()
