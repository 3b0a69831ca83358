"""What the commands have in common: how they answer, and how they refuse."""

from __future__ import annotations

import json
import sys

from scorer.contract import problems_to_json
from scorer.errors import ScorerError


def write(line: str) -> None:
    """Print a line at once, for whoever reads us through a pipe."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class TerminalError(Exception):
    """What cannot be shown on a terminal would be."""


def write_pdf(data: bytes) -> None:
    """Write a file for whoever asked for it; raise TerminalError."""
    if sys.stdout.isatty():
        raise TerminalError("This makes a file. Say which by adding to the line: > tongbox.pdf")
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def refuse(failure: ScorerError, *, as_json: bool) -> int:
    """Say everything that is wrong; return the exit status of a command that could not do it."""
    if as_json:
        write(json.dumps(problems_to_json(failure)))
    else:
        for problem in failure.problems:
            sys.stderr.write(f"tongbox: {problem.text}\n")
    return 1
