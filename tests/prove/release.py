"""Proof that a release is made twice the same: `python -m tests.prove.release`.

The project is cloned twice, and the whole release made in each, with wheels fetched anew for the
second. Needs a package registry; some 400 MB are fetched.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import minisign

REPO = Path(__file__).parents[2]


def main() -> int:
    """Print each file's SHA-256, and whether both releases have it; return 1 where they differ."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        key = folder / "release.key"
        key.write_bytes(bytes(minisign.KeyPair.generate().secret_key))
        first, second = (made(folder / each, key) for each in ("one", "two"))
    for file in sorted({*first, *second}):
        is_same = first.get(file) == second.get(file)
        sys.stdout.write(f"{'ok  ' if is_same else 'FAIL'} {file} {first.get(file)}\n")
    return 0 if first == second else 1


def made(clone: Path, key: Path) -> dict[str, str]:
    """Make a release in a clone; return each file's SHA-256."""
    subprocess.run(["git", "clone", "--quiet", str(REPO), str(clone)], check=True)
    subprocess.run([sys.executable, "-m", "deploy.release"], cwd=clone, check=True,
                   env=os.environ | {"TONGBOX_RELEASE_KEY": str(key), "PYTHONPATH": str(clone)},
                   stdout=subprocess.DEVNULL)  # fmt: skip
    files = sorted((clone / "dist").iterdir())
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


if __name__ == "__main__":
    sys.exit(main())
