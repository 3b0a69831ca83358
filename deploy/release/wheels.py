"""Fetch the wheels of a bundle from a package registry by the locks' hashes."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from deploy.release.targets import lock_of, targets


def fetch(tree: Path, machine: str, folder: Path) -> list[Path]:
    """Fetch the wheels for all systems with a processor; return the files, by name.

    Args:
        tree: the project's source, with its locks.
        machine: "aarch64" or "x86_64".
        folder: folder for the wheels; those already there are checked and not fetched.

    Raises:
        subprocess.CalledProcessError: pip failed and printed why, such as another hash.

    """
    folder.mkdir(parents=True, exist_ok=True)
    wheel_paths: set[Path] = set()
    for target in targets(machine):
        platforms = [word for each in target.platforms for word in ("--platform", each)]
        for lock in lock_of(target, tree):
            with tempfile.TemporaryDirectory(dir=folder) as place:
                lock_file = Path(place) / "lock"
                lock_file.write_text(lock + "\n")
                arguments = [
                    "download", "-qq", "--disable-pip-version-check", "--require-hashes",
                    "--no-deps", "--only-binary", ":all:", "--python-version", target.python,
                    *platforms, "--find-links", str(folder), "--requirement", str(lock_file),
                ]  # fmt: skip
                wheel_folder = Path(place) / "wheels"
                pip(*arguments, "--dest", str(wheel_folder))
                for wheel in wheel_folder.iterdir():
                    wheel_paths.add(wheel.replace(folder / wheel.name))
    return sorted(wheel_paths)


def pip(*arguments: str) -> None:
    """Run pip; its output goes to the terminal."""
    subprocess.run([sys.executable, "-m", "pip", *arguments], check=True)
