"""What long-running programs print: one line at once, and figures of a sample."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def say(line: str) -> None:
    """Print a line at once, so that a log shows how far a program has come."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of the values lies, from 0 to 1.

    >>> percentile([3.0, 1.0, 2.0], 0.5)
    2.0
    """
    return sorted(values)[int(share * (len(values) - 1))]
