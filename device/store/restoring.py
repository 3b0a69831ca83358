"""The data folder: the names of its files, who uses it, and how a restore replaces its contents.

Several processes may use the folder, but only one serves it. A restore needs it alone, and is
completed even if the power fails: once the unpacked files are in RESTORED_FOLDER, the next user of
the folder moves the files that are still there into their places.
"""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from device.store.errors import StoreError
from device.store.files import sweep, sync_folder
from device.store.lock import FolderLock

LOG = "events.sqlite3"
"""The log's file in the data folder."""

PICTURES = ("photos", "crops")

NEW = "restored"
"""The folder with the files being restored. Its subfolder `replaced` takes the old ones."""

OLD = "replaced"

JOURNAL = f"{LOG}-journal"
"""Stands beside a new log, or one of an earlier format, while it is written to."""

OPEN_ENDS = (f"{LOG}-wal", f"{LOG}-shm", JOURNAL)
"""SQLite's files beside the log. They are put aside with it, and never restored."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Use a folder exclusively, after finishing a stopped restore; raise StoreError, OSError."""
    with closing(FolderLock(folder)) as in_use:
        if not in_use.take_alone():
            raise StoreError(f"A Tongbox is running with {folder}. Please stop it first.")
        finish(folder)
        sweep(folder)
        yield


def prepare(fresh: Path) -> None:
    """Prepare unpacked files: add the folders that are missing."""
    for name in (*PICTURES, OLD):
        (fresh / name).mkdir(exist_ok=True)


def replace_with(folder: Path, fresh: Path) -> Path | None:
    """Replace a folder's contents by prepared files that are synced; return where the old ones are.

    Return None if there were none. Raises OSError.
    """
    fresh.rename(folder / NEW)
    sync_folder(folder)
    return finish(folder)


def finish(folder: Path) -> Path | None:
    """Finish a stopped restore, if there is one; return where the old hands are now."""
    new = folder / NEW
    if not new.exists():
        return None
    old = new / OLD
    for name in (*PICTURES, LOG):  # the log last: it completes the restore
        if (new / name).exists():
            for each in (name, *(OPEN_ENDS if name == LOG else ())):
                if (folder / each).exists():
                    (folder / each).rename(old / each)
            (new / name).rename(folder / name)
    aside = _put_aside(folder, old) if old.exists() else None
    shutil.rmtree(new)
    sync_folder(folder)
    return aside


def _put_aside(folder: Path, old: Path) -> Path | None:
    if not any(old.iterdir()):
        old.rmdir()
        return None
    numbered = (folder / f"replaced-{number}" for number in itertools.count(1))
    return old.rename(next(path for path in numbered if not path.exists()))
