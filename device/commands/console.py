"""Shared by commands: parse numbers and ids of the command line, print answers and errors."""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from scorer.errors import RefusalError, ScorerError
from scorer.parsing import parse_int
from scorer.score_json import problems_to_json

if TYPE_CHECKING:  # loads the store, which most commands do not need
    from device.store.progress import ProgressWatcher


def write(line: str) -> None:
    """Print a line and flush it, for a reader at the end of a pipe."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


_STYLES = {"total": "1", "ok": "32", "warning": "33", "problem": "1;31"}
"""The codes of what stands out, in the terminal's own colours."""


def paint(text: str, style: str) -> str:
    """Return a text in the style of `_STYLES`, where the output is a terminal that has colours.

    It stays as it is in a pipe, with `NO_COLOR` and with `TERM=dumb`.
    """
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return text if is_plain or not sys.stdout.isatty() else f"\033[{_STYLES[style]}m{text}\033[0m"


T = TypeVar("T")


def progress_bar(label: str, unit: str) -> ProgressWatcher:
    """Return what shows on a terminal how many units are done, and the time left.

    In a pipe, and on a terminal without control codes (`TERM=dumb`), it shows nothing.
    """

    def watch(items: Sequence[T]) -> Iterator[T]:
        from tqdm import tqdm  # most commands need none

        is_off = True if os.environ.get("TERM") == "dumb" else None  # None: if it is no terminal
        return iter(tqdm(items, label, unit=f" {unit}", leave=False, disable=is_off))

    return watch


def write_beside_progress(line: str) -> None:
    """Print a line above a progress bar on the same terminal."""
    from tqdm import tqdm

    tqdm.write(line)
    sys.stdout.flush()


class TerminalError(RefusalError):
    """Binary output would go to a terminal."""


def write_file(data: bytes, kind: str = "pdf") -> None:
    """Write a file of this kind to the standard output; raise TerminalError."""
    if sys.stdout.isatty():
        raise TerminalError(f"This makes a file. Say which by adding to the line: > tongbox.{kind}")
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def run_command(args: argparse.Namespace) -> int:
    """Run the chosen command; return its exit status, 1 after saying why it cannot be done."""
    try:
        return args.run(args) or 0
    except ScorerError as failure:
        if getattr(args, "json", False):
            write(json.dumps(problems_to_json(failure)))
        else:
            for problem in failure.problems:
                sys.stderr.write(f"tongbox: {problem.text}\n")
    except RefusalError as failure:
        sys.stderr.write(f"tongbox: {failure}\n")
    return 1


MAX_JOBS = 64
"""Most cores that may be used: each has its own process, and too many exhaust a machine."""

MAX_DAYS_OR_MB = 100_000_000
"""Upper bound for megabytes (a hundred terabytes) or days (270,000 years)."""

MAX_QUOTED_CHARACTERS = 20
"""Length to which an invalid word is cut in an error message."""

_ID_PATTERN = re.compile("[0-9A-Za-z-]{1,40}")


def parse_jobs(text: str) -> int:
    """Return a number of cores; raise ArgumentTypeError."""
    requirement = f"is no number of cores; 1 is the least, {MAX_JOBS} the most"
    return _parse_number(text, 1, MAX_JOBS, requirement)


def _parse_number(text: str, min_value: int, max_value: int, requirement: str) -> int:
    """Return a whole number within bounds; raise ArgumentTypeError with what was wanted."""
    number = parse_int(text, min_value, max_value)
    if number is None:
        raise argparse.ArgumentTypeError(f"{text[:MAX_QUOTED_CHARACTERS]!r} {requirement}")
    return number


MAX_PORT = 65535


def parse_port(text: str) -> int:
    """Return the number of a port, 0 for any free one; raise ArgumentTypeError."""
    requirement = f"is no port; choose a number from 1 to {MAX_PORT}, such as 8080"
    return _parse_number(text, 0, MAX_PORT, requirement)


def parse_amount(text: str) -> float:
    """Return a number of megabytes or days, at least 0; raise ArgumentTypeError."""
    try:
        number = float(text) if text.isascii() else math.nan
    except ValueError:
        number = math.nan
    if not 0 <= number <= MAX_DAYS_OR_MB:
        raise argparse.ArgumentTypeError(f"{text[:MAX_QUOTED_CHARACTERS]!r} is no number from 0 on")
    return number


def parse_id(text: str) -> str:
    """Return an id as the box makes them; raise ArgumentTypeError."""
    if not _ID_PATTERN.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text[:MAX_QUOTED_CHARACTERS]!a} is no id of a match")
    return text
