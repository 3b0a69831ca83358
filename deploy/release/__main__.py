"""Make wheel, sdist and a bundle for 64-bit Raspberry Pi OS of the commit: `make release`.

    python -m deploy.release [--machine x86_64] [--out dist]

The same commit and key make the same bytes. Wheels are fetched once from a package registry, by the
hashes in the locks, and kept in var/wheels.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import minisign

from deploy.release import bundle, signing, wheels
from deploy.release.bundle import FONTS_FOLDER
from deploy.release.font import MissingFontError, take_font
from deploy.release.parts import UnknownLicenceError

REPO = Path(__file__).parents[2]

MACHINES = {"aarch64": "arm64", "x86_64": "amd64"}
"""Debian's names of the processors, which stand in the bundle's name."""


class UntranslatedError(Exception):
    """A language lacks texts; the message lists them."""


def main(arguments: list[str] | None = None) -> int:
    """Make a release; return 1 with a sentence when it cannot be made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machine", choices=MACHINES, default="aarch64")
    parser.add_argument("--out", type=Path, default=REPO / "dist")
    parser.add_argument("--wheels", type=Path, default=REPO / "var/wheels")
    options = parser.parse_args(arguments)
    try:
        paths = release(REPO, options.machine, options.out, options.wheels)
    except (
        signing.SigningKeyError, UnknownLicenceError, UntranslatedError, MissingFontError,
    ) as error:  # fmt: skip
        sys.stderr.write(f"{error}\n")
        return 1
    for path in paths:
        sys.stdout.write(f"{path.stat().st_size / 1e6:8.1f} MB  {path}\n")
    return 0


def release(repo: Path, machine: str, out_folder: Path, wheel_cache: Path) -> list[Path]:
    """Make the packages and the bundle of the commit; return their paths.

    Args:
        repo: a checkout; uncommitted changes are left out.
        machine: the bundle's processor, as `uname -m` prints it.
        out: folder for the files.
        kept: folder where wheels are kept between releases.

    Raises:
        SigningKeyError: the key is not the checkout's, or cannot be read.
        UnknownLicenceError: a part may not be redistributed.
        UntranslatedError: a language of the page lacks texts.
        MissingFontError: this computer has not the font that papers need.
        subprocess.CalledProcessError: git, pip or hatchling failed, and printed why.

    """
    secret = key_for(repo)
    out_folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        tree, folder = Path(place) / "tree", Path(place) / "bundle"
        commit_time = take_commit(repo, tree)
        check_translated(tree)
        take_font(tree / FONTS_FOLDER)
        version = tomllib.loads((tree / "pyproject.toml").read_text())["project"]["version"]
        packages = build(tree, commit_time, out_folder)
        fetched_wheels = wheels.fetch(tree, machine, wheel_cache / machine)
        bundle.lay_out(tree, fetched_wheels, version, commit_time, secret, folder)
        target = out_folder / f"tongbox-{version}-{MACHINES[machine]}.zip"
        bundle.pack(folder, commit_time, target)
    return [*packages, target]


def key_for(repo: Path) -> minisign.SecretKey | None:
    """Return the key to sign with, None without one; raise SigningKeyError."""
    public_key = repo / "deploy/release.pub"
    if not signing.key_path().exists() and not public_key.exists():
        sys.stderr.write("Not signed: boxes refuse it as an update. To sign: make release-key\n")
        return None
    secret = signing.load_key(signing.key_path())
    if public_key.exists() and public_key.read_bytes() != signing.public_half(secret):
        raise signing.SigningKeyError(f"{signing.key_path()} is not the key of {public_key}.")
    return secret


def take_commit(repo: Path, tree: Path) -> datetime:
    """Write the commit into a folder; return its time."""
    git = ["git", "-C", str(repo)]
    archive = subprocess.run([*git, "archive", "HEAD"], stdout=subprocess.PIPE, check=True).stdout
    tree.mkdir()
    subprocess.run(["tar", "-x", "-C", str(tree)], input=archive, check=True)
    seconds = subprocess.run(
        [*git, "log", "-1", "--format=%ct"], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    return datetime.fromtimestamp(int(seconds), UTC)


def check_translated(tree: Path) -> None:
    """Raise UntranslatedError if the page would say anything in another language than chosen.

    Raises CalledProcessError, too, where that cannot be told; why stands on stderr.
    """
    result = subprocess.run(
        [sys.executable, "-m", "device.i18n.missing"], cwd=tree, stdout=subprocess.PIPE, text=True
    )
    if result.stdout:
        raise UntranslatedError(f"To be translated before a release:\n{result.stdout}".rstrip())
    result.check_returncode()


def build(tree: Path, commit_time: datetime, out_folder: Path) -> list[Path]:
    """Build wheel and sdist with the commit's time; return their paths."""
    time = {"SOURCE_DATE_EPOCH": str(int(commit_time.timestamp()))}
    result = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(out_folder)],
        cwd=tree, env=os.environ | time, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, check=True,
    )  # fmt: skip
    return [Path(line) for line in result.stdout.split() if line.endswith((".whl", ".gz"))]


if __name__ == "__main__":
    sys.exit(main())
