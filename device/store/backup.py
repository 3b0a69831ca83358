"""Back up a data folder to one file, and restore it.

The file is a plain tar: the log, the photographs, the pictures of tiles, and last a list of them
with their SHA-256. A backup to be restored may come from anywhere. Only files of the kinds that
`tongbox backup` writes are accepted, each within its size limit and as its checksum says.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from device.store import Store, StoreError, restoring
from device.store.archive import LIST, NAMES, contents
from device.store.derived import forget
from device.store.errors import telling_files, telling_log
from device.store.files import HALF, give_to_owner, whole
from device.store.inspection import check_foreign_log, check_own_log
from device.store.lock import FolderLock
from device.store.restoring import LOG, PICTURES
from device.store.store import RESERVE


def back_up(folder: Path, target: Path) -> int:
    """Write a data folder to a file, completely or not at all; return the number of pictures.

    The box may be serving. Raises StoreError, also if the target exists.
    """
    if not (folder / LOG).is_file():
        raise StoreError(f"No hands are kept in {folder}.")
    if target.exists():
        raise StoreError(f"There is a file {target} already. Please choose another name.")
    with (
        telling_files(f"{target} cannot be written"),
        closing(FolderLock(folder)) as in_use,
        tempfile.TemporaryDirectory(prefix=HALF, dir=target.parent) as beside,
        whole(target) as file,
    ):
        in_use.share()
        log = Path(beside) / LOG
        copy_log(folder / LOG, log)
        # After the log, so that every picture that the log names is included.
        pictures = [path for kind in PICTURES for path in (folder / kind).rglob("*")]
        return _pack(file, {LOG: log} | {str(p.relative_to(folder)): p for p in pictures})


def copy_log(log: Path, target: Path) -> None:
    """Copy a log that may be in use, and check the copy; raise StoreError."""
    with (
        telling_log(),
        closing(sqlite3.connect(f"{log.absolute().as_uri()}?mode=rw", uri=True)) as db,
        closing(sqlite3.connect(target)) as copy,
    ):
        db.backup(copy)
    check_own_log(target)


def _pack(file: BinaryIO, paths: dict[str, Path]) -> int:
    hashes: dict[str, str] = {}
    with tarfile.open(fileobj=file, mode="w") as tar:
        for name, path in paths.items():
            # A file with another name is unfinished, or not ours. A file that is gone by now was
            # deleted, as players may do at any time.
            with suppress(FileNotFoundError):
                if NAMES.fullmatch(name):
                    with path.open("rb") as data:
                        hashes[name] = hashlib.file_digest(data, "sha256").hexdigest()
                        _add(tar, name, data)
        _add(tar, LIST, io.BytesIO(json.dumps(hashes, indent=0).encode()))
    return len(hashes) - 1


def _add(tar: tarfile.TarFile, name: str, data: BinaryIO) -> None:
    member = tarfile.TarInfo(name)
    member.size = data.seek(0, io.SEEK_END)
    data.seek(0)
    tar.addfile(member, data)


def restore(
    archive: Path,
    folder: Path,
    *,
    replace: bool = False,
    check: Callable[[Store], None] = lambda _: None,
) -> Path | None:
    """Check a backup and restore it to a folder; return where the old hands are now.

    A folder that holds hands is refused. With `replace`, its hands are put aside in a folder
    within it. `check` examines the restored store, and may refuse it by raising. Raises StoreError
    for a damaged backup, for one of a newer format, and while the folder is in use. Nothing is
    changed then.
    """
    if not archive.is_file():
        raise StoreError(f"There is no file {archive}.")
    with telling_files(
        f"The backup cannot be restored to {folder}. Please see that you may write there, or "
        "choose another folder with --data. Nothing was changed. The system says"
    ):
        folder.mkdir(parents=True, exist_ok=True)
        with restoring.alone(folder):
            if _holds_hands(folder) and not replace:
                raise StoreError(
                    f"{folder} holds hands already. With --replace they are put aside, and the "
                    "backup takes their place."
                )
            with _unpacked(archive, folder, check) as fresh:
                return restoring.replace_with(folder, fresh)


@contextmanager
def _unpacked(archive: Path, folder: Path, check: Callable[[Store], None]) -> Iterator[Path]:
    """Unpack and check a backup in a temporary folder within `folder`."""
    with archive.open("rb") as file, tempfile.TemporaryDirectory(prefix=HALF, dir=folder) as name:
        fresh = Path(name)
        try:
            found = contents(file)
            _check_room(folder, found.size)
            found.unpack(file, fresh)
        except (tarfile.TarError, ValueError) as error:
            raise StoreError(f"{archive} is not a whole backup: {error}.") from error
        check_foreign_log(fresh / LOG)
        with closing(Store(fresh)) as store:  # migrates an older log, refuses a newer one
            check(store)
            forget(store.log)  # the file may come from anywhere: believe its events alone
        restoring.prepare(fresh)
        give_to_owner(fresh, folder)
        os.sync()
        yield fresh


def _check_room(folder: Path, needed: int) -> None:
    """Raise StoreError if that many bytes do not fit on the disk."""
    free = shutil.disk_usage(folder).free
    if needed + RESERVE > free:
        raise StoreError(
            f"The backup holds {needed / 1e6:.0f} MB, and there are only {free / 1e6:.0f} MB free "
            f"at {folder}. Please make room, or choose another folder with --data. Nothing was "
            "changed."
        )


def _holds_hands(folder: Path) -> bool:
    """Whether there is a log with events. An unreadable log may have some."""
    if not (folder / LOG).exists():
        return False
    try:
        with closing(sqlite3.connect(folder / LOG)) as db:
            (some,) = db.execute("SELECT EXISTS (SELECT 1 FROM events)").fetchone()
    except sqlite3.Error:
        return True
    return bool(some)
