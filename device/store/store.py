"""What the box remembers: an append-only log of events in SQLite, and the photographs beside it.

No event is ever changed or removed; what the page shows is derived by replaying the events of a
stream: of a hand, say (`device.hands.hand`). Which events there are says `device.store.events`. One
that is none of these, or torn, is refused in words, or told and left out where many streams are
looked through, so that it hides no other.

Photographs are files named by their SHA-256, so that the evidence can be checked and a photo sent
twice is kept once. Small pictures of a tile set's tiles lie apart, by set: players may have these
deleted, of which an event tells (`device.tilesets.tile_sets`).
"""

from __future__ import annotations

import hashlib
import logging
import shutil
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from device.store import files
from device.store.errors import (
    DiskFullError,
    MovedOnError,
    NoFileError,
    StoreError,
    TornEventError,
    telling_files,
    telling_log,
)
from device.store.events import (
    CutBack,
    Envelope,
    Event,
    EventError,
    HandBegun,
    PhotoTaken,
    event_from_json,
    event_to_json,
)
from device.store.lock import FolderLock
from device.store.restoring import LOG, finish
from device.store.salvage import mend
from device.store.schema import bring_up_to_date

RESERVE = 32 * 2**20
"""Bytes of the disk that no photograph takes: the events of years of play. So a disk that fills up
refuses photographs long before it refuses a score."""


_UNUSABLE = "The data folder cannot be used"


_Of = TypeVar("_Of", bound=Event)

_log = logging.getLogger(__name__)


