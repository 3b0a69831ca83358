"""Unpack a bundle as root: `python -m device.updates.take FILE KEY FOLDER`.

Prints the version; or the message key of the refusal, with exit status 1. The folder appears
completely or not at all. deploy/take.sh of another version may run this, so the module's name must
stay.
"""

from __future__ import annotations

import shutil
import sys
from importlib.metadata import version
from pathlib import Path

from device.updates.bundle import BundleError, is_older, read_bundle, unpack_bundle
from scorer.message import message


def take_bundle(path: Path, key: Path, folder: Path, running_version: str) -> str:
    """Unpack a bundle into a new folder; return its version, raise BundleError."""
    if is_older(read_bundle(path, key).version, running_version):
        raise BundleError(message("update.older"))
    half = folder.with_suffix(".part")
    shutil.rmtree(half, ignore_errors=True)
    try:
        bundle = unpack_bundle(path, key, half)
    except OSError as error:
        raise BundleError(message("update.no-room")) from error
    half.rename(folder)
    return bundle.version


def main(arguments: list[str]) -> int:
    """Unpack a bundle; print its version, or why it is refused."""
    path, key, folder = map(Path, arguments)
    try:
        output, status = take_bundle(path, key, folder, version("tongbox")), 0
    except BundleError as error:
        output, status = error.reason.key, 1
    sys.stdout.write(f"{output}\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
