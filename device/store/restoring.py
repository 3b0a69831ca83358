"""What a backup holds takes the place of a data folder: all of it, also when the plug is pulled.

Once what was unpacked has its name, NEW, the restore will be finished, by whoever uses the folder
next: what is still in there has not taken its place yet. Nobody else may use the folder.
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
"""The folder of what is about to take its place; in it, under OLD, what it takes the place of."""

OLD = "replaced"

JOURNAL = f"{LOG}-journal"
"""Beside a log that is just begun, or of an earlier format, while it is written to."""

OPEN_ENDS = (f"{LOG}-wal", f"{LOG}-shm", JOURNAL)
"""Of the log. They go aside with it, and nothing takes their place: another's would spoil it."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Have a folder alone, with what was stopped in it finished; raise StoreError, OSError."""
    with closing(FolderLock(folder)) as in_use:
        if not in_use.take_alone():
            raise StoreError(f"A Tongbox is running with {folder}. Please stop it first.")
        finish(folder)
        sweep(folder)
        yield


def prepare(fresh: Path) -> None:
    """Make ready what was unpacked: that a part is in there says that it has not been moved."""
    for name in (*PICTURES, OLD):
        (fresh / name).mkdir(exist_ok=True)


def replace_with(folder: Path, fresh: Path) -> Path | None:
    """Let what was prepared, safely on disk, take its place; return where the old hands are now.

    None if there was nothing. Raises OSError.
    """
    fresh.rename(folder / NEW)
    sync_folder(folder)
    return finish(folder)


def finish(folder: Path) -> Path | None:
    """Finish a restore that was stopped, if there is one; return where the old hands are now."""
    new = folder / NEW
    if not new.exists():
        return None
    old = new / OLD
    for name in (*PICTURES, LOG):  # the log last: with it the hands are there
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
