"""What the box remembers: an append-only log of events in SQLite, and the photographs beside it.

No event is ever changed or removed; what the page shows is derived by replaying a hand's events
(`device.hands.hand`). Photographs are files named by their SHA-256, so that the evidence can be
checked and a photo sent twice is kept once. Small pictures of a tile set's tiles lie apart, by set:
players may have these deleted, of which an event tells (`device.tilesets.tile_sets`).
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from device.store import files
from device.store.errors import DiskFullError, StoreError, telling_files, telling_log
from device.store.lock import FolderLock
from device.store.restoring import LOG, finish
from device.store.schema import bring_up_to_date

RESERVE = 32 * 2**20
"""Bytes of the disk that no photograph takes: the events of years of play. So a disk that fills up
refuses photographs long before it refuses a score."""


_UNUSABLE = "The data folder cannot be used"


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to one hand."""

    seq: int
    """Grows by the order of happening over all hands."""
    hand: str
    kind: str
    data: Mapping[str, Any]
    at: datetime
    """Wall time, UTC: for people to read, never to order by."""


class Store:
    """The events and photographs in one folder; safe to share between threads."""

    def __init__(self, folder: Path, reserve: int = RESERVE) -> None:
        """Open the folder, or begin it; raise StoreError when it is no use."""
        self.folder = folder
        self._photos = folder / "photos"
        self._crops = folder / "crops"
        self._reserve = reserve
        with telling_files(_UNUSABLE):
            folder.mkdir(parents=True, exist_ok=True)
            self._in_use = FolderLock(folder)
        # One connection behind one lock makes one writer: no "database is locked", ever.
        self._lock = threading.Lock()
        try:
            with telling_files(_UNUSABLE), telling_log():
                if self._in_use.take_alone():
                    finish(folder)
                    files.sweep(folder)
                self._in_use.share()
                self._photos.mkdir(exist_ok=True)
                files.sync_folder(folder)
                self._db = _opened(folder / LOG)
        except StoreError:
            self._in_use.close()
            raise
        self._news = threading.Condition()
        self._newest = 0

    def close(self) -> None:
        """Close the log; the store is of no use afterwards."""
        with self._lock:
            self._db.close()
            self._in_use.close()

    def append(self, hand: str, kind: str, data: Mapping[str, Any], *, news: bool = True) -> int:
        """Add one event, safely on disk when this returns; return its number.

        Without `news`, nobody is told: what one phone does alone makes no other look again.
        """
        text = json.dumps(data, separators=(",", ":"), allow_nan=False)
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        with self._lock, telling_log():
            cursor = self._db.execute(
                "INSERT INTO events (hand, kind, json, at) VALUES (?, ?, ?, ?)",
                (hand, kind, text, at),
            )
            seq = int(cursor.lastrowid or 0)
        if news:
            with self._news:
                self._newest = max(self._newest, seq)
                self._news.notify_all()
        return seq

    def newer(self, than: int, timeout: float) -> int:
        """Return the newest event's number as soon as it is above `than`, or after `timeout` s."""
        with self._news:
            if not self._newest:
                self._newest = self._last()
            self._news.wait_for(lambda: self._newest > than, timeout)
            return self._newest

    def _last(self) -> int:
        return int(self._rows("SELECT COALESCE(MAX(seq), 0) FROM events", ())[0][0])

    def events(self, hand: str) -> tuple[Event, ...]:
        """Return all events of one hand, oldest first; none for a hand that is not known."""
        rows = self._rows("SELECT * FROM events WHERE hand = ? ORDER BY seq", (hand,))
        return tuple(_event(row) for row in rows)

    def newest_of(self, hand: str) -> Event | None:
        """Return the newest event of one hand; None for a hand that is not known."""
        rows = self._rows("SELECT * FROM events WHERE hand = ? ORDER BY seq DESC LIMIT 1", (hand,))
        return _event(rows[0]) if rows else None

    def latest(self, kind: str) -> Event | None:
        """Return the newest event of a kind, whichever hand it belongs to."""
        rows = self._rows("SELECT * FROM events WHERE kind = ? ORDER BY seq DESC LIMIT 1", (kind,))
        return _event(rows[0]) if rows else None

    def hands(self, limit: int) -> tuple[str, ...]:
        """Return the ids of the newest hands, newest first."""
        return self.with_event(("photo-taken", "hand-begun"), limit)

    def with_event(self, kinds: str | Sequence[str], limit: int) -> tuple[str, ...]:
        """Return the ids of what has an event of a kind, the newest such event first."""
        wanted = (kinds,) if isinstance(kinds, str) else tuple(kinds)
        marks = ", ".join("?" * len(wanted))
        query = (
            f"SELECT hand FROM events WHERE kind IN ({marks}) "  # noqa: S608 - marks alone
            "GROUP BY hand ORDER BY MAX(seq) DESC LIMIT ?"
        )
        return tuple(str(row[0]) for row in self._rows(query, (*wanted, limit)))

    def of_kinds(self, kinds: Iterable[str]) -> tuple[Event, ...]:
        """Return all events of these kinds, oldest first."""
        wanted = tuple(kinds)
        marks = ", ".join("?" * len(wanted))
        query = f"SELECT * FROM events WHERE kind IN ({marks}) ORDER BY seq"  # noqa: S608
        return tuple(_event(row) for row in self._rows(query, wanted))

    def newest_of_kinds(self, kinds: Iterable[str], limit: int) -> tuple[Event, ...]:
        """Return the newest events of these kinds, newest first."""
        wanted = tuple(kinds)
        marks = ", ".join("?" * len(wanted))
        query = (
            f"SELECT * FROM events WHERE kind IN ({marks}) "  # noqa: S608 - marks alone
            "ORDER BY seq DESC LIMIT ?"
        )
        return tuple(_event(row) for row in self._rows(query, (*wanted, limit)))

    def _rows(self, query: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._lock, telling_log(), closing(self._db.execute(query, values)) as cursor:
            return cursor.fetchall()

    def keep_photo(self, data: bytes, suffix: str = "") -> str:
        """Keep a picture's bytes; return the name that `photo` takes."""
        name = hashlib.sha256(data).hexdigest() + suffix
        self._keep(self._photos / name, data)
        return name

    def keep_crop(self, tile_set: str, data: bytes) -> str:
        """Keep a tile's picture with its set; return its name."""
        name = hashlib.sha256(data).hexdigest() + ".png"
        self._keep(self._crops / tile_set / name, data)
        return name

    def _keep(self, path: Path, data: bytes) -> None:
        with telling_files("A photograph cannot be kept"):
            path.parent.mkdir(parents=True, exist_ok=True)
            if shutil.disk_usage(path.parent).free < self._reserve + len(data):
                raise DiskFullError
            files.write(path, data)

    def crop(self, tile_set: str, name: str) -> bytes:
        """Return the bytes of a tile's picture; raise StoreError when there are none."""
        return _read(self._crops / tile_set / name)

    def crops(self, tile_set: str) -> frozenset[str]:
        """Return the names of a set's pictures."""
        return frozenset(path.name for path in (self._crops / tile_set).glob("*.png"))

    def delete_crops(self, tile_set: str, names: Iterable[str]) -> None:
        """Delete pictures of a set's tiles from the disk."""
        for name in names:
            (self._crops / tile_set / name).unlink(missing_ok=True)

    def photo_size(self, name: str) -> int:
        """Return how many bytes a picture takes up, 0 if it is not there."""
        try:
            return (self._photos / name).stat().st_size
        except FileNotFoundError:
            return 0

    def delete_photo(self, name: str) -> int:
        """Delete a picture from the disk if it is there; return how many bytes that frees."""
        size = self.photo_size(name)
        with telling_files("A photograph cannot be deleted"):
            (self._photos / name).unlink(missing_ok=True)
        return size

    def photo(self, name: str) -> bytes:
        """Return the bytes kept under a name; raise StoreError when there are none."""
        return _read(self._photos / name)


def _opened(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    try:
        # A score must survive a pulled plug. WAL appends, so a commit is one sync instead of
        # several on a slow SD card; FULL makes that sync part of each commit, where WAL's
        # usual NORMAL could lose the last few.
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        bring_up_to_date(db, path)
    except (StoreError, sqlite3.Error):
        db.close()
        raise
    return db


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StoreError(f"The photograph {path.name} is not in the data folder.") from error


def _event(row: tuple[Any, ...]) -> Event:
    seq, hand, kind, text, at = row
    try:
        data = json.loads(text)
        when = datetime.fromisoformat(at)
    except (ValueError, TypeError) as error:
        raise StoreError(f"Event {seq} of the log is torn: {error}") from error
    if not isinstance(data, dict):
        raise StoreError(f"Event {seq} of the log is torn: it holds no fields")
    return Event(seq, hand, kind, data, when)
