"""A made-up system in a folder, whose programs only note that they were called."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"

SYSTEM = {
    "apt-cache": "echo 'Candidate: 0.3.31-1'",
    "apt-get": "",
    "dpkg-query": "printf installed",
    "getconf": "echo 64",
    "getent": "",
    "groupadd": "",
    "id": "",
    "install": 'for last; do :; done; mkdir -p "$last"',
    "sleep": "",
    "uname": "echo aarch64",
    "useradd": "",
    "userdel": "",
    "systemctl": "",
    "systemd-run": "",
}

VENV_PIP = """
for source; do :; done
[ ! -e "$source/fails" ]"""

MAKE_VENV = """
    "-m venv"*)
        for venv; do :; done
        mkdir -p "$venv/bin"
        cp "$(dirname "$0")/venv-python" "$venv/bin/python"
        cp "$(dirname "$0")/venv-pip" "$venv/bin/pip" ;;"""
"""The made-up Python makes a virtual environment."""

PYTHON = f"""
case "$*" in{MAKE_VENV}
    *"import numpy"*) [ -z "${{NUMPY-2.2.4}}" ] || echo "${{NUMPY-2.2.4}}" ;;
esac"""

MARKS = ("fails", "dead", "deaf", "ill", "writes")
"""A version cannot be installed; does not start; starts and does not answer; has a broken first
page; migrates the log to a format of its own."""

SOURCE_FOLDERS = ("scorer", "vision", "device", "models")

LOCK = """numpy==2.4.6 ; python_full_version < '3.12' \\
    --hash=sha256:00
onnxruntime==1.31.1 \\
    --hash=sha256:00
opencv-python-headless==5.0.0.93 \\
    --hash=sha256:00
"""


@dataclass(frozen=True)
class FakeSystem:
    """A root folder, the source of a version, and what was called."""

    root: Path
    source: Path
    programs: Path

    def lay_out(self) -> None:
        """Make its folders, its programs and the source."""
        for folder in ("run/systemd/system", "proc", "etc/avahi"):
            (self.root / folder).mkdir(parents=True)
        (self.root / "proc/meminfo").write_text("MemTotal:        1880000 kB\n")
        (self.root / "etc/avahi/avahi-daemon.conf").write_text("[server]\n#host-name=foo\n")
        shutil.copytree(DEPLOY, self.source / "deploy")
        for folder in SOURCE_FOLDERS:
            (self.source / folder).mkdir()
            (self.source / folder / "code.py").write_text("")
        (self.source / "pyproject.toml").write_text('name = "tongbox"\nversion = "0.1.0"\n')
        (self.source / "requirements.lock").write_text(LOCK)
        self.programs.mkdir()
        for name, script in (SYSTEM | {"python3": PYTHON}).items():
            self.program(name, script)
        self.program("venv-python", "")
        self.program("venv-pip", VENV_PIP)

    def program(self, name: str, script: str) -> None:
        path = self.programs / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >>"$CALLS"\n{script}\n')
        path.chmod(0o755)

    def run(
        self, script: str, *options: str, says: str = "", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run one of deploy's scripts on this system."""
        return subprocess.run(
            ["sh", str(self.source / "deploy" / f"{script}.sh"), *options],
            input=says,
            capture_output=True,
            text=True,
            check=False,
            env=self.environment() | environment,
        )

    def environment(self) -> dict[str, str]:
        """Return the environment of a script that runs on this system."""
        return {
            "PATH": f"{self.programs}:{os.environ['PATH']}",
            "CALLS": str(self.root.parent / "calls"),
            "TONGBOX_ROOT": str(self.root),
            "TONGBOX_PYTHON": str(self.programs / "python3"),
        }

    def calls(self) -> list[str]:
        """Return the calls of programs since the last time."""
        path = self.root.parent / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return lines

    def change_source(self, *marks: str) -> None:
        """Make the source another version, with marks for its faults."""
        code = self.source / "device" / "code.py"
        code.write_text(code.read_text() + "# another line\n")
        for mark in MARKS:
            (self.source / mark).unlink(missing_ok=True)
        for mark in marks:
            (self.source / mark).touch()

    @property
    def current(self) -> str:
        return (self.root / "opt/tongbox/current").readlink().name

    @property
    def versions(self) -> list[str]:
        return sorted(path.name for path in (self.root / "opt/tongbox/versions").iterdir())

    @property
    def log(self) -> Path:
        return self.root / "var/lib/tongbox/events.sqlite3"

    def files(self) -> dict[str, bytes]:
        """Return all that lies in the root folder."""
        return {str(p): p.read_bytes() for p in self.root.rglob("*") if p.is_file()}


@pytest.fixture
def system(tmp_path: Path) -> FakeSystem:
    system = FakeSystem(tmp_path / "root", tmp_path / "source", tmp_path / "programs")
    system.lay_out()
    return system
