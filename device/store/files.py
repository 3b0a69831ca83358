"""Write files completely or not at all, even if the power fails half way."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from device.store.errors import PictureNotFoundError

_PICTURE_NAME = re.compile(r"[\w-]+|[0-9a-f]{64}\.(jpg|png)", re.ASCII)
"""The id of a tile set, or the SHA-256 of a picture with its file extension."""

UNFINISHED_PREFIX = ".half-"
"""Beginning of the name of a file or folder that is still being written."""


@contextmanager
def write_whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing; it gets its name, safely on disk, when the block ends without error.

    Raises OSError.
    """
    number, half = tempfile.mkstemp(prefix=UNFINISHED_PREFIX, dir=path.parent)
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
    """Remove an unfinished file, so that it does not fill a full card further."""
    with suppress(OSError):
        half.unlink()


@contextmanager
def try_file(folder: Path) -> Iterator[BinaryIO]:
    """Open a trial file, synced to disk and removed when the block ends. Raises OSError."""
    # Not tempfile's own: if its last bytes do not fit on the disk, closing fails before it removes
    # the file, which then stays as long as anybody holds the error.
    number, half = tempfile.mkstemp(prefix=UNFINISHED_PREFIX, dir=folder)
    try:
        with open(number, "wb") as file:  # noqa: PTH123 - mkstemp has opened it
            yield file
            file.flush()
            os.fsync(file.fileno())
    finally:
        _remove(Path(half))


def write_file(path: Path, data: bytes) -> None:
    """Write a file completely, unless it is already there with these bytes; raise OSError."""
    if _holds(path, data):
        sync_folder(path.parent)  # its writer may have been stopped before syncing
        return
    with write_whole(path) as file:
        file.write(data)


def sync_file(path: Path) -> None:
    """Sync a file that another process wrote to the disk; raise OSError."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def picture_path(folder: Path, *names: str) -> Path:
    """Return the path of a picture, or of a tile set's folder, by its name in the log.

    The log may come from anywhere. Only names that a box gives are accepted, and none of these
    leads out of the folder. Raises PictureNotFoundError.
    """
    if not is_picture_name(*names):
        raise PictureNotFoundError("/".join(names))
    return folder.joinpath(*names)


def is_picture_name(*names: str) -> bool:
    """Whether a box gives such names to pictures and tile sets."""
    return all(map(_PICTURE_NAME.fullmatch, names))


def read_picture(path: Path) -> bytes:
    """Return the bytes of a picture; raise PictureNotFoundError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise PictureNotFoundError(path.name) from error


def _holds(path: Path, data: bytes) -> bool:
    """Whether a file has exactly these bytes. A failing card may have damaged it."""
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False


def sync_folder(folder: Path) -> None:
    """Sync the names of a folder's files to the disk, before an event mentions them."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def give_to_owner(fresh: Path, folder: Path) -> None:
    """Give files that root has made to the folder's owner, because the box runs as its own user."""
    if os.geteuid() == 0:
        owner = folder.stat()
        for path in (fresh, *fresh.rglob("*")):
            os.chown(path, owner.st_uid, owner.st_gid)


def remove_unfinished(folder: Path) -> None:
    """Delete unfinished files in and below a folder. Nobody else may be writing there."""
    for half in list(folder.rglob(f"{UNFINISHED_PREFIX}*")):
        if half.is_dir():
            shutil.rmtree(half)
        else:
            half.unlink(missing_ok=True)
