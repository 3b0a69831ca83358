"""Shared by commands: parse numbers and ids of the command line, print answers and errors."""

from __future__ import annotations

import json
import sys

from scorer.errors import ScorerError
from scorer.score_json import problems_to_json


def write(line: str) -> None:
    """Print a line and flush it, for a reader at the end of a pipe."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class TerminalError(Exception):
    """Binary output would go to a terminal."""


def write_pdf(data: bytes) -> None:
    """Write a PDF to the standard output; raise TerminalError."""
    if sys.stdout.isatty():
        raise TerminalError("This makes a file. Say which by adding to the line: > tongbox.pdf")
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def refuse(failure: ScorerError, *, as_json: bool) -> int:
    """Print all problems; return the exit status of a failed command."""
    if as_json:
        write(json.dumps(problems_to_json(failure)))
    else:
        for problem in failure.problems:
            sys.stderr.write(f"tongbox: {problem.text}\n")
    return 1
