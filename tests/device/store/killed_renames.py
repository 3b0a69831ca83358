"""Run a program that is killed before one of its renames."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

_PROGRAM = """
import os, signal, sys
from pathlib import Path
from device import cli
from device.store import Store, data_folder
real, steps = Path.rename, iter(range(99))
def rename(path, target):
    if next(steps) == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
    return real(path, target)
Path.rename = rename
"""


def kill_steps(of_steps: int, quick_steps: Collection[int]) -> list[Any]:
    """Return the steps to kill at, as rows of a table: a few here, the others in `make prove`."""
    slow_steps = (step for step in range(of_steps + 1) if step not in quick_steps)
    return [*quick_steps, *(pytest.param(step, marks=pytest.mark.prove) for step in slow_steps)]


def run_killed(step: int, of_steps: int, call: str, *arguments: Path) -> None:
    """Run a call and kill it before this rename; with `step` equal to `of_steps` it ends well.

    The call finds its arguments in `sys.argv[2:]`.
    """
    command = [sys.executable, "-c", _PROGRAM + call, str(step), *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == (0 if step == of_steps else -signal.SIGKILL), result.stderr
