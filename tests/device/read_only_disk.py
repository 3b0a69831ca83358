"""Commands on a data folder that takes no write, as on a worn card: a read-only bind mount.

    python -m tests.device.read_only_disk

runs the commands that stand on its standard input as JSON, and prints what came of each. The mount
is the process's own (`enter`): it is gone when the process ends, however that happens.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.device.command import Outcome, run_command

_MOUNT = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'

_WAYS = (
    ("unshare", "--mount", "--propagation=private"),
    ("unshare", "--user", "--map-root-user", "--mount", "--propagation=private"),
)
"""As root, and as a user where the system lets one mount for oneself."""


def enter(folder: Path) -> list[str]:
    """Return the words before a command with which a folder is read-only to it; none if none may.

    Others go on to see the folder as it is.
    """
    way = _way_to_mount()
    return [*way, "sh", "-c", _MOUNT, str(folder)] if way else []


@cache
def _way_to_mount() -> tuple[str, ...]:
    for way in _WAYS:
        trial = [*way, "sh", "-c", _MOUNT, "/tmp", "true"]  # noqa: S108 - nothing is written
        if subprocess.run(trial, capture_output=True, check=False).returncode == 0:
            return way
    return ()


def run_commands(folder: Path, commands: Sequence[Sequence[str]]) -> list[Outcome]:
    """Run commands in one process to which the folder is read-only."""
    words = [*enter(folder), sys.executable, "-m", "tests.device.read_only_disk"]
    process = subprocess.run(
        words, input=json.dumps(commands), capture_output=True, text=True, check=True
    )
    return [Outcome(*each) for each in json.loads(process.stdout)]


if __name__ == "__main__":
    outcomes = [run_command(*words) for words in json.load(sys.stdin)]
    json.dump([(each.status, each.output, each.err) for each in outcomes], sys.stdout)
