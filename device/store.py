"""What the box remembers: an append-only log of events in SQLite, and the photographs beside it.

No event is ever changed or removed; what the page shows is derived by replaying a hand's events
(`device.hands`). Photographs are files named by their SHA-256, so that the evidence can be checked
and a photo sent twice is kept once. Small pictures of a tile set's tiles lie apart, by set: players
may have these deleted, of which an event tells (`device.tile_sets`).
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

SCHEMA_VERSION = 1

_SCHEMA = """
CREATE TABLE events (
    seq  INTEGER PRIMARY KEY AUTOINCREMENT,
    hand TEXT NOT NULL,
    kind TEXT NOT NULL,
    json TEXT NOT NULL CHECK (json_valid(json)),
    at   TEXT NOT NULL
);
CREATE INDEX events_by_hand ON events (hand, seq);
CREATE TRIGGER events_stay BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_last BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never removed'); END;
"""


class StoreError(Exception):
    """The store's files are missing something, torn, full, or of another version."""


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

    def __init__(self, folder: Path) -> None:
        self._photos = folder / "photos"
        self._photos.mkdir(parents=True, exist_ok=True)
        self._crops = folder / "crops"
        # One connection behind one lock makes one writer: no "database is locked", ever.
        self._lock = threading.Lock()
        self._db = sqlite3.connect(
            folder / "events.sqlite3", check_same_thread=False, isolation_level=None
        )
        try:
            with _telling():
                self._prepare()
        except StoreError:
            self._db.close()
            raise

    def _prepare(self) -> None:
        # A score must survive a pulled plug. WAL appends, so a commit is one sync instead of
        # several on a slow SD card; FULL makes that sync part of each commit, where WAL's
        # usual NORMAL could lose the last few.
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version == 0:
            self._db.executescript(f"BEGIN;{_SCHEMA}PRAGMA user_version = {SCHEMA_VERSION};COMMIT;")
        elif version != SCHEMA_VERSION:
            raise StoreError(
                f"The data folder was written by another version of Tongbox (format {version}; "
                f"this one knows {SCHEMA_VERSION})."
            )

    def close(self) -> None:
        """Close the log; the store is of no use afterwards."""
        with self._lock:
            self._db.close()

    def append(self, hand: str, kind: str, data: Mapping[str, Any]) -> int:
        """Add one event, safely on disk when this returns; return its number."""
        text = json.dumps(data, separators=(",", ":"), allow_nan=False)
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        with self._lock, _telling():
            cursor = self._db.execute(
                "INSERT INTO events (hand, kind, json, at) VALUES (?, ?, ?, ?)",
                (hand, kind, text, at),
            )
            return int(cursor.lastrowid or 0)

    def events(self, hand: str) -> tuple[Event, ...]:
        """Return all events of one hand, oldest first; none for a hand that is not known."""
        rows = self._rows("SELECT * FROM events WHERE hand = ? ORDER BY seq", (hand,))
        return tuple(_event(row) for row in rows)

    def latest(self, kind: str) -> Event | None:
        """Return the newest event of a kind, whichever hand it belongs to."""
        rows = self._rows("SELECT * FROM events WHERE kind = ? ORDER BY seq DESC LIMIT 1", (kind,))
        return _event(rows[0]) if rows else None

    def hands(self, limit: int) -> tuple[str, ...]:
        """Return the ids of the newest hands, newest first."""
        return self.with_event("photo-taken", limit)

    def with_event(self, kind: str, limit: int) -> tuple[str, ...]:
        """Return the ids of what has an event of a kind, the newest such event first."""
        rows = self._rows(
            "SELECT hand FROM events WHERE kind = ? GROUP BY hand ORDER BY MAX(seq) DESC LIMIT ?",
            (kind, limit),
        )
        return tuple(str(row[0]) for row in rows)

    def _rows(self, query: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._lock, _telling(), closing(self._db.execute(query, values)) as cursor:
            return cursor.fetchall()

    def keep_photo(self, data: bytes, suffix: str = "") -> str:
        """Keep a picture's bytes; return the name that `photo` takes."""
        name = hashlib.sha256(data).hexdigest() + suffix
        self.keep_file(name, data)
        return name

    def keep_file(self, name: str, data: bytes) -> None:
        """Write a photograph whole or not at all, also when the plug is pulled half way."""
        _write(self._photos / name, data)

    def keep_crop(self, tile_set: str, data: bytes) -> str:
        """Keep a tile's picture with its set; return its name."""
        name = hashlib.sha256(data).hexdigest() + ".png"
        (self._crops / tile_set).mkdir(parents=True, exist_ok=True)
        _write(self._crops / tile_set / name, data)
        return name

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

    def photo(self, name: str) -> bytes:
        """Return the bytes kept under a name; raise StoreError when there are none."""
        return _read(self._photos / name)


def _write(path: Path, data: bytes) -> None:
    if path.exists():
        return
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        except OSError as error:
            Path(file.name).unlink()  # a full card must not be filled further with halves
            raise StoreError(f"A photograph cannot be kept: {error.strerror}.") from error
    Path(file.name).replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # the new name, too, must be on disk before an event speaks of it
    finally:
        os.close(folder)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StoreError(f"The photograph {path.name} is not in the data folder.") from error


@contextmanager
def _telling() -> Iterator[None]:
    """Raise what SQLite finds wrong with the log, or with the disk under it, as a StoreError."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"The log of events cannot be used: {error}.") from error


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
