"""What hands that players gave bring: `python -m models.train.given DATASET LABELS --start RUNS`.

Trains the classifier of RUNS further, by the recipe of `models.train.classifier`, with the hands of
the folder DATASET (`tongbox export --dataset`) among what it learns from, and reads before and
after: the photographs that LABELS names, hands of the same set that are not in DATASET, and the
scenes that are never trained on, lest anything else gets worse. With `--control` it is trained as
long without these hands, too: what that brings is not theirs. What is shipped stays as it is.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from models.train.data.photos import hold_out_named, photos_by_scene
from models.train.export import export_classifier
from vision.labels import LabelledPhoto, read_labels
from vision.measure.evaluate import MeasureSummary, evaluate
from vision.measure.shares import Share
from vision.measure.summary import MEASURES
from vision.reader import Reader

FIGURES = ("named_right_base", "named_right_bonus", "right", "all_right", "unflagged")

STEPS, RATE = 400, "5e-4"
"""Some minutes of one core, at a quarter of the rate of a first training."""


def main() -> None:
    """Train, read, and print the table."""
    args = _arguments()
    after = {"after": (args.out, str(args.dataset))}
    control = {"without them": (args.out / "control", "")} if args.control else {}
    for runs, given in (control | after).values():
        if not (runs / "classifier" / "checkpoint.pt").exists():
            _train(args, runs, given)
    read = {"before": args.start} | {name: runs for name, (runs, _) in (control | after).items()}
    photos = [*read_labels(args.labels), *_guard()]
    print("| photographs | tiles | network | " + " | ".join(FIGURES) + " |")
    print("|---|---:|---|" + "---:|" * len(FIGURES))
    tables = {name: figures(photos, runs) for name, runs in read.items()}
    for group in tables["before"]:
        for name, table in tables.items():
            tiles, shares = table[group]
            print(f"| {group} | {tiles} | {name} | {' | '.join(map(_shown, shares))} |", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset", type=Path, help="a folder that players gave")
    parser.add_argument("labels", type=Path, help="hands of the same set that are held out")
    parser.add_argument("--start", type=Path, required=True, help="RUNS with classifier/")
    parser.add_argument("--out", type=Path, required=True, help="where RUNS are afterwards")
    parser.add_argument("--hold-out", type=hold_out_named, default="validation")
    parser.add_argument("--control", action="store_true", help="train without the hands, too")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--rate", default=RATE)
    parser.add_argument("--scenes", type=Path, nargs="*", default=[])
    parser.add_argument("--sets", type=Path, default=Path("var/sets"))
    return parser.parse_args()


def _train(args: argparse.Namespace, out: Path, given: str) -> None:
    command = [sys.executable, "-m", "models.train.classifier.train", "--threads", "1"]
    command += ["--hold-out", args.hold_out, "--rate", args.rate, "--steps", str(args.steps)]
    command += ["--start", str(args.start / "classifier" / "checkpoint.pt")]
    command += ["--out", str(out / "classifier"), "--sets", str(args.sets)]
    command += ["--scenes", *map(str, args.scenes)]
    named = {"TONGBOX_DATASETS": given}
    subprocess.run(command, check=True, env=os.environ | named)  # noqa: S603 — our own modules


def _guard() -> list[LabelledPhoto]:
    """Return the photographs that are never trained on, hands and single tiles apart."""
    scenes = photos_by_scene(held_out=True)
    return [
        replace(photo, group=scene if photo.kind == "photo" else "single tiles")
        for scene, photos in scenes.items()
        for photo in photos
        if photo.kind == "crop" or len(photos) > 1
    ]


Table = dict[str, tuple[int, list[Share]]]
"""How many tiles a group has, and its figures."""


def figures(photos: list[LabelledPhoto], runs: Path) -> Table:
    """Return what the classifier of RUNS, with the box's own locator, reads right."""
    with tempfile.TemporaryDirectory() as out:
        export_classifier(runs, Path(out))
        for part in ("locator.onnx", "locator.json"):
            shutil.copy(Path("models") / part, out)
        report = evaluate(photos, Reader.load(Path(out)))
    results = (*report.photos, *report.crops)
    table: Table = {}
    for group in dict.fromkeys(result.group for result in results):
        of_group = MeasureSummary(tuple(r for r in results if r.group == group))
        shares = {measure.key: measure.of(of_group) for measure in MEASURES}
        table[group] = (of_group.labelled, [shares[key] for key in FIGURES])
    return table


def _shown(share: Share) -> str:
    if share.value is None:
        return "–"
    return f"{100 * share.value:.1f} ({share.part}/{share.whole})"


if __name__ == "__main__":
    main()
