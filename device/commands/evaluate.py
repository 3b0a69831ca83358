"""`tongbox evaluate`: how well labelled photographs are read."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from device.commands.read import Subparsers
from vision.errors import ModelError, PhotoError
from vision.labels import read_labels


def add_parser(commands: Subparsers[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser("evaluate", help="measure readings against labels")
    parser.add_argument("labels", metavar="LABELS.jsonl", type=Path)
    parser.add_argument(
        "--photos", metavar="DIR", type=Path, help="where the photographs are (beside the labels)"
    )
    parser.add_argument("--worst", type=int, default=0, help="name this many photos read worst")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read every labelled photograph and print the figures."""
    from vision.evaluate import evaluate  # loads onnxruntime, as in `tongbox read`
    from vision.read import Reader

    try:
        report = evaluate(read_labels(args.labels, args.photos), Reader.load())
    except (ModelError, PhotoError, OSError, ValueError) as error:
        sys.stderr.write(f"tongbox: {error}\n")
        return 1
    sys.stdout.write("\n".join(report.lines()) + "\n")
    by_errors = sorted(report.photos, key=lambda r: r.right - r.labelled - r.invented)
    for result in by_errors[: args.worst]:
        sys.stdout.write(
            f"{result.file}: {result.labelled} labelled, {result.found} found, "
            f"{result.right} right, {result.invented} invented\n"
        )
    return 0
