"""Access to the machine that the box runs on, which tests replace by made-up answers."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata, util
from pathlib import Path

from device.hands.readings import PhotoReader, load_reader
from device.host.address import find_lan_address

COMMAND_TIMEOUT_S = 5
"""Limit for a system program such as timedatectl, which takes well under a second."""


def ask(command: Sequence[str]) -> str:
    """Return what a system program prints; empty if it is missing, fails or hangs."""
    try:
        # Fixed commands of the checks, none from outside.
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, timeout=COMMAND_TIMEOUT_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def version_of(package: str) -> str | None:
    """Return the version of an installed package, or None."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def needed() -> list[str]:
    """Return the packages that Tongbox requires, as "name>=version"."""
    try:
        return metadata.requires("tongbox") or []
    except metadata.PackageNotFoundError:
        return []


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine that is examined."""

    data: Path
    """The data folder."""
    root: Path = Path("/")
    ask: Callable[[Sequence[str]], str] = ask
    python: tuple[int, ...] = sys.version_info[:3]
    needed: Callable[[], list[str]] = needed
    version_of: Callable[[str], str | None] = version_of
    can_import: Callable[[str], bool] = lambda name: util.find_spec(name) is not None
    reader: Callable[[], PhotoReader] = load_reader
    free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free
    """Free bytes on a folder's disk."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    address: Callable[[], str] = find_lan_address

    def text(self, path: str) -> str:
        """Return the text of a file under the root; empty if it cannot be read."""
        try:
            return (self.root / path).read_text("utf-8").strip()
        except OSError:
            return ""

    def first_text(self, pattern: str) -> str:
        """Return the text of the first file that matches a pattern; empty without one."""
        found = sorted(self.root.glob(pattern))
        return self.text(str(found[0].relative_to(self.root))) if found else ""
