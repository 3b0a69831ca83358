"""Put faults into a copy of the working tree and show that the tests of `make test` find each.

    .venv/bin/python -m tests.prove.seeded_faults [--only WORD] [--results FILE]

`seeded_faults.toml` lists the faults, and the tests that must find each. Those tests also run
without a fault, and must pass. After a stop it goes on as long as the commit is the same. For
uncommitted changes, name another file of results.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
CATALOGUE = Path(__file__).with_suffix(".toml")
RESULTS = ROOT / "var/seeded-faults.jsonl"

SOUND = "no fault"
"""What the run without a fault is called in the results."""

PASSED_CODE, FAILED_CODE = 0, 1
"""Exit codes of pytest; any other is no verdict."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A change of one place in one file that some test must find."""

    name: str
    file: str
    old: str
    new: str
    harm: str
    """What a player would suffer."""
    tests: tuple[str, ...]

    @contextmanager
    def in_tree(self, tree: Path) -> Iterator[None]:
        """Have the fault in a tree while the block lasts."""
        path = tree / self.file
        sound = path.read_text("utf-8")
        path.write_text(sound.replace(self.old, self.new), "utf-8")
        try:
            yield
        finally:
            path.write_text(sound, "utf-8")


def load_faults() -> tuple[Fault, ...]:
    """Return all faults of the catalogue."""
    rows = tomllib.loads(CATALOGUE.read_text("utf-8"))["fault"]
    return tuple(Fault(**{**row, "tests": tuple(row["tests"])}) for row in rows)


def copy_tree(target: Path) -> None:
    """Copy what git tracks or would track, as it lies in the working tree."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    paths = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, paths.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    (target / ".venv").symlink_to(ROOT / ".venv")


def run_tests(tree: Path, tests: Sequence[str]) -> tuple[int, str]:
    """Run tests in a tree; return pytest's exit code and the last line of its report."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-m", "not prove"]
    # The copy goes before the tree that is linked into the virtual environment.
    environment = os.environ | {"PYTHONPATH": str(tree)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    result = subprocess.run(
        [*command, *tests], cwd=tree, env=environment, check=False, capture_output=True, text=True
    )
    lines = [line for line in result.stdout.splitlines() if line.strip()]
    failures = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    return result.returncode, (failures or lines or [result.stderr[-200:]])[-1]


def main(argv: Sequence[str] | None = None) -> int:
    """Run what has no result yet; return 1 unless every fault is found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="faults with this word in their name or file")
    parser.add_argument("--results", type=Path, default=RESULTS)
    args = parser.parse_args(argv)
    faults = [each for each in load_faults() if args.only in each.name + each.file]
    git = ["git", "rev-parse", "HEAD"]
    commit = subprocess.run(git, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    results = _load_results(args.results, commit.strip())
    with tempfile.TemporaryDirectory(prefix="seeded-faults-") as folder:
        tree = Path(folder)
        copy_tree(tree)
        for name, result in _missing_results(tree, faults, results):
            results[name] = result
            _save_result(args.results, commit.strip(), name, result)
    missed_faults = [each.name for each in faults if not results[each.name]]
    _write(f"{len(faults) - len(missed_faults)} of {len(faults)} faults are found")
    _write("".join(f"not found: {name}\n" for name in missed_faults))
    return 1 if missed_faults or not results[SOUND] else 0


def _missing_results(
    tree: Path, faults: Sequence[Fault], results: Mapping[str, bool]
) -> Iterator[tuple[str, bool]]:
    """Yield each missing result: the fault's name, and whether the tests found it."""
    for fault in faults:
        if fault.name not in results:
            with fault.in_tree(tree):
                yield (
                    fault.name,
                    _describe_run(FAILED_CODE, fault.name, run_tests(tree, fault.tests)),
                )
    if SOUND not in results:
        tests = sorted({path for each in faults for path in each.tests})
        yield SOUND, _describe_run(PASSED_CODE, SOUND, run_tests(tree, tests))


def _describe_run(expected_code: int, name: str, run: tuple[int, str]) -> bool:
    code, summary = run
    _write(f"{'right' if code == expected_code else 'WRONG'}: {name}: {summary[:150]}")
    return code == expected_code


def _load_results(path: Path, commit: str) -> dict[str, bool]:
    rows = path.read_text("utf-8").splitlines() if path.exists() else []
    results = (json.loads(row) for row in rows)
    return {each["name"]: each["right"] for each in results if each["commit"] == commit}


def _save_result(path: Path, commit: str, name: str, right: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"commit": commit, "name": name, "right": right}) + "\n")


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
