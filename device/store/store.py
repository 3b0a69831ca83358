"""The store of a box: an append-only log of events, and the photographs beside it.

No event is ever changed or removed. Pages show what the replay of a stream gives, such as a hand
(`device.hands.record`). `device.store.events` defines all events. A torn or unknown event is
refused in words. Where many streams are read, it is logged and left out, so that it hides no other.

Small pictures of tiles are kept apart from the photographs, by tile set. Players may delete them,
which is an event too (`device.tilesets.tile_sets`).
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from device.store import queries
from device.store.answer_cache import AnswerCache, Scope
from device.store.errors import ConcurrentChangeError, StoreError, TornEventError
from device.store.events import (
    CutBack,
    Envelope,
    Event,
    HandBegun,
    PhotoTaken,
    event_to_json,
)
from device.store.log import KindsSeen, Log, NewRow, Rows
from device.store.pictures import FolderPictures, Pictures
from device.store.queries import (
    StreamExtent,
    envelope_from_row,
    envelope_or_error,
    is_cut,
    split_batches,
)
from device.store.sqlite_log import SqliteLog

if TYPE_CHECKING:
    from device.store.shared_database import JobQueue

from collections.abc import Callable
from typing import TYPE_CHECKING

_Cache = TypeVar("_Cache")


class StoreCaches:
    """The caches of one store, each made once; safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._caches: dict[Callable[[Store], object], object] = {}

    def __iter__(self) -> Iterator[object]:
        return iter(tuple(self._caches.values()))

    def get(self, make: Callable[[Store], _Cache]) -> _Cache:
        """Return what `make` makes of the store, always the same object.

        `make` is the cache's class. It must not be a function that is defined anew at each call.
        """
        if make not in self._caches:
            self._caches.setdefault(make, make(self._store))
        return cast(_Cache, self._caches[make])  # of that type, for `make` made it

    def clear(self) -> None:
        """Forget everything, as after a restart. No other thread may be using the caches."""
        self._caches.clear()
        self._store.answers.clear()


RESERVED_BYTES = 32 * 2**20
"""Disk space that photographs leave free, enough for the events of years. So a disk that fills up
refuses photographs long before it refuses a score."""

_MAX_QUERY_EVENTS = 500
"""Events in one query: some megabytes."""

_MAX_QUERY_STREAMS = 500
"""Streams in one query."""

_EventType = TypeVar("_EventType", bound=Event)

_log = logging.getLogger(__name__)


def picture_name(data: bytes) -> str:
    """Return the name by which a picture is kept, without a suffix: the same for the same bytes."""
    return hashlib.sha256(data).hexdigest()


