"""Measure what each part of the drawn pictures brings: `python -m models.train.ablate RUNS`.

A network is trained again and again from the same photographs, seed and steps, each time without a
part of the drawn pictures. It reads photographs of tables and tile sets that it never saw: fold
after fold of cross-validation or, after drawn pictures alone, all of them. The trainings are short,
so only large differences show. RUNS/scenes, RUNS/tables and RUNS/sets hold the drawn pictures.
RUNS/ablate keeps what was trained and counted, so that a stopped run goes on. The table of all that
was ever counted there is `models/ablation.md`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from models.train.ablate_faces import ALL_FACES, FACE_LESSONS
from models.train.ablate_measure import count_found, count_named
from models.train.ablate_table import ExperimentTable, Trial, publish
from models.train.data.photos import FOLDS
from models.train.data.sets import draw_sets

SCENE_LESSONS = {
    "traced and painted": ("scenes", "tables"),
    "neither": (),
    "traced alone": ("scenes",),
    "painted alone": ("tables",),
}
"""What is left of the two renderers' scenes, and their folders."""

FOLD_NAMES = tuple(f"fold-{number}" for number in range(1, len(FOLDS) + 1))


@dataclass(frozen=True, slots=True)
class Experiment:
    """One network, trained without one part after the other."""

    key: str
    title: str
    network: str
    steps: int
    lessons: tuple[str, ...]
    """What is left of the drawn pictures: all of them first."""
    hold_outs: tuple[str, ...]
    start: bool = False
    """The network has learned from flat drawn tiles before, in the first of FACE_LESSONS."""


SCENES_LOCATED = Experiment(
    "locator", "Scenes, for the locator", "locator", 300, tuple(SCENE_LESSONS), FOLD_NAMES
)
FACES_NAMED = Experiment(
    "faces", "Faces, for the classifier", "classifier", 1000, tuple(FACE_LESSONS), ("all",)
)
SCENES_NAMED = Experiment(
    "classifier",
    "Scenes, for the classifier",
    "classifier",
    300,
    tuple(SCENE_LESSONS),
    FOLD_NAMES,
    True,
)
EXPERIMENTS = {each.key: each for each in (SCENES_LOCATED, SCENES_NAMED, FACES_NAMED)}


def main() -> None:
    """Train and count what is missing, then write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--seeds", type=int, nargs="*", default=[1])
    parser.add_argument("--only", choices=[*EXPERIMENTS], nargs="+", default=[*EXPERIMENTS])
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    bench = Bench(args.runs, args.threads)
    for seed in args.seeds:
        for key in args.only:
            for trial in bench.trials(EXPERIMENTS[key], seed):
                bench.run(EXPERIMENTS[key], trial)
    publish([bench.table(experiment) for experiment in EXPERIMENTS.values()], bench.drawn)


@dataclass(frozen=True, slots=True)
class Bench:
    """The folder where trainings lie, and on how many threads they run."""

    runs: Path
    threads: int

    @property
    def drawn(self) -> str:
        """How many pictures there are to learn from, in words."""
        folders = ("scenes", "*.jpg"), ("tables", "*.jpg"), ("sets", "*.npz")
        counts = [len([*(self.runs / folder).glob(files)]) for folder, files in folders]
        return "Drawn: {} traced scenes, {} painted ones, {} sets of faces.\n".format(*counts)

    def trials(self, experiment: Experiment, seed: int) -> Iterator[Trial]:
        """Yield an experiment's trainings, those to be compared one after the other."""
        for hold_out in experiment.hold_outs:
            for lesson in experiment.lessons:
                folder = self.runs / "ablate" / experiment.key / f"seed-{seed}" / hold_out
                yield Trial(lesson, hold_out, seed, folder / _file_name(lesson))

    def table(self, experiment: Experiment) -> ExperimentTable:
        """Return what was counted of an experiment, whatever its seeds."""
        folders = (self.runs / "ablate" / experiment.key).glob("seed-*")
        seeds = sorted(int(folder.name.removeprefix("seed-")) for folder in folders)
        trials = [trial for seed in seeds for trial in self.trials(experiment, seed)]
        counted = [trial for trial in trials if trial.counted]
        return ExperimentTable(experiment.title, experiment.steps, experiment.lessons, counted)

    def run(self, experiment: Experiment, trial: Trial) -> None:
        """Train and count, unless that is done."""
        if trial.counted:
            return
        self._train(experiment, trial)
        if experiment.network == "locator":
            counts = count_found(trial.folder, trial.hold_out, self._first(trial.seed))
        else:
            counts = count_named(trial.folder, trial.hold_out)
        trial.counts.write_text(json.dumps(counts), encoding="utf-8")
        print(
            f"{experiment.title}: seed {trial.seed}, {trial.hold_out}, {trial.lesson}", flush=True
        )

    def _train(self, experiment: Experiment, trial: Trial) -> None:
        command = [sys.executable, "-m", f"models.train.{experiment.network}.train"]
        command += ["--out", str(trial.folder / experiment.network)]
        command += ["--steps", str(experiment.steps), "--seed", str(trial.seed)]
        command += ["--hold-out", trial.hold_out, "--threads", str(self.threads)]
        command += ["--sets", str(self._sets(trial.lesson))]
        command += [
            "--scenes",
            *(str(self.runs / each) for each in SCENE_LESSONS.get(trial.lesson, ())),
        ]
        if experiment.start:
            start = self._first(trial.seed) / "classifier" / "checkpoint.pt"
            command += ["--start", str(start)]
        subprocess.run(command, check=True)  # noqa: S603 — our own modules, our own arguments

    def _first(self, seed: int) -> Path:
        """Return where the classifier lies that has learned from flat drawn tiles alone."""
        first = next(self.trials(FACES_NAMED, seed))
        self.run(FACES_NAMED, first)
        return first.folder

    def _sets(self, lesson: str) -> Path:
        """Return the folder of the drawn sets for a lesson; draw them if they are missing."""
        recipe = self.runs / "sets"
        if lesson == ALL_FACES or lesson not in FACE_LESSONS:
            return recipe
        folder = self.runs / "ablate" / "sets" / _file_name(lesson)
        draw_sets(folder, len([*recipe.glob("*.npz")]), 1, FACE_LESSONS[lesson])
        return folder


def _file_name(lesson: str) -> str:
    return lesson.replace(",", "").replace(" ", "-")


if __name__ == "__main__":
    main()
