"""A program that is a proof by itself: what it prints, and how it ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).parents[1]
LOGS = REPO / "var/trials"


def run(name: str, *command: str) -> None:
    """Run it, what it prints going to var/trials/NAME.log at once; raise AssertionError."""
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"{name}.log"
    with log.open("w", encoding="utf-8") as file:
        process = subprocess.run(
            command, cwd=REPO, stdout=file, stderr=subprocess.STDOUT, check=False
        )
    output = log.read_text("utf-8", errors="replace")
    sys.stdout.write(output)
    assert process.returncode == 0, f"it ended with {process.returncode}:\n{output[-4000:]}"
