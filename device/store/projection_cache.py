"""Cache in the store what streams were replayed to, so that long streams need no full replay.

A record is kept with the state of its stream: the number and time of the last event, and the
number of events. It is used only if the log still has exactly these events, and only by the
version of the program that wrote it. The cache may be cleared at any time.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from sqlalchemy import Select, delete, func, select, text

from device.store.errors import StoreError
from device.store.log import Log, Rows
from device.store.log_schema import EVENTS, PROJECTIONS
from device.store.queries import split_batches
from scorer.errors import ScorerError

_Record = TypeVar("_Record")

_E, _P = EVENTS.c, PROJECTIONS.c

_EARLIER_EVENTS = EVENTS.alias("up_to")

_EVENT_COUNT = select(func.count()).where(
    _EARLIER_EVENTS.c.stream == _P.stream, _EARLIER_EVENTS.c.seq <= _P.version
)

_SAME_LAST_EVENT = (_E.seq == _P.version) & (_E.stream == _P.stream) & (_E.at == _P.at)
"""The time matters too: after a restore, the same number may belong to another event."""

_UPSERT = text("""INSERT INTO projections (sort, stream, version, events, at, form, record)
SELECT :sort, stream, seq,
(SELECT COUNT(*) FROM events AS up_to WHERE stream = :stream AND seq <= :version),
at, :form, :record FROM events WHERE seq = :version AND stream = :stream
ON CONFLICT (sort, stream) DO UPDATE SET version = excluded.version, events = excluded.events,
at = excluded.at, form = excluded.form, record = excluded.record""")
"""Writes nothing if the event is not in the log."""

_MAX_QUERY_STREAMS = 500
"""Streams in one query."""

_DECODE_ERRORS = (LookupError, TypeError, ValueError, ScorerError, msgspec.MsgspecError)

_log = logging.getLogger(__name__)


class CachedRecord(NamedTuple, Generic[_Record]):
    """The record of a stream at one version."""

    version: int
    """Number of the last event that it includes."""
    record: _Record


@dataclass(frozen=True, slots=True)
class ProjectionCache(Generic[_Record]):
    """How records of one sort of stream are cached."""

    sort: str
    form: int
    """Version of the record's shape and meaning. Increase it with every change of either."""
    encode: Callable[[_Record], bytes]
    decode: Callable[[bytes], _Record]
    """Raises one of `_DECODE_ERRORS` for invalid data."""

    def read(self, log: Log, streams: Iterable[str]) -> dict[str, CachedRecord[_Record]]:
        """Return the valid cached records of streams."""
        records: dict[str, CachedRecord[_Record]] = {}
        try:
            for part in split_batches(streams, _MAX_QUERY_STREAMS):
                rows = log.rows(self._valid_rows_query(part))
                with _pause_garbage_collection():
                    records |= self._decode_rows(rows)
        except StoreError as error:  # an unreadable log is reported when it is read itself
            _log.error("Cannot read the cached %s: %s", self.sort, error)
        return records

    def write(self, log: Log, records: Mapping[str, CachedRecord[_Record]]) -> None:
        """Cache records; a store that refuses writes is only reported in the log file."""
        rows = [
            {
                "sort": self.sort,
                "stream": stream,
                "version": each.version,
                "form": _form_of_program(self.form),
                "record": self.encode(each.record),
            }
            for stream, each in sorted(records.items())
        ]
        try:
            with log.writing() as connection:
                connection.execute(_UPSERT, rows)
        except StoreError as error:
            _log.error("Cannot cache the %s; it will be replayed: %s", self.sort, error)

    def _valid_rows_query(self, streams: tuple[str, ...]) -> Select[Any]:
        query = select(_P.stream, _P.version, _P.record).join(EVENTS, _SAME_LAST_EVENT)
        is_ours = (_P.sort == self.sort, _P.form == _form_of_program(self.form))
        has_same_events = _P.events == _EVENT_COUNT.scalar_subquery()
        return query.where(*is_ours, _P.stream.in_(streams), has_same_events)

    def _decode_rows(self, rows: Rows) -> Iterator[tuple[str, CachedRecord[_Record]]]:
        for stream, version, data in rows:
            try:
                yield stream, CachedRecord(version, self.decode(data))
            except _DECODE_ERRORS as error:
                _log.error("Cannot decode the cached %s %s: %s", self.sort, stream, error)


@contextmanager
def _pause_garbage_collection() -> Iterator[None]:
    """Pause garbage collection while a hundred thousand values are created.

    None of them is garbage, and the collector would take longer than reading them.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def clear_projections(log: Log) -> None:
    """Delete all cached records."""
    with log.writing() as connection:
        connection.execute(delete(PROJECTIONS))


def msgpack_cache(sort: str, form: int, kind: type[_Record]) -> ProjectionCache[_Record]:
    """Return the cache for records of a type that msgspec can write and read."""
    decoder = msgspec.msgpack.Decoder(kind)
    return ProjectionCache(sort, form, msgspec.msgpack.encode, decoder.decode)


@cache
def _form_of_program(form: int) -> str:
    try:
        return f"{form} of tongbox {metadata.version('tongbox')}"
    except metadata.PackageNotFoundError:
        return f"{form}"
