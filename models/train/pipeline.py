"""Make both networks again from seeds: `python -m models.train.pipeline [--until STAGE]`.

The recipe as a list of stages, each done once (`models.train.stages`): stopped, it goes on where it
was. `var/stages.jsonl` keeps what every stage took.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from models.train.stages import Records, Stage, StageError, format_hours, run

RUNS_FOLDER = Path("var")

SCENE_ARGUMENTS = ("--scenes", "var/tables", "var/large")


@dataclass(frozen=True, slots=True)
class Stretch:
    """One part of the training of both networks, which learn side by side, a core each."""

    name: str
    folder: str
    start: str | None
    """Folder of the stretch whose networks it goes on from; None from chance weights."""
    steps: dict[str, int]
    more: tuple[str, ...] = ()


STRETCHES = (
    Stretch("drawn", "drawn", None, {"locator": 3000, "classifier": 5000}, ("--hold-out", "all")),
    Stretch("real", "first", "drawn", {"locator": 9000, "classifier": 10500}),
    Stretch(
        "further",
        "further",
        "first",
        {"locator": 3000, "classifier": 3500},
        ("--rate", "1e-3", "--seed", "3"),
    ),
    Stretch(
        "last",
        "last",
        "further",
        {"locator": 3000, "classifier": 3500},
        ("--rate", "1e-3", "--seed", "4"),
    ),
)
"""From drawn pictures alone, on with photographs, then further twice at half the rate."""

HEAD_STEPS = {"look": 3000, "mirror": 4000}
"""What stands on the classifier's features, and its steps: the second reads the first's tables."""

FITTING_STAGES = ("fit", "own_set", "which_set")
"""What is fitted and measured on the files that are shipped."""


def main() -> None:
    """Run the stages that are not done, then say what all of them took."""
    args = _arguments()
    records = Records(RUNS_FOLDER / "stages.jsonl")
    groups = recipe(args.painted, args.large, args.sets, args.steps)
    if args.until:
        last = next(k for k, group in enumerate(groups) if args.until in {s.name for s in group})
        groups = groups[: last + 1]
    try:
        run(groups, records)
    except StageError as failed:
        sys.exit(str(failed))
    print(format_hours(records.all()))


def recipe(painted: int, large: int, sets: int, steps: int | None = None) -> list[list[Stage]]:
    """Return the stages, those of one group side by side; `steps` is for a trial of trainings."""
    return [
        [Stage("fonts", ("models/train/install-fonts",))],
        [
            _pictures("painted scenes", "compose", "var/tables", painted),
            _pictures("large scenes", "compose", "var/large", large, "--size", "1280x960"),
        ],
        [_pictures("drawn sets", "data.sets", "var/sets", sets)],
        *([_stretch(part, net, steps) for net in part.steps] for part in STRETCHES),
        [_stage("average", "average", "var", "var/first", "var/further", "var/last")],
        *([_head(name, steps)] for name in HEAD_STEPS),
        [_stage("export", "export", "var")],
        *([_stage(name, name)] for name in FITTING_STAGES),
    ]


def _stretch(part: Stretch, net: str, steps: int | None) -> Stage:
    start = ("--start", f"var/{part.start}/{net}/checkpoint.pt") if part.start else ()
    more = (*start, *part.more, "--threads", "1", *SCENE_ARGUMENTS)
    out = f"{part.folder}/{net}"
    return _learn(f"{net}, {part.name}", f"{net}.train", out, steps or part.steps[net], more)


def _head(name: str, steps: int | None) -> Stage:
    classifier = ("--classifier", "var/classifier/checkpoint.pt")
    return _learn(name, f"heads.{name}", name, steps or HEAD_STEPS[name], classifier)


def _learn(name: str, module: str, out: str, steps: int, more: tuple[str, ...]) -> Stage:
    return _stage(name, module, "--out", f"var/{out}", "--steps", str(steps), *more)


def _pictures(name: str, module: str, folder: str, count: int, *more: str) -> Stage:
    return _stage(name, module, "--out", folder, "--count", str(count), "--seed", "1", *more)


def _stage(name: str, module: str, *arguments: str) -> Stage:
    return Stage(name, (sys.executable, "-m", f"models.train.{module}", *arguments))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--painted", type=int, default=2000, help="painted scenes")
    parser.add_argument("--large", type=int, default=700, help="painted scenes at twice the size")
    parser.add_argument("--sets", type=int, default=800, help="drawn tile sets")
    parser.add_argument("--steps", type=int, help="in place of each training's own: for a trial")
    parser.add_argument("--until", help="the last stage to run")
    return parser.parse_args()


if __name__ == "__main__":
    main()
