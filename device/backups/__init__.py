"""Restore a backup from a phone: receive it, check it, put it in place at the next start.

What was on the box before is set aside in a folder of its own (`device.store.data_folder`). It can
be brought back in the same way, downloaded as a backup, or deleted.
"""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import msgspec

from device.club.people import PeopleRepository
from device.damage import examine_all
from device.damage.examination import PHOTOGRAPH_EVENTS
from device.host.piece_upload import PieceUpload
from device.settings import append_to_box
from device.store import Store, StoreError, data_folder
from device.store.backup import stream_folder, unpacked_backup
from device.store.data_folder import LOG_FILE
from device.store.errors import translate_file_errors, translate_log_errors
from device.store.events import BackupRestored, Event, HandBegun, MatchBegun, PhotoTaken
from device.store.integrity import open_read_only

MAX_BACKUP_BYTES = 16 * 2**30
"""Limit of a backup: some 5,000 evenings' photographs are smaller."""

_SPACE_FACTOR = 2
"""How many times its size a backup needs on the card: packed, and unpacked."""

_ABOUT_FILE = "about.json"


class NothingToRestoreError(Exception):
    """Another phone has restored it, or dropped it."""


@dataclass(frozen=True, slots=True)
class BackupContents:
    """What is in a backup."""

    matches: int
    hands: int
    photographs: int
    last: datetime | None
    """Time of the last event that is no restoration; None in an empty log."""
    torn_count: int = 0
    """Records that make no sense and are shown up to there."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """What was on the box before a restore."""

    name: str
    contents: BackupContents


class RestoreDesk:
    """Receives a backup and prepares it for the next start; safe to share between threads."""

    def __init__(self, store: Store, restart: Callable[[], None]) -> None:
        """`restart` ends this program and starts it again."""
        self._store, self._restart = store, restart
        self._folder = store.folder / "restore"
        self._lock = threading.Lock()
        self._pieces = PieceUpload(self._folder / "arriving.tar")
        restoration = store.latest(BackupRestored)
        self.restored_at = restoration.at if restoration else None
        """When a backup was last put in place; each is followed by a start."""

    @property
    def waiting_backup(self) -> BackupContents | None:
        """What is in the checked backup that waits for confirmation, or None."""
        try:
            return msgspec.json.decode(
                (self._checked_folder / _ABOUT_FILE).read_bytes(), type=BackupContents
            )
        except (OSError, msgspec.DecodeError):
            return None

    @property
    def last_change(self) -> datetime | None:
        """When the box itself last changed, but for restorations; None in an empty log."""
        try:
            with _read_log(self._store.folder) as db:
                return _last_change(db)
        except StoreError:
            return None

    @property
    def is_under_way(self) -> bool:
        """Whether the next start puts a backup in place."""
        return data_folder.is_replacement_wanted(self._store.folder)

    def has_room(self, size: int) -> bool:
        """Whether a backup of this size may come and fits on the disk."""
        free = shutil.disk_usage(self._store.folder).free
        return 0 < size <= MAX_BACKUP_BYTES and _SPACE_FACTOR * size < free

    def begin(self, size: int) -> str:
        """Begin a new upload of that many bytes; return the token for its pieces."""
        return self._pieces.begin(size)

    def take(self, token: str, offset: int, piece: bytes) -> int:
        """Append the next piece; return the bytes so far, raise UploadOutOfStepError."""
        with translate_file_errors("The backup cannot be received"):
            return self._pieces.take(token, offset, piece)

    def finish(self, token: str) -> BackupContents:
        """Check the complete upload and return what is in it; delete it and raise StoreError."""
        contents = BackupContents(0, 0, 0, None)

        def check(store: Store) -> None:
            nonlocal contents
            report = examine_all(store)
            torn_count = sum(each.stream not in report.headless for each in report.torn_events)
            contents = replace(_contents(store.folder), torn_count=torn_count)

        with (
            self._pieces.finish(token) as path,
            self._lock,
            translate_file_errors("The backup cannot be unpacked"),
            unpacked_backup(path, self._store.folder, check) as fresh,
        ):
            (fresh / _ABOUT_FILE).write_bytes(msgspec.json.encode(contents))
            self._drop()
            fresh.rename(self._checked_folder)
        return contents

    def drop(self) -> None:
        """Delete the checked backup."""
        with self._lock:
            self._drop()

    def restore(self) -> None:
        """Let the next start put the checked backup in place, and restart; raise StoreError."""
        with self._lock:
            if self.waiting_backup is None:
                raise NothingToRestoreError
            self._replace_by(self._checked_folder)
        self._restart()

    @property
    def set_aside(self) -> tuple[SetAside, ...]:
        """What earlier restores have set aside, the newest first."""
        folders = data_folder.list_replaced(self._store.folder)
        return tuple(
            SetAside(each.name, _contents(each)) for each in folders if (each / LOG_FILE).exists()
        )

    def bring_back(self, name: str) -> None:
        """Let the next start put back what was set aside, and restart; raise StoreError."""
        with self._lock:
            self._replace_by(self._set_aside_folder(name))
        self._restart()

    def delete(self, name: str) -> None:
        """Delete what was set aside; raise StoreError."""
        with self._lock, translate_file_errors("What was set aside cannot be deleted"):
            shutil.rmtree(self._set_aside_folder(name))

    def stream(self, name: str) -> Iterator[bytes]:
        """Yield what was set aside as a backup, piece by piece; raise StoreError."""
        return stream_folder(self._set_aside_folder(name))

    def has_hidden_names(self, name: str) -> bool:
        """Whether what was set aside names people who do not wish to be shown; raise StoreError."""
        with closing(Store(self._set_aside_folder(name))) as store:
            return bool(PeopleRepository(store).register().hidden_names)

    def _set_aside_folder(self, name: str) -> Path:
        for folder in data_folder.list_replaced(self._store.folder):
            if folder.name == name:
                return folder
        raise NothingToRestoreError

    def _replace_by(self, fresh: Path) -> None:
        if self.is_under_way:
            raise NothingToRestoreError
        with translate_file_errors("The backup cannot be put in place"):
            _continue_numbers(fresh, self._store.newer(-1, 0))
            data_folder.prepare_restore(fresh)
            data_folder.replace_at_next_start(self._store.folder, fresh)

    def _drop(self) -> None:
        shutil.rmtree(self._checked_folder, ignore_errors=True)

    @property
    def _checked_folder(self) -> Path:
        return self._folder / "checked"


def _contents(folder: Path) -> BackupContents:
    """Count what is in a log that no box uses; all is 0 where it cannot be read."""
    try:
        with _read_log(folder) as db:
            counts = dict(db.execute("SELECT kind, count(*) FROM events GROUP BY kind"))
            last = _last_change(db)
    except StoreError:
        counts, last = {}, None

    def count(*kinds: type[Event]) -> int:
        return sum(int(counts.get(each.kind, 0)) for each in kinds)

    return BackupContents(
        count(MatchBegun),
        count(HandBegun, PhotoTaken),
        count(*PHOTOGRAPH_EVENTS),
        last,
    )


@contextmanager
def _read_log(folder: Path) -> Iterator[sqlite3.Connection]:
    """Open a folder's log read-only; raise StoreError."""
    with translate_log_errors(), closing(open_read_only(folder / LOG_FILE)) as db:
        yield db


def _last_change(db: sqlite3.Connection) -> datetime | None:
    last = db.execute(
        "SELECT at FROM events WHERE kind != ? ORDER BY seq DESC LIMIT 1", (BackupRestored.kind,)
    ).fetchone()
    return datetime.fromisoformat(last[0]) if last else None


def _continue_numbers(folder: Path, newest_seq: int) -> None:
    """Let the events of a log that takes the place of another go on behind the other's last.

    So phones, which know how far they have read by these numbers, see that everything is new.
    """
    with translate_log_errors(), closing(sqlite3.connect(folder / LOG_FILE)) as db, db:
        db.execute("DELETE FROM sqlite_sequence WHERE name = 'events' AND seq < ?", (newest_seq,))
        db.execute(
            "INSERT INTO sqlite_sequence SELECT 'events', ? WHERE NOT EXISTS "
            "(SELECT 1 FROM sqlite_sequence WHERE name = 'events')",
            (newest_seq,),
        )
    with closing(Store(folder)) as store:
        append_to_box(store, BackupRestored())
