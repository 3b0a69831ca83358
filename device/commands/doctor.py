"""`tongbox doctor`: check the box and say what to do about problems."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from device.commands.console import paint, write
from device.commands.store_options import add_photos, add_store
from device.doctor import Machine, examine, worst_level
from device.doctor.report import write_report
from device.store.store_url import resolve_data_folder
from device.views.box_health import FindingView, finding_view
from scorer.errors import RefusalError

LEVEL_MARKS = {"ok": "ok      ", "warning": "warning ", "problem": "PROBLEM "}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Checks the box and reads a photograph whose hand is known. The exit status "
        "is 1 when there is a problem; warnings leave it at 0."
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per check and line")
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="write all that helps to find a fault, and nothing private, to a file to send",
    )
    add_store(parser)
    add_photos(parser)


def run(args: argparse.Namespace) -> int:
    """Run every check and print it; return 1 if there is a problem."""
    folder = resolve_data_folder(args.data, args.store)
    findings, machine = [], Machine(folder, store_url=args.store, photos=args.photos)
    for finding in examine(machine):
        finding_texts = finding_view(finding)
        write(
            json.dumps(asdict(finding_texts), ensure_ascii=False)
            if args.json
            else format_finding(finding_texts)
        )
        findings.append(finding)
    if args.report:
        try:
            args.report.write_text(write_report(machine, findings), "utf-8")
        except OSError as error:
            raise RefusalError(f"{args.report} cannot be written: {error.strerror}.") from error
        sys.stderr.write(
            f"The report is in {args.report}. It is text: look it over, and send it.\n"
        )
    return 1 if worst_level(findings) == "problem" else 0


def format_finding(finding: FindingView) -> str:
    """Return a finding as readable text."""
    advice = f"\n{' ' * len(LEVEL_MARKS['ok'])}{finding.do}" if finding.do else ""
    mark = paint(LEVEL_MARKS[finding.level], finding.level)
    return f"{mark}{finding.title}: {finding.says}{advice}"
