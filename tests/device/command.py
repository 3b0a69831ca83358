"""The command `tongbox`, run in this process."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest.mock import patch

from device.cli import main


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a command."""

    status: int
    output: str
    err: str


def run_command(*words: str, stdin: bytes = b"") -> Outcome:
    """Run a command, also one whose words are not understood; its input is `stdin`."""
    output, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    stream = io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    with redirect_stdout(output), redirect_stderr(err), patch.object(sys, "stdin", stream):
        try:
            status = main(words)
        except SystemExit as exit_error:
            status = int(exit_error.code or 0)
    output.flush()
    text = output.buffer.getvalue().decode("utf-8", "surrogateescape")
    return Outcome(status, text, err.getvalue())


def output_of(*words: str, stdin: bytes = b"") -> str:
    """Return what a command prints that ends well."""
    outcome = run_command(*words, stdin=stdin)
    assert outcome.status == 0, outcome.err
    return outcome.output


def bytes_of(*words: str) -> bytes:
    """Return what a command that ends well prints, where it is no text."""
    return output_of(*words).encode("utf-8", "surrogateescape")


def refusal_of(*words: str) -> str:
    """Return the error of a command that does nothing and ends with status 1."""
    outcome = run_command(*words)
    assert (outcome.status, outcome.output) == (1, "")
    return outcome.err


def usage_error_of(*words: str) -> str:
    """Return the error of a command whose words are not understood."""
    outcome = run_command(*words)
    assert (outcome.status, outcome.output) == (2, "")
    return outcome.err
