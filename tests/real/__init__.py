"""Trials on real systems, each a program of its own.

Some import what `make test` installs, and are often begun with a Python that lacks it. Whoever does
is told so in a line.
"""

from __future__ import annotations

import sys
from types import TracebackType


def explain_missing_package(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Print what a missing package needs, and any other error as Python does."""
    if isinstance(error, ModuleNotFoundError):
        sys.stderr.write(
            f"This needs the Python package {error.name}: run `make test` once, "
            "then begin this with .venv/bin/python.\n"
        )
    else:
        sys.__excepthook__(kind, error, trace)


if sys.argv[0] == "-m":  # a trial is being begun: nothing of it is imported so far
    sys.excepthook = explain_missing_package
