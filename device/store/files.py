"""Files that are written whole or not at all, also when the plug is pulled half way."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from device.store.errors import NoFileError

_NAME = re.compile(r"[\w-]+|[0-9a-f]{64}\.(jpg|png)", re.ASCII)
"""The id of a set, or the SHA-256 of a picture and its kind."""

HALF = ".half-"
"""How the name of a file or folder begins that is still being written."""


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file that appears under its name, safely on disk, when the block ends without error.

    Raises OSError.
    """
    number, half = tempfile.mkstemp(prefix=HALF, dir=path.parent)
    with ExitStack() as undoing:
        undoing.callback(_remove, Path(half))
        with open(number, "wb") as file:  # noqa: PTH123 - mkstemp has opened it
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(half).replace(path)
        undoing.pop_all()
    sync_folder(path.parent)


def _remove(half: Path) -> None:
    """Remove what was begun: a full card must not be filled further with halves."""
    with suppress(OSError):
        half.unlink()


@contextmanager
def tried(folder: Path) -> Iterator[BinaryIO]:
    """Open a file that is brought to the disk, and removed, when the block ends. Raises OSError."""
    # Not tempfile's own: where the last words do not fit on the disk, closing that fails before it
    # removes the file, which then lies there for as long as anybody holds the error.
    number, half = tempfile.mkstemp(prefix=HALF, dir=folder)
    try:
        with open(number, "wb") as file:  # noqa: PTH123 - mkstemp has opened it
            yield file
            file.flush()
            os.fsync(file.fileno())
    finally:
        _remove(Path(half))


def write(path: Path, data: bytes) -> None:
    """Write a file whole, unless it is there and whole already; raise OSError."""
    if _holds(path, data):
        sync_folder(path.parent)  # whoever wrote it may have been stopped before doing so
        return
    with whole(path) as file:
        file.write(data)


def sync_file(path: Path) -> None:
    """Bring a file to the disk that somebody else wrote; raise OSError."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def named(folder: Path, *names: str) -> Path:
    """Return the path of a picture, or of a set's folder of them, by what the log calls it.

    The log may come from elsewhere, so what a box would not have called so is refused: a name
    that leads out of the folder is none of these. Raises NoFileError.
    """
    if not may_name(*names):
        raise NoFileError("/".join(names))
    return folder.joinpath(*names)


def may_name(*names: str) -> bool:
    """Whether a box would have called pictures or sets so."""
    return all(map(_NAME.fullmatch, names))


def read(path: Path) -> bytes:
    """Return the bytes of a picture; raise NoFileError when there are none."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise NoFileError(path.name) from error


def _holds(path: Path, data: bytes) -> bool:
    """Whether a file has just these bytes; one that a failing card has damaged is written anew."""
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False


def sync_folder(folder: Path) -> None:
    """Bring the names of a folder's files to the disk: an event may speak of them afterwards."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def give_to_owner(fresh: Path, folder: Path) -> None:
    """Give what root has made to whoever's folder it is: the box runs as its own user."""
    if os.geteuid() == 0:
        owner = folder.stat()
        for path in (fresh, *fresh.rglob("*")):
            os.chown(path, owner.st_uid, owner.st_gid)


def sweep(folder: Path) -> None:
    """Delete what was being written in a folder, and below, when its writer was stopped.

    Nobody else may be writing.
    """
    for half in list(folder.rglob(f"{HALF}*")):
        if half.is_dir():
            shutil.rmtree(half)
        else:
            half.unlink(missing_ok=True)
