"""Measure what each part of the drawn pictures brings: `python -m models.train.ablate RUNS`.

A network is trained again and again from the same photographs, seed and steps, each time without a
part of the drawn pictures. It reads photographs of tables and tile sets that it never saw: those of
`--hold-out` or, after drawn pictures alone, all of them. RUNS/scenes, RUNS/tables, RUNS/large and
RUNS/sets hold the drawn pictures. RUNS/ablate keeps what was trained and counted, so that a stopped
run goes on. The table of all that was counted there is `models/ablation.md`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from models.train.ablate_faces import ALL_FACES, FACE_LESSONS
from models.train.ablate_measure import count_found, count_named
from models.train.ablate_table import ExperimentTable, Trial, publish
from models.train.data.photos import parse_hold_out
from models.train.data.sets import draw_sets

SCENE_LESSONS = {
    "traced and painted": ("scenes", "tables", "large"),
    "painted alone": ("tables", "large"),
}
"""What is left of the two renderers' scenes, and their folders."""


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


SCENES_LOCATED = Experiment(
    "locator", "Scenes, for the locator", "locator", 6000, tuple(SCENE_LESSONS), ("validation",)
)
FACES_NAMED = Experiment(
    "faces", "Faces, for the classifier", "classifier", 5000, tuple(FACE_LESSONS), ("all",)
)
EXPERIMENTS = {each.key: each for each in (SCENES_LOCATED, FACES_NAMED)}


def main() -> None:
    """Train and count what is missing, then write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--seeds", type=int, nargs="*", default=[1])
    parser.add_argument("--only", choices=[*EXPERIMENTS], nargs="+", default=[*EXPERIMENTS])
    parser.add_argument("--steps", type=int, help="in place of each experiment's own")
    parser.add_argument("--hold-out", type=parse_hold_out, help="for the scenes' experiment")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    experiments = [_adjust(EXPERIMENTS[key], args) for key in args.only]
    bench = Bench(args.runs, args.threads)
    for seed in args.seeds:
        for experiment in experiments:
            for trial in bench.trials(experiment, seed):
                bench.run(experiment, trial)
    publish([bench.table(experiment) for experiment in experiments], bench.drawn)


def _adjust(experiment: Experiment, args: argparse.Namespace) -> Experiment:
    """Return the experiment with the steps and the photographs that the command line asks for."""
    scenes = experiment is SCENES_LOCATED and args.hold_out
    return replace(
        experiment,
        steps=args.steps or experiment.steps,
        hold_outs=(args.hold_out,) if scenes else experiment.hold_outs,
    )


@dataclass(frozen=True, slots=True)
class Bench:
    """The folder where trainings lie, and on how many threads they run."""

    runs: Path
    threads: int

    @property
    def drawn(self) -> str:
        """How many pictures there are to learn from, in words."""
        folders = ("scenes", "*.jpg"), ("tables", "*.jpg"), ("large", "*.jpg"), ("sets", "*.npz")
        counts = [len([*(self.runs / folder).glob(files)]) for folder, files in folders]
        return "Drawn: {} traced scenes, {} painted, {} large ones, {} sets of faces.\n".format(
            *counts
        )

    def trials(self, experiment: Experiment, seed: int) -> Iterator[Trial]:
        """Yield an experiment's trainings, those to be compared one after the other."""
        for hold_out in experiment.hold_outs:
            for lesson in experiment.lessons:
                folder = self._folder(experiment) / f"seed-{seed}" / hold_out
                yield Trial(lesson, hold_out, seed, folder / _file_name(lesson))

    def table(self, experiment: Experiment) -> ExperimentTable:
        """Return what was counted of an experiment, whatever its seeds."""
        folders = self._folder(experiment).glob("seed-*")
        seeds = sorted(int(folder.name.removeprefix("seed-")) for folder in folders)
        trials = [trial for seed in seeds for trial in self.trials(experiment, seed)]
        counted = [trial for trial in trials if trial.counted]
        return ExperimentTable(experiment.title, experiment.steps, experiment.lessons, counted)

    def run(self, experiment: Experiment, trial: Trial) -> None:
        """Train and count, unless that is done."""
        if trial.counted:
            return
        self._train(experiment, trial)
        count = count_found if experiment.network == "locator" else count_named
        trial.counts.write_text(json.dumps(count(trial.folder, trial.hold_out)), encoding="utf-8")
        print(
            f"{experiment.title}: seed {trial.seed}, {trial.hold_out}, {trial.lesson}", flush=True
        )

    def _folder(self, experiment: Experiment) -> Path:
        return self.runs / "ablate" / f"{experiment.key}-{experiment.steps}"

    def _train(self, experiment: Experiment, trial: Trial) -> None:
        command = [sys.executable, "-m", f"models.train.{experiment.network}.train"]
        command += ["--out", str(trial.folder / experiment.network)]
        command += ["--steps", str(experiment.steps), "--seed", str(trial.seed)]
        command += ["--hold-out", trial.hold_out, "--threads", str(self.threads)]
        command += ["--sets", str(self._sets(trial.lesson))]
        scenes = SCENE_LESSONS.get(trial.lesson, ())
        command += ["--scenes", *(str(self.runs / folder) for folder in scenes)]
        subprocess.run(command, check=True)  # noqa: S603 — our own modules, our own arguments

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
