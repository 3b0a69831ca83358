"""Make both networks again from seeds: `python -m models.train.pipeline [--until STAGE]`.

The recipe as a list of stages, each done once (`models.train.stages`): stopped, it goes on where it
was. `var/stages.jsonl` keeps what every stage took.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from models.train.stages import Records, Stage, StageError, hours, run

RUNS = Path("var")

SCENES = ("--scenes", "var/scenes", "var/tables", "var/large")


def main() -> None:
    """Run the stages that are not done, then say what all of them took."""
    args = _arguments()
    records = Records(RUNS / "stages.jsonl")
    groups = recipe(args.traced, args.painted, args.large, args.sets, args.steps)
    if args.until:
        last = next(k for k, group in enumerate(groups) if args.until in {s.name for s in group})
        groups = groups[: last + 1]
    try:
        run(groups, records)
    except StageError as failed:
        sys.exit(str(failed))
    print(hours(records.all()))


def recipe(
    traced: int, painted: int, large: int, sets: int, steps: int | None = None
) -> list[list[Stage]]:
    """Return the stages, those of one group side by side; `steps` is for a trial of all trainings.

    Pictures first, drawn by one core each; then both networks from drawn pictures alone, on with
    photographs, further at half the rate, and averaged; then the heads that stand on the
    classifier's features; then the files that are shipped, and what is fitted and measured on them.
    """

    def learn(name: str, network: str, out: str, count: int, *more: str) -> Stage:
        size = str(steps or count)
        return _stage(name, f"{network}.train", "--out", f"var/{out}", "--steps", size, *more)

    def on(network: str, stretch: str) -> tuple[str, ...]:
        return "--start", f"var/{stretch}/{network}/checkpoint.pt", *SCENES

    slower = ("--rate", "1e-3", "--seed", "3")
    classifier = ("--classifier", "var/classifier/checkpoint.pt")
    return [
        [Stage("fonts", ("models/train/install-fonts",))],
        [
            _pictures("traced scenes", "render", "var/scenes", traced),
            _pictures("painted scenes", "compose", "var/tables", painted),
        ],
        [
            _pictures("large scenes", "compose", "var/large", large, "--size", "1280x960"),
            _pictures("drawn sets", "data.sets", "var/sets", sets),
        ],
        [learn("locator, drawn", "locator", "drawn/locator", 3000, "--hold-out", "all", *SCENES)],
        [
            learn(
                "classifier, drawn",
                "classifier",
                "drawn/classifier",
                5000,
                "--hold-out",
                "all",
                *SCENES,
            )
        ],
        [learn("locator, real", "locator", "first/locator", 6000, *on("locator", "drawn"))],
        [
            learn(
                "classifier, real",
                "classifier",
                "first/classifier",
                8000,
                *on("classifier", "drawn"),
            )
        ],
        [
            learn(
                "locator, further",
                "locator",
                "further/locator",
                2200,
                *slower,
                *on("locator", "first"),
            )
        ],
        [
            learn(
                "classifier, further",
                "classifier",
                "further/classifier",
                2300,
                *slower,
                *on("classifier", "first"),
            )
        ],
        [_stage("average", "average", "var", "var/first", "var/further")],
        [learn("look", "look", "look", 3000, *classifier)],
        [learn("mirror", "mirror", "mirror", 4000, *classifier)],
        [_stage("export", "export", "var")],
        [_stage("fit", "fit")],
        [_stage("own set", "own_set")],
        [_stage("which set", "which_set")],
    ]


def _pictures(name: str, module: str, folder: str, count: int, *more: str) -> Stage:
    return _stage(name, module, "--out", folder, "--count", str(count), "--seed", "1", *more)


def _stage(name: str, module: str, *arguments: str) -> Stage:
    return Stage(name, (sys.executable, "-m", f"models.train.{module}", *arguments))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traced", type=int, default=1000, help="scenes of the ray tracer")
    parser.add_argument("--painted", type=int, default=1500, help="scenes of the painter")
    parser.add_argument("--large", type=int, default=500, help="painted scenes at twice the size")
    parser.add_argument("--sets", type=int, default=320, help="drawn tile sets")
    parser.add_argument("--steps", type=int, help="in place of each training's own: for a trial")
    parser.add_argument("--until", help="the last stage to run")
    return parser.parse_args()


if __name__ == "__main__":
    main()
