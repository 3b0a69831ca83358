"""What the commands have in common: how they answer, line by line, and how they refuse."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from typing import Any

from scorer.contract import problems_to_json
from scorer.errors import HandError, ScorerError, error
from scorer.message import plain


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


def answer_lines(lines: Iterable[bytes], answer: Callable[[object], dict[str, Any]]) -> None:
    """Print one line of JSON for every line of JSON: the answer, or the problems with it."""
    for line in lines:
        write(json.dumps(_answered(line, answer)))


def _answered(line: bytes, answer: Callable[[object], dict[str, Any]]) -> dict[str, Any]:
    try:
        return answer(json.loads(line))
    except ScorerError as failure:
        return problems_to_json(failure)
    except (ValueError, RecursionError) as failure:  # all that json.loads has against a line
        problem = error("bad-json", plain(f"This line is not JSON: {failure}."))
        return problems_to_json(HandError((problem,)))
