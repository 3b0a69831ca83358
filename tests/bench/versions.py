"""Another version of the program, taken from git, to be run beside this one."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.program import TONGBOX_COMMAND

SCORE_COMMAND = (*TONGBOX_COMMAND, "score", "--jsonl")

PACKAGES = ("scorer", "device", "vision")
"""What a version needs to score hands with the libraries that are installed here."""


@contextmanager
def check_out(version: str, packages: tuple[str, ...] = PACKAGES) -> Iterator[Path | None]:
    """Give a folder with packages of a version; None where git does not have it.

    A program that begins in the folder runs that version.
    """
    command = ("git", "archive", version, *packages)
    archive = subprocess.run(command, capture_output=True, check=False)
    with tempfile.TemporaryDirectory() as folder:
        if archive.returncode == 0:
            subprocess.run(("tar", "x", "-C", folder), input=archive.stdout, check=True)
        yield Path(folder) if archive.returncode == 0 else None
