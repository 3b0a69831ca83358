"""Read a data folder that cannot be written, or needs mending, through a copy of its log.

Opening a torn log would salvage it, and opening one amid a change would take that back; a command
that only reads changes nothing. A worn card accepts no write any more. SQLite cannot open the log
there, because it writes beside it, though every event can be read. So the log and its write-ahead
log are copied to a temporary folder, beside links to everything else. What an interrupted restore
or salvage left is finished in the copy.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from device.store.data_folder import (
    JOURNAL_FILE,
    LOG_FILE,
    PICTURE_FOLDERS,
    RESTORED_FOLDER,
    SERVING_FILE,
    is_open,
)
from device.store.errors import UNWRITABLE_ERRNOS, StoreError, UnwritableError
from device.store.files import UNFINISHED_PREFIX, try_file
from device.store.integrity import FaultCause, find_fault
from device.store.salvage import SALVAGED_FOLDER

MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - a folder of random name is made in it
"""A disk in memory, for a computer whose only card is the worn one."""

MAX_COPY_TRIES = 20
"""How often the log is copied anew because somebody was writing to it."""

COPY_RETRY_S = 0.1

_COPIED_FILES = (LOG_FILE, f"{LOG_FILE}-wal", JOURNAL_FILE)
"""The log's files. The third that SQLite has beside a log, -shm, is made anew from these."""

_LEFT_OUT_FILES = ("lock", SERVING_FILE, "served-at", f"{LOG_FILE}-shm")

_UNFINISHED_FOLDERS = (RESTORED_FOLDER, SALVAGED_FOLDER)
"""Whoever opens the data folder moves files out of these and into them."""


@dataclass(frozen=True, slots=True)
class ReadableFolder:
    """A data folder to read from."""

    path: Path
    """The folder itself, or the copy."""
    notice: str = ""
    """Why it is a copy, in a sentence for the box's owner; empty if all can be read."""


@contextmanager
def readable_folder(folder: Path) -> Iterator[ReadableFolder]:
    """Yield a data folder, or a copy of one that cannot be written or needs mending.

    Raises StoreError. The copy has links to the pictures. It is deleted when the block ends.
    """
    refusal = find_write_refusal(folder)
    if refusal is None and (is_open(folder) or _needs_no_mending(folder)):
        yield ReadableFolder(folder)
        return
    with temporary_folder() as copy:
        try:
            _copy_folder(folder, copy)
        except OSError as error:
            cause = refusal.strerror if refusal else "its log needs mending"
            raise StoreError(
                f"{folder} can only be read from a copy ({cause}), and it cannot be copied "
                f"to {copy.parent}: {error.strerror}. TMPDIR can name another place for the copy."
            ) from error
        yield ReadableFolder(copy, _describe(folder, refusal, find_fault(copy)))


def _needs_no_mending(folder: Path) -> bool:
    """Whether a log is whole and no change of it was interrupted: that would be taken back."""
    return not (folder / JOURNAL_FILE).exists() and find_fault(folder) is None


def find_write_refusal(folder: Path) -> OSError | None:
    """Return the error with which a folder refuses writes; None if it accepts them, or is full."""
    try:
        with try_file(folder) as file:
            file.write(b"tongbox")
    except OSError as error:
        return error if error.errno in UNWRITABLE_ERRNOS else None
    for name in _COPIED_FILES:
        if (folder / name).exists() and not os.access(folder / name, os.W_OK):
            return PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return None


@contextmanager
def temporary_folder(wished_folder: Path | None = None) -> Iterator[Path]:
    """Yield a new folder in the wished one, or elsewhere if that cannot be written.

    It is deleted when the block ends. Raises StoreError.
    """
    for parent in (
        *([wished_folder] if wished_folder else []),
        None,
        MEMORY_FOLDER,
    ):  # None: the system's own
        with suppress(OSError):
            made_folder = tempfile.TemporaryDirectory(prefix=UNFINISHED_PREFIX, dir=parent)
            break
    else:
        raise StoreError("No folder for temporary files can be written. TMPDIR can name one.")
    with made_folder as name:
        yield Path(name)


def explain_refusal(folder: Path, error: UnwritableError) -> UnwritableError:
    """Return an error that says whether anything is damaged, too; raise StoreError."""
    with readable_folder(folder) as readable:
        return UnwritableError(readable.notice) if readable.notice else error


_FAULTS: dict[FaultCause, str] = {
    "torn": "Part of the log in {} is damaged",
    "missing": "The log in {} is missing, though photos or copies are there",
    "empty": "The log in {} is empty, though photos or copies are there",
}


def _describe(folder: Path, refusal: OSError | None, fault: tuple[FaultCause, str] | None) -> str:
    """Return the sentence that says why a copy is read, and what to do; empty if all is whole."""
    damage = _FAULTS[fault[0]].format(folder) if fault else ""
    if refusal is None:
        return damage and (
            f"{damage}. What can still be read of it is read from a copy, and nothing is changed. "
            "The box mends it at its next start."
        )
    begin = f"{damage}. Nothing" if damage else "Nothing is damaged, but nothing"
    cause = "The card is worn or locked"
    if refusal.errno in (errno.EACCES, errno.EPERM):
        cause += ", or the files belong to another user"
    return (
        f"{begin} can be written to {folder}: {refusal.strerror}. "
        f"{cause}: if it is worn, copy it to a new one."
    )


def _copy_folder(folder: Path, copy: Path) -> None:
    """Copy a folder's log as it is at one moment, and link everything else; raise OSError."""
    for _ in range(MAX_COPY_TRIES):
        before = _log_state(folder)
        for name in _COPIED_FILES:
            (copy / name).unlink(missing_ok=True)
            with suppress(FileNotFoundError, IsADirectoryError):
                shutil.copyfile(folder / name, copy / name)
        if _log_state(folder) == before:
            break
        time.sleep(COPY_RETRY_S)
    else:
        raise OSError(errno.EBUSY, "somebody is writing to it all the time")
    _link_others(folder, copy)


def _log_state(folder: Path) -> list[tuple[int, int]]:
    """Return size and time of each of the log's files."""
    file_states = (path.stat() for name in _COPIED_FILES if (path := folder / name).exists())
    return [(each.st_size, each.st_mtime_ns) for each in file_states]


def _link_others(folder: Path, copy: Path) -> None:
    """Link what a folder has beside its log; copy the unfinished folders, which lose files."""
    for path in folder.iterdir():
        name = path.name
        if name in (*_COPIED_FILES, *_LEFT_OUT_FILES) or name.startswith(UNFINISHED_PREFIX):
            continue
        is_inside = folder.name in _UNFINISHED_FOLDERS and name not in PICTURE_FOLDERS
        if path.is_dir() and (name in _UNFINISHED_FOLDERS or is_inside):
            (copy / name).mkdir()
            _copy_folder(path, copy / name)
        else:
            (copy / name).symlink_to(path.absolute())
