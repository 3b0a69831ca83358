"""Prove that nothing is installed whose hash is not on a lock: `python -m tests.prove.lock_hashes`.

The installer's own functions make a version on this machine, in another root folder, with each
system's numpy. They run with the locks as they are, and with the hashes of one package altered.
Only the first may succeed. Then all packages for arm64 are fetched by the same locks, but not
installed. This needs a package registry, and fetches some 200 MB.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement

REPO = Path(__file__).parents[2]

MAKE_VERSION = 'here=$1/deploy; . "$here/lib.sh"; make_version'

WRITE_LOCK = 'here=$1/deploy; . "$here/lib.sh"; write_lock "$2"'

ARM64 = ("manylinux_2_28_aarch64", "manylinux_2_27_aarch64", "manylinux_2_26_aarch64",
         "manylinux_2_17_aarch64", "manylinux2014_aarch64")  # fmt: skip


@dataclass(frozen=True)
class System:
    """What of a system decides which packages it is given."""

    name: str
    python: str
    numpy: str
    altered_packages: tuple[tuple[str, str], ...]
    """Locks and packages in them that are altered, one after the other."""


SYSTEMS = (
    System("Bookworm", "3.11", "1.24.2", (("deploy/bookworm.lock", "opencv-python-headless"),)),
    System("Trixie", "3.13", "2.2.4",
           (("requirements.lock", "segno"), ("requirements.lock", "hatchling"))),
)  # fmt: skip


def main() -> int:
    """Print what was found; return 1 when a package came in that is not on a lock."""
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for system in SYSTEMS:
            place = Path(folder) / system.name
            numpy = place / "system"
            pip("install", "--no-deps", "--target", str(numpy), f"numpy=={system.numpy}")
            for package, source in make_sources(system, place).items():
                result = make_version(source, place / "root", numpy)
                is_refused = "DO NOT MATCH THE HASHES" in result.stderr
                is_fine = (
                    is_refused and result.returncode != 0 if package else result.returncode == 0
                )
                faults += not is_fine
                outcome = (
                    "refused" if is_refused else "installed" if is_fine else error_lines(result)
                )
                label = f"{package} altered" if package else "as locked"
                say_outcome(is_fine, f"{system.name}, numpy {system.numpy}, {label}: {outcome}")
            faults += not fetch_packages(system, place, numpy)
    return 1 if faults else 0


def make_sources(system: System, place: Path) -> dict[str, Path]:
    """Return the project's source as it is, under no name, and by which package was altered."""
    sources = {}
    for lock, package in (("", ""), *system.altered_packages):
        sources[package] = source = place / f"source-{package}"
        shutil.copytree(REPO, source, ignore=shutil.ignore_patterns(".*", "var", "tests"))
        if package:
            path = source / lock
            path.write_text(alter_hashes(path.read_text(), package))
    return sources


def alter_hashes(lock: str, package: str) -> str:
    r"""Return a lock with the last digit of each of a package's hashes changed.

    >>> alter_hashes("a==1 --hash=sha256:0f\nb==2 --hash=sha256:0f\n", "b")
    'a==1 --hash=sha256:0f\nb==2 --hash=sha256:00\n'
    """
    before, name, rest = re.split(rf"^({package}==)", lock, maxsplit=1, flags=re.M)
    stanza, end, after = re.split(r"(?<!\\)(\n)", rest, maxsplit=1)
    digit = re.compile(r"(--hash=sha256:[0-9a-f]+)([0-9a-f])\b")
    altered = digit.sub(lambda m: m[1] + ("0" if m[2] != "0" else "1"), stanza)
    return before + name + altered + end + after


def make_version(source: Path, root: Path, numpy: Path) -> subprocess.CompletedProcess[str]:
    """Install a source as a version in its own root folder."""
    shutil.rmtree(root, ignore_errors=True)
    return run_script(MAKE_VERSION, str(source), root=root, numpy=numpy)


def fetch_packages(system: System, place: Path, numpy: Path) -> bool:
    """Download an arm64 system's packages, and print the outcome."""
    lock = place / "arm64.lock"
    run_script(
        WRITE_LOCK, str(REPO), str(lock), root=place / "root", numpy=numpy
    ).check_returncode()
    wheels = place / "wheels"
    platforms = [word for each in ARM64 for word in ("--platform", each)]
    result = pip("download", "--require-hashes", "--no-deps", "--only-binary", ":all:",
               "--python-version", system.python, *platforms, "--dest", str(wheels),
               "--requirement", str(lock))  # fmt: skip
    count = len(list(wheels.glob("*.whl")))
    is_fine = result.returncode == 0 and count == len(wanted_packages(lock.read_text(), system))
    say_outcome(
        is_fine,
        f"{system.name}, arm64, Python {system.python}: {count} wheels, {error_lines(result)}",
    )
    return is_fine


def wanted_packages(lock: str, system: System) -> list[str]:
    r"""Return the packages of a lock that an arm64 system of this kind is given.

    >>> wanted_packages("a==1 \\\n  --hash=x\nb==2 ; sys_platform == 'win32' \\\n", SYSTEMS[0])
    ['a']
    """
    lines = re.findall(r"^[\w.-]+==[^\\\n]*", lock, flags=re.M)
    environment = {"platform_machine": "aarch64", "python_full_version": f"{system.python}.0"}
    requirements = map(Requirement, lines)
    return [
        each.name
        for each in requirements
        if each.marker is None or each.marker.evaluate(environment)
    ]


def pip(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def run_script(
    script: str, *arguments: str, root: Path, numpy: Path
) -> subprocess.CompletedProcess[str]:
    """Run a script with the installer's functions; the system's own packages are `numpy`'s."""
    options = {
        "TONGBOX_ROOT": str(root),
        "TONGBOX_PYTHON": str(Path(sys.base_prefix) / "bin/python3"),
        "PYTHONPATH": str(numpy),
    }
    return subprocess.run(
        ["sh", "-c", script, "sh", *arguments],
        env=os.environ | options, capture_output=True, text=True, check=False,
    )  # fmt: skip


def error_lines(result: subprocess.CompletedProcess[str]) -> str:
    """Return the errors of pip or the scripts, without a registry's warnings."""
    lines = result.stderr.splitlines()
    return " ".join(line for line in lines if not line.startswith("WARNING")) or "no error"


def say_outcome(is_fine: bool, label: str) -> None:
    sys.stdout.write(f"{'ok  ' if is_fine else 'FAIL'} {label.strip()}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
