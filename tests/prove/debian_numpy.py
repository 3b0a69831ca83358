"""Prove that tiles are read alike with each Debian's NumPy: `python -m tests.prove.debian_numpy`.

An installed box uses its system's NumPy, and with NumPy 1 an older OpenCV; our locks have neither.
Both are put before ours on Python's path, and the tests of the reading run. A Debian is left out
whose NumPy has no wheel for the Python that runs this. This needs a package registry.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.prove.lock_hashes import REPO, SYSTEMS, System, error_lines, pip, say_outcome

TESTS = ("tests/vision", "tests/goldens", "--ignore=tests/vision/test_cost.py")
"""All but those that read networks with onnx, which needs NumPy 2 and is on no box."""


def main() -> int:
    """Print how each Debian's tests end; return 1 if one fails."""
    with tempfile.TemporaryDirectory() as folder:
        results = [reads_alike(each, Path(folder) / each.name) for each in SYSTEMS]
    return 0 if all(results) else 1


def reads_alike(system: System, packages: Path) -> bool:
    """Run the tests with a system's own packages, and print the outcome."""
    label = f"{system.name}, numpy {system.numpy}"
    result = install(packages, f"numpy=={system.numpy}")
    if result.returncode and f"{sys.version_info[0]}.{sys.version_info[1]}" != system.python:
        sys.stdout.write(f"left out {label}: it has no wheel for this Python\n")
        return True
    if system.numpy.startswith("1."):
        lock = REPO / "deploy/bookworm.lock"
        result = install(packages, "--require-hashes", "--requirement", str(lock))
    if not result.returncode:
        options = ("-m", "not prove", "-n", "2", "-p", "no:cacheprovider")
        result = run_python(packages, "-m", "pytest", "-q", *options, *TESTS)
        sys.stdout.write(result.stdout)
    numpy_version = run_python(
        packages, "-c", "import numpy; print(numpy.__version__)"
    ).stdout.strip()
    is_fine = result.returncode == 0 and numpy_version == system.numpy
    say_outcome(is_fine, f"{label}: {error_lines(result)}, {numpy_version} was used")
    return is_fine


def install(packages: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    wheels_alone = ("--no-deps", "--only-binary", ":all:")
    return pip("install", *wheels_alone, "--target", str(packages), *arguments)


def run_python(packages: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the repository, with these packages before all others."""
    return subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"PYTHONPATH": str(packages)},
        cwd=REPO, capture_output=True, text=True, check=False,
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
