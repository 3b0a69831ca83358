"""Trials that are attempted one after the other, each with a line that says what it found."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException

from tests.reporting import say

FAILURES: tuple[type[Exception], ...] = (
    AssertionError,
    OSError,
    HTTPException,
    ValueError,
    subprocess.SubprocessError,
)
"""What a trial that fails raises; anything else is a fault of the trial itself."""


@dataclass
class Attempts:
    """The number of trials that failed so far."""

    faults: int = 0
    failures: tuple[type[Exception], ...] = FAILURES

    def attempt(self, label: str, trial: Callable[[], str]) -> None:
        """Run a trial and print what it found."""
        start = time.monotonic()
        try:
            is_fine, says = True, trial()
        except self.failures as error:
            is_fine, says = False, f"{type(error).__name__}: {error}"
        self.faults += not is_fine
        say(f"{'ok  ' if is_fine else 'FAIL'} {time.monotonic() - start:5.0f} s  {label}: {says}")

    def conclude(self) -> int:
        """Print how many trials failed; return 1 for any, else 0."""
        say(f"{self.faults} things are not as they should be")
        return 1 if self.faults else 0
