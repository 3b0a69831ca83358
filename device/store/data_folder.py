"""The data folder: the names of its files, who uses it, and how a restore replaces its contents.

Several processes may use the folder, but only one serves it. A restore needs it alone, and is
completed even if the power fails: once the unpacked files are in RESTORED_FOLDER, the next user of
the folder moves the files that are still there into their places.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO

from device.store.errors import FolderServedError, StoreError
from device.store.files import remove_unfinished, sync_folder

LOG_FILE = "events.sqlite3"
"""The log's file in the data folder."""

PICTURE_FOLDERS = ("photos", "crops")

RESTORED_FOLDER = "restored"
"""The folder with the files being restored. Its subfolder `replaced` takes the old ones."""

REPLACED_FOLDER = "replaced"

SERVING_FILE = "serving"
"""Locked by the process that serves the folder."""

JOURNAL_FILE = f"{LOG_FILE}-journal"
"""Stands beside a new log, or one of an earlier format, while it is written to."""

_REPLACED_NAME = re.compile(r"replaced-[0-9]{1,9}")

LOG_SIDE_FILES = (f"{LOG_FILE}-wal", f"{LOG_FILE}-shm", JOURNAL_FILE)
"""SQLite's files beside the log. They are put aside with it, and never restored."""


@contextmanager
def use_folder_alone(folder: Path) -> Iterator[None]:
    """Use a folder exclusively, after finishing a stopped restore; raise StoreError, OSError."""
    with closing(FolderLock(folder)) as in_use:
        if not in_use.take_alone():
            raise StoreError(f"A Tongbox is running with {folder}. Please stop it first.")
        finish_restore(folder)
        remove_unfinished(folder)
        yield


def prepare_restore(fresh: Path) -> None:
    """Prepare unpacked files: add the folders that are missing."""
    for name in (*PICTURE_FOLDERS, REPLACED_FOLDER):
        (fresh / name).mkdir(exist_ok=True)


def replace_folder(folder: Path, fresh: Path) -> Path | None:
    """Replace a folder's contents by prepared files that are synced; return where the old ones are.

    Return None if there were none. Raises OSError.
    """
    replace_at_next_start(folder, fresh)
    return finish_restore(folder)


def replace_at_next_start(folder: Path, fresh: Path) -> None:
    """Let the next user of a folder replace its contents by prepared files; raise OSError.

    The name appears at once or not at all: before, the old files count, and then the new ones.
    """
    fresh.rename(folder / RESTORED_FOLDER)
    sync_folder(folder)


def is_replacement_wanted(folder: Path) -> bool:
    """Whether the next user of a folder replaces its contents."""
    return (folder / RESTORED_FOLDER).exists()


def list_replaced(folder: Path) -> tuple[Path, ...]:
    """Return the folders with what earlier restores replaced, the newest first."""
    folders = (path for path in folder.glob("replaced-*") if _REPLACED_NAME.fullmatch(path.name))
    return tuple(sorted(folders, key=lambda path: path.stat().st_ctime_ns, reverse=True))


def finish_restore(folder: Path) -> Path | None:
    """Finish a stopped restore, if there is one; return where the old hands are now."""
    new = folder / RESTORED_FOLDER
    if not new.exists():
        return None
    old = new / REPLACED_FOLDER
    for name in (*PICTURE_FOLDERS, LOG_FILE):  # the log last: it completes the restore
        if (new / name).exists():
            for each in (name, *(LOG_SIDE_FILES if name == LOG_FILE else ())):
                if (folder / each).exists():
                    (folder / each).rename(old / each)
            (new / name).rename(folder / name)
    old_hands = _put_aside(folder, old) if old.exists() else None
    shutil.rmtree(new)
    sync_folder(folder)
    return old_hands


def _put_aside(folder: Path, old: Path) -> Path | None:
    if not any(old.iterdir()):
        old.rmdir()
        return None
    numbered_paths = (folder / f"replaced-{number}" for number in itertools.count(1))
    return old.rename(next(path for path in numbered_paths if not path.exists()))


class FolderLock:
    """A lock on a data folder, released when the process ends in any way.

    Raises OSError if the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._file = _open_lock_file(folder / "lock")

    def take_alone(self) -> bool:
        """Try to lock the folder exclusively; return whether that succeeded."""
        return _try_lock(self._file)

    def share(self) -> None:
        """Use the folder together with others, after waiting for an exclusive user."""
        fcntl.flock(self._file, fcntl.LOCK_SH)

    def close(self) -> None:
        """Release the folder."""
        self._file.close()


def is_open(folder: Path) -> bool:
    """Whether a process has the log of a folder open; asking makes no file."""
    if not (folder / "lock").exists():
        return False
    with closing(FolderLock(folder)) as lock:
        return not lock.take_alone()


class ServingLock:
    """The right to serve a folder, with the address; it ends with the process."""

    def __init__(self, folder: Path) -> None:
        """Take the right; raise OSError, or FolderServedError if another Tongbox has it."""
        self._address_file = folder / "served-at"
        self._file = _open_lock_file(folder / SERVING_FILE)
        if not _try_lock(self._file):
            self._file.close()
            raise FolderServedError(
                folder, self._address_file.read_text() if self._address_file.exists() else ""
            )

    def tell(self, address: str) -> None:
        """Write the page's address down, for anybody who tries to serve the folder too."""
        with suppress(OSError):  # a full card: the address stays unknown
            self._address_file.write_text(address)

    def close(self) -> None:
        """Let another serve the folder."""
        with suppress(OSError):  # the card accepts no more writes
            self._address_file.unlink(missing_ok=True)
        self._file.close()


def has_been_served(folder: Path) -> bool:
    """Whether any Tongbox has ever had the right to serve the folder."""
    return (folder / SERVING_FILE).exists()


def _open_lock_file(path: Path) -> IO[str]:
    # Opened for reading, so that a box with its own user can take the lock after root has.
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644))


def _try_lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
