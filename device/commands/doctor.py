"""`tongbox doctor`: whether the box is well, and what to do if not."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from device.commands.data import add_data
from device.commands.output import write
from device.doctor import Machine, examine, worst
from device.views.findings import Told, told

MARKS = {"ok": "ok      ", "warning": "warning ", "problem": "PROBLEM "}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.description = (
        "Checks the box and reads a photograph whose hand is known. The exit status "
        "is 1 when there is a problem; warnings leave it at 0."
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per check and line")
    add_data(parser)


def run(args: argparse.Namespace) -> int:
    """Check everything and say it, check by check; return 1 when there is a problem."""
    findings = []
    for finding in examine(Machine(args.data)):
        said = told(finding)
        write(json.dumps(asdict(said), ensure_ascii=False) if args.json else line(said))
        findings.append(finding)
    return 1 if worst(findings) == "problem" else 0


def line(finding: Told) -> str:
    """Return a finding as a person would like it."""
    advice = f"\n{' ' * len(MARKS['ok'])}{finding.do}" if finding.do else ""
    return f"{MARKS[finding.level]}{finding.title}: {finding.says}{advice}"
