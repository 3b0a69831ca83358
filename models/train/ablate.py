"""Measure what each part of the drawn faces brings: `python -m models.train.ablate RUNS`.

A classifier is trained again and again from drawn tiles alone, with the same seed and steps, each
time without a part of the drawing. It names the labelled tiles of all photographs, none of which it
has seen. RUNS/sets holds the drawn sets. RUNS/ablate keeps what was trained and counted, so that a
stopped run goes on. The table of all that was counted there is in `models/ablation.md`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from models.train.ablate_faces import ALL_FACES, FACE_LESSONS
from models.train.ablate_table import Trial, publish
from models.train.classifier.net import Classifier
from models.train.data.photos import photos_by_scene
from models.train.data.scenes import read_rgb
from models.train.data.sets import draw_sets
from models.train.heads.net import load_classifier
from scorer.tiles import CODES
from vision.measure.summary import face_kind
from vision.preprocess import LABELS, RGB, straighten, to_input

DEFAULT_STEPS = 5000
"""As long as the recipe trains from drawn pictures alone."""

Counts = dict[str, dict[str, tuple[int, int]]]
"""File name of a photograph, then kind of face, to a count and its total."""

CROPS_PER_RUN = 64

_CODE_PLACES = [LABELS.index(code) for code in CODES]


def main() -> None:
    """Train and count what is missing, then write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--seeds", type=int, nargs="*", default=[1])
    parser.add_argument("--steps", type=int, default=DEFAULT_STEPS)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    bench = Bench(args.runs, args.steps, args.threads)
    for trial in (trial for seed in args.seeds for trial in bench.trials(seed)):
        bench.run(trial)
    publish([*FACE_LESSONS], bench.counted(), args.steps, len([*bench.sets.glob("*.npz")]))


@dataclass(frozen=True, slots=True)
class Bench:
    """The folder where trainings lie, how long they are and on how many threads they run."""

    runs: Path
    steps: int
    threads: int

    @property
    def sets(self) -> Path:
        """The drawn sets of the recipe."""
        return self.runs / "sets"

    @property
    def _folder(self) -> Path:
        return self.runs / "ablate" / f"faces-{self.steps}"

    def trials(self, seed: int) -> Iterator[Trial]:
        """Yield the trainings of a seed, one for each lesson."""
        for lesson in FACE_LESSONS:
            yield Trial(lesson, seed, self._folder / f"seed-{seed}" / _file_name(lesson))

    def counted(self) -> list[Trial]:
        """Return the trainings of which something was counted, whatever their seed."""
        seeds = sorted(int(f.name.removeprefix("seed-")) for f in self._folder.glob("seed-*"))
        return [trial for seed in seeds for trial in self.trials(seed) if trial.counted]

    def run(self, trial: Trial) -> None:
        """Train and count, unless that is done."""
        if trial.counted:
            return
        command = [sys.executable, "-m", "models.train.classifier.train", "--scenes"]
        command += ["--out", str(trial.folder / "classifier"), "--steps", str(self.steps)]
        command += ["--seed", str(trial.seed), "--hold-out", "all"]
        command += ["--threads", str(self.threads), "--sets", str(self._sets(trial.lesson))]
        subprocess.run(command, check=True)  # noqa: S603 — our own modules, our own arguments
        counts = count_named(load_classifier(trial.folder / "classifier" / "checkpoint.pt"))
        trial.counts.write_text(json.dumps(counts), encoding="utf-8")
        print(f"seed {trial.seed}, {trial.lesson}", flush=True)

    def _sets(self, lesson: str) -> Path:
        """Return the folder of the drawn sets for a lesson; draw them if they are missing."""
        if lesson == ALL_FACES:
            return self.sets
        folder = self.runs / "ablate" / "sets" / _file_name(lesson)
        draw_sets(folder, len([*self.sets.glob("*.npz")]), 1, FACE_LESSONS[lesson])
        return folder


def _file_name(lesson: str) -> str:
    return lesson.replace(",", "").replace(" ", "-")


def count_named(net: Classifier) -> Counts:
    """Count the labelled tiles named rightly, cut out by their labels: no locator has a say."""
    counts: Counts = {}
    scenes = photos_by_scene(held_out=True, hold_out="all")
    for photo in (photo for photos in scenes.values() for photo in photos):
        rgb = read_rgb(photo.path)
        tiles = [tile for tile in photo.tiles if tile.code in CODES]
        if tiles:
            names = _name_crops(net, [straighten(rgb, _turn_upright(tile.quad)) for tile in tiles])
            of_photo = counts.setdefault(photo.path.name, {})
            for tile, name in zip(tiles, names, strict=True):
                right, whole = of_photo.get(face_kind(tile.code), (0, 0))
                of_photo[face_kind(tile.code)] = (right + (name == tile.code), whole + 1)
    return counts


def _name_crops(net: Classifier, crops: list[RGB]) -> list[str]:
    """Return the likeliest of the 42 names for each crop."""
    names: list[str] = []
    for start in range(0, len(crops), CROPS_PER_RUN):
        with torch.inference_mode():
            faces, _ = net(
                torch.from_numpy(to_input(np.stack(crops[start : start + CROPS_PER_RUN])))
            )
        names += [CODES[int(best)] for best in faces[:, _CODE_PLACES].argmax(1)]
    return names


def _turn_upright(quad: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the quad (4, 2) begun where its first two corners span a short side."""
    wide, high = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])
    return np.roll(quad, 1, axis=0) if wide > high else quad


if __name__ == "__main__":
    main()
