"""`tongbox evaluate`: measure how well labelled photographs are read."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from device.commands.console import progress_bar, write
from device.hands.readings import PhotoReader, load_reader
from scorer.errors import RefusalError
from vision.labels import LabelledPhoto, read_labels
from vision.measure.calibration import draw_reliability
from vision.measure.evaluate import MeasureSummary, Report, check_all_open, measure_photo
from vision.measure.report import worst_line

STOPPED_STATUS = 130
"""Exit status after Ctrl-C."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "labels", metavar="LABELS.jsonl", type=Path, help="the tiles of each photo, one a line"
    )
    parser.add_argument(
        "--photos",
        metavar="DIR",
        type=Path,
        help="folder of the photographs (default: that of the labels)",
    )
    parser.add_argument(
        "--montage", metavar="DIR", type=Path, help="write pictures of the errors into this folder"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object with everything")
    parser.add_argument(
        "--worst", metavar="N", type=int, default=0, help="list this many of the worst photos"
    )


def run(args: argparse.Namespace, reader: PhotoReader | None = None) -> int:
    """Read every labelled photograph and print the figures; return the exit status.

    Stopped with Ctrl-C, print the figures so far.
    """
    report = Report()
    is_stopped = False
    try:
        if args.montage:  # fail before the slow reading, not after it
            args.montage.mkdir(parents=True, exist_ok=True)
        photos = list(read_labels(args.labels, args.photos))
        check_all_open(photos)
        is_stopped = _measure(photos, reader or load_reader(), report)
    except FileNotFoundError as error:
        raise RefusalError(f"There is no file {error.filename}. Please check the name.") from error
    except UnicodeDecodeError as error:
        raise RefusalError(f"{args.labels} is no text, so it has no labels.") from error
    except OSError as error:
        raise RefusalError(f"{error.filename} cannot be used: {error.strerror}.") from error
    except ValueError as error:
        raise RefusalError(error) from error
    if is_stopped:
        count = len(report.photos) + len(report.crops)
        sys.stderr.write(f"tongbox: Stopped after {count} of {len(photos)} photographs.\n")
        if not count:
            return STOPPED_STATUS
    _write_figures(report, args)
    if args.montage:
        try:
            _write_pictures(report, args.montage)
        except OSError as error:
            raise RefusalError(error) from error
    return STOPPED_STATUS if is_stopped else 0


def _measure(photos: Sequence[LabelledPhoto], reader: PhotoReader, report: Report) -> bool:
    """Add the photographs to the report; return whether Ctrl-C stopped it before the end."""
    progress = progress_bar("Measure", "photos")
    try:
        for photo in progress(photos):
            measure_photo(photo, reader, report)
    except KeyboardInterrupt:
        return True
    return False


def _write_figures(report: Report, args: argparse.Namespace) -> None:
    worst = report.worst(args.worst)
    if args.json:
        files = [str(result.path) for result in worst]
        write(json.dumps({**report.to_json(), "worst": files}))
    else:
        write("\n".join([*report.lines(), *map(worst_line, worst)]))


def _write_pictures(report: Report, folder: Path) -> None:
    from vision.measure.montage import write_montages  # loads OpenCV, which `tongbox score` lacks

    kinds = {"Photographs of hands": report.photos, "Single tiles": report.crops}
    summaries = [
        (name, MeasureSummary(tuple(results))) for name, results in kinds.items() if results
    ]
    panels = [(name, s.calibration_error, s.reliability) for name, s in summaries]
    (folder / "reliability.svg").write_text(draw_reliability(panels), encoding="utf-8")
    write_montages(report.photos + report.crops, folder)