class Extent(NamedTuple):
    """Which events a stream has: as long as these are the same, it comes to the same."""

    last: int
    """Number of the last."""
    events: int
    """How many there are."""
    at: str
    """When the last was written: after a restore, its number may be another event's."""


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
                    mend(folder)
                self._in_use.share()
                self._photos.mkdir(exist_ok=True)
                files.sync_folder(folder)
                self._db = _opened(folder / LOG)
        except StoreError:
            self._in_use.close()
            raise
        self._news = threading.Condition()
        self._newest = 0
        self.derived: dict[str, object] = {}
        """What is remembered of streams, by sort; all of it can be derived again."""
        self._told: set[int] = set()  # numbers of the torn events that were told already

    def close(self) -> None:
        """Close the log; the store is of no use afterwards."""
        with self._lock:
            self._db.close()
            self._in_use.close()

    def try_write(self) -> None:
        """Write to the log and beside the photographs, what changes nothing; raise StoreError.

        The log's own number of its format is written anew, as an event would be.
        """
        with telling_files(_UNUSABLE), files.tried(self._photos) as file:
            file.write(b"tongbox")
        with self._lock, telling_log():
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            self._db.execute(f"PRAGMA user_version = {version}")

    def append(
        self, stream: str, event: Event, *, after: int | None = None, news: bool = True
    ) -> int:
        """Add one event, safely on disk when this returns; return its number.

        `after` is the number of the stream's last event when this one was decided on, 0 for a
        stream that begins with it; raises MovedOnError when there is a later one by now, whoever
        wrote it. Without `news`, nobody is told: what one phone does alone makes no other look
        again. Raises EventError for one whose fields are not as the catalogue says.
        """
        text = event_to_json(event)
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        with self._lock, telling_log():
            cursor = self._db.execute(
                _APPEND,
                {"stream": stream, "kind": event.kind, "json": text, "at": at, "after": after},
            )
            if not cursor.rowcount:
                raise MovedOnError(stream)
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

    def events(self, stream: str) -> tuple[Envelope[Event], ...]:
        """Return all events of one stream, oldest first; none for a stream that is not known.

        Raises TornEventError for the first that is none of the catalogue's.
        """
        rows = self._rows(f"{_SELECT} WHERE stream = ? ORDER BY seq", (stream,))
        return tuple(map(_envelope, rows))

    def stream(self, stream: str, after: int = 0) -> tuple[Envelope[Event] | TornEventError, ...]:
        """Return the events of one stream above a number, oldest first, torn ones among them."""
        rows = self._rows(f"{_SELECT} WHERE stream = ? AND seq > ? ORDER BY seq", (stream, after))
        return tuple(map(_envelope_or_torn, rows))

    def raw(self, stream: str) -> list[tuple[int, str, str, str, str]]:
        """Return the rows of a stream as they are, oldest first: seq, stream, kind, json, at."""
        rows = self._rows(f"{_SELECT} WHERE stream = ? ORDER BY seq", (stream,))
        return [(int(row[0]), *map(str, row[1:])) for row in rows]  # type: ignore[misc]

    def extents(self, streams: Iterable[str]) -> dict[str, Extent]:
        """Return which events streams have, without reading them; nothing of unknown ones."""
        asked = tuple(streams)
        query = f"{_EXTENTS} WHERE stream IN ({', '.join('?' * len(asked))}) GROUP BY stream"
        return {stream: Extent(*extent) for stream, *extent in self._rows(query, asked)}

    def newest_of(self, stream: str) -> Envelope[Event] | None:
        """Return the newest whole event of one stream, if there is one."""
        return self._newest_where("stream", stream)

    def latest(self, kind: type[_Of]) -> Envelope[_Of] | None:
        """Return the newest whole event of a kind, whichever stream it belongs to."""
        return cast("Envelope[_Of] | None", self._newest_where("kind", kind.kind))

    def _newest_where(self, column: str, value: str) -> Envelope[Event] | None:
        query = f"{_SELECT} WHERE {column} = ? ORDER BY seq DESC LIMIT ?"
        for limit in (1, -1):  # all of them only if the newest is torn
            for found in self._whole(self._rows(query, (value, limit))):
                return found
        return None

    def hands(self, limit: int) -> tuple[str, ...]:
        """Return the ids of the newest hands, newest first; -1 for all."""
        return self.with_event(PhotoTaken, HandBegun, limit=limit)

    def with_event(self, *kinds: type[Event], limit: int) -> tuple[str, ...]:
        """Return the ids of the streams that have an event of a kind, the newest such first.

        No event is read for it, so a torn one counts. A `limit` of -1 is none.
        """
        query = _newest_first("SELECT seq, stream FROM events", kinds)
        found: dict[str, None] = {}
        with self._lock, telling_log(), closing(self._db.execute(query, _names(kinds))) as rows:
            for _, stream in rows:
                if len(found) == limit:
                    break
                found[str(stream)] = None
        return tuple(found)

    def of_kinds(self, *kinds: type[_Of]) -> tuple[Envelope[_Of], ...]:
        """Return all whole events of these kinds, oldest first; torn ones are told."""
        query = f"{_SELECT} WHERE kind IN ({_marks(kinds)}) ORDER BY seq"
        whole = tuple(self._whole(self._rows(query, _names(kinds))))
        return cast("tuple[Envelope[_Of], ...]", whole)

    def tally(self) -> dict[str, int]:
        """Return how many events there are of each kind, by its name in the log."""
        return dict(self._rows("SELECT kind, COUNT(*) FROM events GROUP BY kind", ()))

    def torn(self, *, cut: bool = False) -> Iterator[TornEventError]:
        """Yield what is wrong with each event that is torn or unknown, oldest first.

        Without `cut`, none of those that were cut off since.
        """
        cuts = self.of_kinds(CutBack)
        looked = 0  # up to which number; a part at a time, for the log of years is large
        while rows := self._rows(f"{_SELECT} WHERE seq > ? ORDER BY seq LIMIT {_PART}", (looked,)):
            for row in rows:
                try:
                    _envelope(row)
                except TornEventError as error:
                    if cut or not _is_cut(error, cuts):
                        yield error
            looked = rows[-1][0]

    def tell(self, error: TornEventError) -> None:
        """Name an event that is left out in the log file, once."""
        if error.seq not in self._told:
            self._told.add(error.seq)
            _log.error("Left out: %s", error)

    def _whole(self, rows: Iterable[tuple[Any, ...]]) -> Iterator[Envelope[Event]]:
        """Yield the events that are whole, and tell of the others."""
        for row in rows:
            try:
                yield _envelope(row)
            except TornEventError as error:
                self.tell(error)

    def newest_of_kinds(self, *kinds: type[Event], limit: int) -> tuple[Envelope[Event], ...]:
        """Return the newest whole events of these kinds, newest first; torn ones are told."""
        query = f"{_newest_first(_SELECT, kinds)} LIMIT ?"
        return tuple(self._whole(self._rows(query, (*_names(kinds), limit))))

    def _rows(self, query: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._lock, telling_log(), closing(self._db.execute(query, values)) as cursor:
            return cursor.fetchall()

    def keep_photo(self, data: bytes, suffix: str = "") -> str:
        """Keep a picture's bytes; return the name that `photo` takes."""
        name = hashlib.sha256(data).hexdigest() + suffix
        self._keep(files.named(self._photos, name), data)
        return name

    def keep_crop(self, tile_set: str, data: bytes) -> str:
        """Keep a tile's picture with its set; return its name."""
        name = hashlib.sha256(data).hexdigest() + ".png"
        self._keep(files.named(self._crops, tile_set, name), data)
        return name

    def _keep(self, path: Path, data: bytes) -> None:
        with telling_files("A photograph cannot be kept"):
            path.parent.mkdir(parents=True, exist_ok=True)
            if shutil.disk_usage(path.parent).free < self._reserve + len(data):
                raise DiskFullError
            files.write(path, data)

    def crop(self, tile_set: str, name: str) -> bytes:
        """Return the bytes of a tile's picture; raise StoreError when there are none."""
        return files.read(files.named(self._crops, tile_set, name))

    def crops(self, tile_set: str) -> frozenset[str]:
        """Return the names of a set's pictures."""
        try:
            folder = files.named(self._crops, tile_set)
        except NoFileError:
            return frozenset()
        return frozenset(path.name for path in folder.glob("*.png"))

    def delete_crops(self, tile_set: str, names: Iterable[str]) -> None:
        """Delete pictures of a set's tiles from the disk."""
        for name in self.crops(tile_set).intersection(names):
            files.named(self._crops, tile_set, name).unlink(missing_ok=True)

    def photo_size(self, name: str) -> int:
        """Return how many bytes a picture takes up, 0 if it is not there."""
        try:
            return files.named(self._photos, name).stat().st_size
        except (NoFileError, FileNotFoundError):
            return 0

    def delete_photo(self, name: str) -> int:
        """Delete a picture from the disk if it is there; return how many bytes that frees."""
        size = self.photo_size(name)
        if size:
            with telling_files("A photograph cannot be deleted"):
                files.named(self._photos, name).unlink(missing_ok=True)
        return size

    def photo(self, name: str) -> bytes:
        """Return the bytes kept under a name; raise StoreError when there are none."""
        return files.read(files.named(self._photos, name))


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


_PART = 500
"""Events that are looked through at once: some megabytes."""

_SELECT = "SELECT seq, stream, kind, json, at FROM events"

_EXTENTS = "SELECT stream, MAX(seq), COUNT(*), at FROM events"
"""SQLite takes a column beside MAX from the very row that has it."""

_APPEND = """
    INSERT INTO events (stream, kind, json, at) SELECT :stream, :kind, :json, :at
    WHERE :after IS NULL
       OR :after = (SELECT COALESCE(MAX(seq), 0) FROM events WHERE stream = :stream)
"""
"""The look at the stream's last event and the writing are one statement: nobody comes between."""


def _names(kinds: Iterable[type[Event]]) -> tuple[str, ...]:
    return tuple(each.kind for each in kinds)


def _newest_first(select: str, kinds: tuple[type[Event], ...]) -> str:
    """Return the query for the events of these kinds, the newest first; `select` names `seq`.

    The index has those of each kind in order, and SQLite merges them as they are asked for: however
    many there are, none but the newest is looked at. `kind IN (...)` would sort them all.
    """
    return " UNION ALL ".join([f"{select} WHERE kind = ?"] * len(kinds)) + " ORDER BY seq DESC"


def _marks(kinds: tuple[type[Event], ...]) -> str:
    return ", ".join("?" * len(kinds))


def _envelope(row: tuple[Any, ...]) -> Envelope[Event]:
    """Return the event of a row; raise TornEventError."""
    seq, stream, kind, text, at = row
    try:
        return Envelope(seq, stream, event_from_json(kind, text), datetime.fromisoformat(at))
    except (EventError, ValueError, TypeError) as error:
        raise TornEventError(seq, stream, kind, str(error), str(text)) from error


def _is_cut(torn: TornEventError, cuts: Iterable[Envelope[CutBack]]) -> bool:
    return any(
        torn.stream == each.stream and each.event.since <= torn.seq < each.seq for each in cuts
    )


def _envelope_or_torn(row: tuple[Any, ...]) -> Envelope[Event] | TornEventError:
    try:
        return _envelope(row)
    except TornEventError as error:
        return error
