"""Copy the log before an update, and put the copy back if the update is undone.

deploy/changing.sh runs `python -m device.store.updating keep|back FOLDER`, also of another version,
so the name of this module must stay. No box may be running. Both commands may be interrupted and
repeated.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from device.store.data_folder import LOG_FILE, REPLACED_FOLDER, replace_folder, use_folder_alone
from device.store.errors import StoreError, translate_file_errors, translate_log_errors
from device.store.files import UNFINISHED_PREFIX, sync_folder, write_whole

BACKUP_FOLDER = "before-update"
"""The folder with the copy."""


def keep_log(folder: Path) -> None:
    """Copy the log of a folder, safely on disk when this returns; raise StoreError."""
    with translate_file_errors("The hands cannot be copied"), use_folder_alone(folder):
        backup_folder = folder / BACKUP_FOLDER
        backup_folder.mkdir(exist_ok=True)
        for earlier in backup_folder.glob(f"{LOG_FILE}*"):  # with SQLite's files beside it
            earlier.unlink()
        if (folder / LOG_FILE).exists():
            _copy(folder / LOG_FILE, backup_folder / LOG_FILE)
        sync_folder(backup_folder)


def put_log_back(folder: Path) -> Path | None:
    """Put the copy back if the older Tongbox cannot read the log; raise StoreError.

    A log of the same format stays, with all that was played meanwhile: events that the older
    version does not know are logged and left out. Return the folder with the replaced files.
    """
    backup_log = folder / BACKUP_FOLDER / LOG_FILE
    with translate_file_errors("The hands cannot be put back"), use_folder_alone(folder):
        if not backup_log.exists() or _read_format(folder / LOG_FILE) == _read_format(backup_log):
            return None
        fresh = Path(tempfile.mkdtemp(prefix=UNFINISHED_PREFIX, dir=folder))
        (fresh / REPLACED_FOLDER).mkdir()
        _copy_bytes(backup_log, fresh / LOG_FILE)
        return replace_folder(folder, fresh)


def _copy(log: Path, target: Path) -> None:
    """Copy a log with its write-ahead log; copy a torn one byte by byte."""
    try:
        with _open_log(log) as db, closing(sqlite3.connect(target)) as copy:
            db.backup(copy)
    except sqlite3.OperationalError as error:  # no room, for one
        with translate_log_errors():
            raise error
    except sqlite3.DatabaseError:
        target.unlink(missing_ok=True)
        _copy_bytes(log, target)


def _copy_bytes(path: Path, target: Path) -> None:
    with path.open("rb") as source, write_whole(target) as file:
        shutil.copyfileobj(source, file)


def _read_format(log: Path) -> int | None:
    """Return a log's format; None for a torn or missing log."""
    try:
        with _open_log(log) as db:
            (problem,) = db.execute("PRAGMA quick_check(1)").fetchone()
            (version,) = db.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error:
        return None
    return int(version) if problem == "ok" else None


def _open_log(log: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(f"{log.absolute().as_uri()}?mode=rw", uri=True))


def main(action: str, folder: Path) -> int:
    """Keep the log or put it back, and say what happened; return 1 on failure."""
    try:
        if action == "keep":
            keep_log(folder)
        elif old_log := put_log_back(folder):
            sys.stdout.write(f"What the newer version wrote is kept in {old_log}.\n")
    except StoreError as error:
        sys.stdout.write(f"tongbox: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