def wall_time() -> str:
    """Return the time as the log has it: UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class StoredForm(NamedTuple):
    """How the log has an event."""

    json: str
    time_text: str
    """The wall time."""


class Store:
    """The events and the photographs; safe to share between threads."""

    def __init__(
        self,
        folder: Path,
        reserve: int = RESERVED_BYTES,
        *,
        log: Log | None = None,
        pictures: Pictures | None = None,
        job_rows: JobQueue | None = None,
    ) -> None:
        """Open the store of a folder, or create it; raise StoreError.

        `log`, `pictures` and the job queue (`job_rows`) may be kept in a database instead
        (`device.store.store_url`).
        """
        self.folder = folder
        self.job_rows = job_rows
        self.log = log or SqliteLog(folder)
        try:
            self.pictures = pictures or FolderPictures(folder, reserve)
        except StoreError:
            self.log.close()
            raise
        self._news = threading.Condition()
        self._latest_number = 0
        self.caches = StoreCaches(self)
        self.answers = AnswerCache(self.log)
        """What requests remember of the log."""
        self._torn_numbers: set[int] = set()  # numbers of the torn events that were logged already
        self.log.listen(self._note_added)

    def close(self) -> None:
        """Close the log. The store cannot be used afterwards."""
        self.log.close()

    def try_write(self) -> None:
        """Check that events and photographs can be written; raise StoreError."""
        self.pictures.try_write()
        self.log.try_write()

    def append(
        self,
        stream: str,
        event: Event,
        *,
        after: int | None = None,
        kinds_seen: KindsSeen | None = None,
        news: bool = True,
        form: StoredForm | None = None,
    ) -> int:
        """Append an event, safely on disk when this returns; return its number.

        `after` is the expected number of the stream's last event, 0 for a new stream. `kinds_seen`
        names kinds of events that may not have been added to any stream since. Raises
        ConcurrentChangeError if there is a later one. Without `news`, no phone is notified.
        `form` is the event's, if it is encoded and checked already. Raises EventError for fields
        that are not as the catalogue says.
        """
        form = form or StoredForm(event_to_json(event), wall_time())
        row = NewRow(stream, event.kind, form.json, form.time_text, after, kinds_seen)
        seq = self.log.add(row, news=news)
        self.answers.note_addition()
        if seq is None:
            raise ConcurrentChangeError(stream)
        if news:
            self._note_added(seq)
        return seq

    def _note_added(self, seq: int) -> None:
        """Wake all who wait for news: any process has added the event of that number."""
        self.answers.note_addition()
        with self._news:
            self._latest_number = max(self._latest_number, seq)
            self._news.notify_all()

    def newer(self, number: int, timeout: float) -> int:
        """Wait until the newest number is above `number`, or `timeout` seconds; return it."""
        with self._news:
            if not self._latest_number:
                self._latest_number = self.last_number()
            self._news.wait_for(lambda: self._latest_number > number, timeout)
            return self._latest_number

    def last_number(self) -> int:
        """Return the number of the newest event of all; 0 without one.

        What this thread reads afterwards is at least as new.
        """
        self.answers.note_addition()
        return int(self._rows(queries.LAST_NUMBER)[0][0])

    def events(self, stream: str) -> tuple[Envelope[Event], ...]:
        """Return all events of a stream, oldest first; none for an unknown stream.

        Raises TornEventError for the first event that is not in the catalogue.
        """
        return tuple(
            map(envelope_from_row, self._rows(queries.ROWS_OF_STREAM, stream=stream, after=0))
        )

    def stream(self, stream: str, after: int = 0) -> tuple[Envelope[Event] | TornEventError, ...]:
        """Return the events of a stream above a number, oldest first, torn ones included."""
        if self.answers.is_last(stream, after):
            return ()
        return self.answers.get(
            ("stream", stream, after),
            Scope(streams=frozenset((stream,))),
            lambda: map(
                envelope_or_error, self._rows(queries.ROWS_OF_STREAM, stream=stream, after=after)
            ),
        )

    def events_after(self, seq: int, limit: int) -> tuple[Envelope[Event] | TornEventError, ...]:
        """Return the next events of all streams above a number, oldest first, torn ones too."""
        return tuple(map(envelope_or_error, self._rows(queries.rows_after(seq, limit))))

    def raw_rows(self, stream: str) -> list[tuple[int, str, str, str, str]]:
        """Return the raw rows of a stream, oldest first: seq, stream, kind, json, at."""
        rows = self._rows(queries.ROWS_OF_STREAM, stream=stream, after=0)
        return [(int(row[0]), *map(str, row[1:])) for row in rows]  # type: ignore[misc]

    def extents(self, streams: Iterable[str]) -> dict[str, StreamExtent]:
        """Return the extent of each known stream, without reading events."""
        return {
            stream: StreamExtent(*extent)
            for part in split_batches(streams, _MAX_QUERY_STREAMS)
            for stream, *extent in self.answers.get(
                ("extents", part),
                Scope(streams=frozenset(part)),
                partial(self._rows, queries.EXTENTS_OF_STREAMS, streams=part),
            )
        }

    def of_streams(
        self, streams: Iterable[str]
    ) -> dict[str, list[Envelope[Event] | TornEventError]]:
        """Return the events of several streams as `stream` does; unknown streams are left out."""
        events: dict[str, list[Envelope[Event] | TornEventError]] = {}
        for part in split_batches(streams, _MAX_QUERY_STREAMS):
            for row in self._rows(queries.ROWS_OF_STREAMS, streams=part):
                events.setdefault(row[1], []).append(envelope_or_error(row))
        return events

    def latest_of_streams(self, streams: Iterable[str]) -> dict[str, Envelope[Event]]:
        """Return the newest whole event of each stream that has one."""
        latest_events: dict[str, Envelope[Event] | None] = {}
        for part in split_batches(streams, _MAX_QUERY_STREAMS):
            for row in self._rows(queries.LAST_ROW_OF_STREAMS, streams=part):
                last = envelope_or_error(row)
                whole_event = last if isinstance(last, Envelope) else self.latest_of_stream(row[1])
                latest_events[row[1]] = whole_event
        return {stream: each for stream, each in latest_events.items() if each}

    def latest_of_stream(self, stream: str) -> Envelope[Event] | None:
        """Return the newest whole event of a stream, or None."""
        return self._latest_where("stream", stream, Scope(streams=frozenset((stream,))))

    def latest(self, kind: type[_EventType]) -> Envelope[_EventType] | None:
        """Return the newest whole event of a kind in any stream, or None."""
        scope = Scope(kinds=frozenset((kind.kind,)))
        return cast("Envelope[_EventType] | None", self._latest_where("kind", kind.kind, scope))

    def _latest_where(self, column: str, value: str, scope: Scope) -> Envelope[Event] | None:
        def ask() -> Iterator[Envelope[Event]]:
            for limit in (1, None):  # all of them only if the newest is torn
                rows = self._rows(queries.newest_rows_where(column, limit), value=value)
                for newest in self._whole_events(rows):
                    yield newest
                    return
                if not rows:
                    return

        return next(iter(self.answers.get((column, value), scope, ask)), None)

    def hands(self, limit: int) -> tuple[str, ...]:
        """Return the ids of the newest hands, newest first; a limit of -1 means all."""
        return self.with_event(PhotoTaken, HandBegun, limit=limit)

    def with_event(self, *kinds: type[Event], limit: int) -> tuple[str, ...]:
        """Return the ids of the streams with an event of these kinds, newest event first.

        Events are not read for this, so torn ones count too. A `limit` of -1 means all.
        """
        streams: dict[str, None] = {}
        batch_size = limit if 0 < limit < _MAX_QUERY_EVENTS else _MAX_QUERY_EVENTS
        with closing(self.log.fetch_in_parts(queries.streams_of_kinds(kinds), batch_size)) as rows:
            for _, stream in rows if limit else ():
                streams[str(stream)] = None
                if len(streams) == limit:
                    break
        return tuple(streams)

    def of_kinds(
        self, *kinds: type[_EventType], after: int = 0
    ) -> tuple[Envelope[_EventType], ...]:
        """Return all whole events of these kinds above a number, oldest first; log torn ones."""
        names = tuple(kind.kind for kind in kinds)
        whole_events = self.answers.get(
            ("kinds", names, after),
            Scope(kinds=frozenset(names)),
            lambda: self._whole_events(self._rows(queries.ROWS_OF_KINDS, kinds=names, after=after)),
        )
        return cast("tuple[Envelope[_EventType], ...]", whole_events)

    def tally(self) -> dict[str, int]:
        """Return the number of events of each kind, by its name in the log."""
        return dict(self._rows(queries.KIND_COUNTS))

    def find_torn(self, *, cut: bool = False) -> Iterator[TornEventError]:
        """Yield the error of each torn or unknown event, oldest first.

        Events that were cut off since are left out unless `cut` is set.
        """
        cuts = self.of_kinds(CutBack)
        last_number = (
            0  # the last number that was read; the log of years is large, so read in batches
        )
        while rows := self.events_after(last_number, _MAX_QUERY_EVENTS):
            for row in rows:
                if isinstance(row, TornEventError) and (cut or not is_cut(row, cuts)):
                    yield row
            last_number = rows[-1].seq

    def tell(self, error: TornEventError) -> None:
        """Report an event that is left out in the log file, once."""
        if error.seq not in self._torn_numbers:
            self._torn_numbers.add(error.seq)
            _log.error("Left out: %s", error)

    def _whole_events(self, rows: Iterable[tuple[Any, ...]]) -> Iterator[Envelope[Event]]:
        """Yield the whole events, and report the others."""
        for row in rows:
            try:
                yield envelope_from_row(row)
            except TornEventError as error:
                self.tell(error)

    def newest_of_kinds(self, *kinds: type[Event], limit: int) -> tuple[Envelope[Event], ...]:
        """Return the newest whole events of these kinds, newest first; log torn ones."""
        return self.answers.get(
            ("newest", kinds, limit),
            Scope(kinds=frozenset(kind.kind for kind in kinds)),
            lambda: self._whole_events(self._rows(queries.newest_rows_of_kinds(kinds, limit))),
        )

    def _rows(self, query: queries.Query, **values: object) -> Rows:
        return self.log.rows(query, **values)

    def keep_photo(self, data: bytes, suffix: str = "") -> str:
        """Keep a picture; return its name."""
        name = picture_name(data) + suffix
        self.pictures.keep((name,), data)
        return name

    def keep_crop(self, tile_set: str, data: bytes) -> str:
        """Keep a tile's picture with its tile set; return its name."""
        name = picture_name(data) + ".png"
        self.pictures.keep((tile_set, name), data)
        return name

    def crop(self, tile_set: str, name: str) -> bytes:
        """Return the bytes of a tile's picture; raise StoreError if it is missing."""
        return self.pictures.read((tile_set, name))

    def crops(self, tile_set: str) -> frozenset[str]:
        """Return the names of a set's pictures."""
        return self.pictures.names(tile_set)

    def delete_crops(self, tile_set: str, names: Iterable[str]) -> None:
        """Delete pictures of a set's tiles from the disk."""
        for name in self.crops(tile_set).intersection(names):
            self.pictures.delete((tile_set, name))

    def photo_size(self, name: str) -> int:
        """Return the size of a picture in bytes, 0 if it is missing."""
        return self.pictures.size((name,))

    def delete_photo(self, name: str) -> int:
        """Delete a picture if it exists; return the freed bytes."""
        size = self.photo_size(name)
        if size:
            self.pictures.delete((name,))
        return size

    def photo(self, name: str) -> bytes:
        """Return the bytes of a picture; raise StoreError if it is missing."""
        return self.pictures.read((name,))
