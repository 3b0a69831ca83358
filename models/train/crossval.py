"""Cross-validate: `python -m models.train.crossval RUNS --scenes DIR...`.

For every fold of scenes, networks start from drawn pictures alone (`start/drawn-*`). They learn for
a short while from the photographs of all other folds and read the fold's own. So every photograph
is read once by networks that saw neither it nor its table nor its tile set. RUNS/fold-N holds each
fold's networks and report. The table goes into `models/cross_validation.md` and the cards.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from models.train.crossval_table import publish, tabulate
from models.train.data.photos import FOLDS, photos_by_scene
from models.train.export import export_both
from models.train.pipeline import START
from vision.measure.evaluate import evaluate
from vision.reader import Reader

FOLD_STEPS = {"locator": 2000, "classifier": 3000}
"""How long each fold's networks learn from photographs: a fraction of the shipped ones' time."""

LEARNING_RATE = "1e-3"

CARDS = [Path("models") / f"{network}.json" for network in FOLD_STEPS]

INTRODUCTION = f"""\
# Every photograph read by networks that never saw its table

Four times over, the networks learned from the photographs of other tables and sets and read those
left out (`make crossval`). They began from drawn pictures alone. From photographs they learned
for {FOLD_STEPS["locator"]:,} and {FOLD_STEPS["classifier"]:,} steps, a fraction of the time that
the shipped ones took. So the figures say what the recipe does on sets it never saw; the shipped
networks do better.
Shares in per cent, with 95 % intervals.

"""


def main() -> None:
    """Train and measure what is missing, then write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--scenes", type=Path, nargs="*", default=[])
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    names = [f"fold-{number}" for number in range(1, len(FOLDS) + 1)]
    for name in names:
        if not (args.runs / name / "report.json").exists():
            for network in FOLD_STEPS:
                _train(network, name, args)
            _measure(name, args.runs / name)
    reports = [json.loads((args.runs / name / "report.json").read_text()) for name in names]
    publish(tabulate(reports), CARDS, INTRODUCTION)


def _train(network: str, fold: str, args: argparse.Namespace) -> None:
    module = f"models.train.{network}.train"
    command = [sys.executable, "-m", module, "--hold-out", fold, "--rate", LEARNING_RATE]
    command += ["--out", str(args.runs / fold / network), "--steps", str(FOLD_STEPS[network])]
    command += ["--start", START.format(kind="drawn", net=network)]
    command += ["--threads", str(args.threads), "--scenes", *map(str, args.scenes)]
    subprocess.run(command, check=True)  # noqa: S603 — our own modules, our own arguments


def _measure(fold: str, folder: Path) -> None:
    export_both(folder, folder)
    scenes = photos_by_scene(wants_held_out=True, hold_out=fold)
    photos = [
        replace(photo, group=scene) for scene, of_scene in scenes.items() for photo in of_scene
    ]
    report = evaluate(photos, Reader.load(folder)).to_json()
    del report["errors"]
    (folder / "report.json").write_text(json.dumps(_round_floats(report)), encoding="utf-8")


def _round_floats(value: Any) -> Any:  # noqa: ANN401 — whatever JSON holds
    if isinstance(value, dict):
        return {key: _round_floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_round_floats(item) for item in value]
    return round(value, 4) if isinstance(value, float) else value


if __name__ == "__main__":
    main()
