"""A made-up system that counts the commands that change something, to be cut off at any of them.

Subclasses say which commands count, and what happens at the chosen one. With the power goes what
was written since the last `sync`.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from tests.deploy.conftest import FakeSystem

CHANGING_PROGRAMS = ("cp", "ln", "mkdir", "mktemp", "mv", "rm", "touch")
"""The system's own programs that change something."""

LOOKING_PROGRAMS = (
    "getconf", "getent", "id", "install", "sleep", "uname", "dpkg-query", "apt-cache",
)  # fmt: skip
"""Made-up programs at which a cut makes no difference."""

COPY_SYNCED = """
/bin/rm -rf "$STATE/synced"
/bin/cp -a "$TONGBOX_ROOT" "$STATE/synced"
find "$TONGBOX_ROOT" -type f -printf '%i %s %T@\\n' | /bin/sed 's/0$//' >"$STATE/safe"
"""
"""Keeps what is on the disk now, and writes down which files are."""


@dataclass(frozen=True)
class CountedSystem(FakeSystem):
    """A made-up system; `state` is a folder for what is not on its disk."""

    @property
    def state(self) -> Path:
        return self.root.parent / "state"

    @property
    def counting_programs(self) -> Path:
        """The folder of programs that are counted, and then do what they are for."""
        return self.root.parent / "counting"

    @property
    def commands(self) -> int:
        """How many commands were counted in the last run."""
        return int((self.state / "count").read_text())

    def make_programs(self, changing: Iterable[str], fake_programs: dict[str, str]) -> None:
        """Make the programs that are counted, and the others of this system."""
        self.counting_programs.mkdir()
        counting_system = replace(self, programs=self.counting_programs)
        for name in changing:
            counting_system.program(name, f'exec {shutil.which(name)} "$@"')
        for name, script in fake_programs.items():
            self.program(name, script)

    def empty_unsynced(self, is_volatile: Callable[[Path], bool]) -> None:
        """Empty the files that were not brought to the disk, but for those that are skipped."""
        safe = set((self.state / "safe").read_text().splitlines())
        for path in self.root.rglob("*"):
            if path.is_symlink() or not path.is_file() or is_volatile(path):
                continue
            status = path.stat()
            seconds, rest = divmod(status.st_mtime_ns, 10**9)
            if f"{status.st_ino} {status.st_size} {seconds}.{rest:09d}" not in safe:
                path.write_bytes(b"")

    def restore_synced(self) -> None:
        """Make the root folder what it was at the last `sync`."""
        shutil.rmtree(self.root)
        shutil.copytree(self.state / "synced", self.root, symlinks=True)

    def environment(self, *, counts: bool = False) -> dict[str, str]:
        """Return the environment of a command; with `counts` the programs count."""
        programs = f"{self.programs}:{self.counting_programs}" if counts else f"{self.programs}"
        return super().environment() | {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "REAL_PYTHON": sys.executable,
            "STATE": str(self.state),
            "TONGBOX_TRIES": "2",
        }
