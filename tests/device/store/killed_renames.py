"""Run a program that is killed before one of its renames."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

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


def run_killed(step: int, of_steps: int, call: str, *arguments: Path) -> None:
    """Run a call and kill it before this rename; with `step` equal to `of_steps` it ends well.

    The call finds its arguments in `sys.argv[2:]`.
    """
    command = [sys.executable, "-c", _PROGRAM + call, str(step), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == (0 if step == of_steps else -signal.SIGKILL), done.stderr
