"""Make the networks: `python -m models.train.pipeline [--further] [--until STAGE]`.

What is shipped is made of weights that the repository holds. With `--further` both networks first
learn a little more, from pictures made anew from seeds. Then the mean of before and after is taken.

The recipe is a list of stages (`models.train.stages`). With `--further` each is done once: stopped,
it goes on where it was. `var/stages.jsonl` keeps what every stage took.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from models.train.stages import Records, Stage, StageError, format_hours, run

RUNS_FOLDER = Path("var")

START = "models/train/start/{kind}-{net}.pt"
"""Averaged weights of earlier trainings, which the repository holds."""

STEPS = {"locator": 2000, "classifier": 2000}
"""Of each network's further training, from the weights of `START`."""

FURTHER_ARGUMENTS = (
    *("--rate", "8e-4", "--seed", "3", "--threads", "1"),
    *("--scenes", "var/tables", "var/large"),
)

HEAD_STEPS = {"look": 3000, "mirror": 4000}
"""What stands on the classifier's features, and its steps: the second reads the first's tables."""

PRINT_NET = "signs"
"""It learns no further here: its teacher's file is fetched by hand (models/train/README.md)."""

FITTING_STAGES = ("fit", "own_set", "which_set")
"""What is fitted and measured on the files that are shipped."""


def main() -> None:
    """Run the stages that are not done, then say what all of them took."""
    args = _arguments()
    record_file = RUNS_FOLDER / ("stages.jsonl" if args.further else "shipped.jsonl")
    if not args.further:
        record_file.unlink(missing_ok=True)  # some minutes, and what is in models/ may be another's
    records = Records(record_file)
    groups = recipe(args.painted, args.large, args.sets, args.steps, further=args.further)
    if args.until:
        last = next(k for k, group in enumerate(groups) if args.until in {s.name for s in group})
        groups = groups[: last + 1]
    try:
        run(groups, records)
    except StageError as error:
        sys.exit(str(error))
    print(format_hours(records.all()))


def recipe(
    painted_count: int, large: int, sets: int, steps: int | None = None, *, further: bool
) -> list[list[Stage]]:
    """Return the stages, those of one group side by side; `steps` is for a trial of trainings."""
    return [
        *(_learn_further(painted_count, large, sets, steps) if further else [_shipped_weights()]),
        [_stage("export", "export", "var")],
        *([_stage(name, name)] for name in FITTING_STAGES),
    ]


def _shipped_weights() -> list[Stage]:
    """Return what unpacks the weights of the networks and their heads."""
    return [_average(net, _start(net)) for net in (*STEPS, *HEAD_STEPS, PRINT_NET)]


def _learn_further(
    painted_count: int, large: int, sets: int, steps: int | None
) -> list[list[Stage]]:
    return [
        [Stage("fonts", ("models/train/drawing/install-fonts",))],
        [
            _pictures("painted scenes", "drawing.compose", "var/tables", painted_count),
            _pictures("large scenes", "drawing.compose", "var/large", large, "--size", "1280x960"),
        ],
        [_pictures("drawn sets", "drawing.sets", "var/sets", sets)],
        [_further(net, steps) for net in STEPS],
        [
            *(_average(net, _start(net), f"var/further/{net}/checkpoint.pt") for net in STEPS),
            _average(PRINT_NET, _start(PRINT_NET)),
        ],
        *([_head(name, steps)] for name in HEAD_STEPS),
    ]


def _start(net: str) -> str:
    return START.format(kind="real", net=net)


def _further(net: str, steps: int | None) -> Stage:
    """Return the training of one network, of one core, from its start."""
    extra_arguments = ("--start", _start(net), *FURTHER_ARGUMENTS)
    return _learn(
        f"{net}, further", f"{net}.train", f"further/{net}", steps or STEPS[net], extra_arguments
    )


def _average(net: str, *checkpoints: str) -> Stage:
    return _stage(f"{net}, average", "average", f"var/{net}/checkpoint.pt", *checkpoints)


def _head(name: str, steps: int | None) -> Stage:
    classifier = ("--classifier", "var/classifier/checkpoint.pt")
    return _learn(name, f"heads.{name}", name, steps or HEAD_STEPS[name], classifier)


def _learn(
    name: str, module: str, out_folder: str, steps: int, extra_arguments: tuple[str, ...]
) -> Stage:
    return _stage(
        name, module, "--out", f"var/{out_folder}", "--steps", str(steps), *extra_arguments
    )


def _pictures(name: str, module: str, folder: str, count: int, *extra_arguments: str) -> Stage:
    return _stage(
        name, module, "--out", folder, "--count", str(count), "--seed", "1", *extra_arguments
    )


def _stage(name: str, module: str, *arguments: str) -> Stage:
    return Stage(name, (sys.executable, "-m", f"models.train.{module}", *arguments))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--further", action="store_true", help="learn further first")
    parser.add_argument("--painted", type=int, default=2000, help="painted scenes")
    parser.add_argument("--large", type=int, default=700, help="painted scenes at twice the size")
    parser.add_argument("--sets", type=int, default=800, help="drawn tile sets")
    parser.add_argument("--steps", type=int, help="in place of each training's own: for a trial")
    parser.add_argument("--until", help="the last stage to run")
    return parser.parse_args()


if __name__ == "__main__":
    main()
