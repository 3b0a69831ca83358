"""Find which table an event concerns, and the newest event of each table.

Phones reload when something happened at their own table, not for a correction at another one.
Everything is derived from the log, so that all processes which share a log agree.
"""

from __future__ import annotations

import threading
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any

from device.store import queries
from device.store.errors import TornEventError
from device.store.events import Beginning, MatchBegun
from device.store.queries import envelope_from_row, split_batches
from device.store.store import Store

ALL_TABLES = "*"
"""Stands for a table's id where an event concerns all tables, or a page shows several."""

MAX_EVENTS_BACK = 1024
"""How far back the newest event of a table is searched. In exchange, one event in so many is
announced to a table that it does not concern: see `_periodic_wake_up`."""

_MAX_CACHED_STREAMS = 4096
"""Streams whose table is cached: those of a long evening at sixty tables."""

_MAX_QUERY_STREAMS = 500
"""Streams in one query."""

_MAX_LINKS = 3
"""Steps from a hand through a table photo to its match, with one to spare."""


class TableNews:
    """Finds the newest event that concerns a table; safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._seen = 0
        self._newest: dict[str, int] = {}
        self._tables: OrderedDict[str, str] = OrderedDict()

    def newest_event(self, table: str) -> int:
        """Return the number of the newest event that concerns a table, or `ALL_TABLES`."""
        with self._lock:
            newest = self._store.newer(-1, 0)
            if newest > self._seen:
                self._catch_up(newest)
            if table == ALL_TABLES:
                return newest
            concerns = (self._newest.get(table, 0), self._newest.get(ALL_TABLES, 0))
            return max(_periodic_wake_up(table, newest), *concerns)

    def table_of(self, stream: str) -> str:
        """Return the table of a hand or a match; `ALL_TABLES` for any other stream."""
        with self._lock:
            return self._tables_of([stream])[stream]

    def _catch_up(self, newest: int) -> None:
        since = max(self._seen, newest - MAX_EVENTS_BACK)
        rows = self._store.log.rows(queries.rows_after(since, newest - since))
        tables = self._tables_of([stream for _, stream, *_ in rows])
        for seq, stream, *_ in rows:
            self._newest[tables[stream]] = seq
        self._seen = max(self._seen, newest, *(row[0] for row in rows))

    def _tables_of(self, streams: Iterable[str]) -> dict[str, str]:
        """Return the table of each stream, or `ALL_TABLES`, with few queries."""
        asked = list(dict.fromkeys(streams))
        follows: dict[str, str] = {}
        wanted = asked
        for _ in range(_MAX_LINKS):
            wanted = [each for each in wanted if each not in self._tables]
            if not wanted:
                break
            first = {row[1]: _table_or_match(row) for row in self._first_rows(wanted)}
            self._tables |= {stream: table for stream, (table, match) in first.items() if not match}
            follows |= {stream: match for stream, (_, match) in first.items() if match}
            wanted = [match for _, match in first.values() if match]
        for stream in follows:
            end = stream
            for _ in range(_MAX_LINKS):
                end = follows.get(end, end)
            self._tables[stream] = self._tables.get(end, ALL_TABLES)
        found = {stream: self._tables.get(stream, ALL_TABLES) for stream in asked}
        self._forget_oldest(found)
        return found

    def _first_rows(self, streams: Iterable[str]) -> Iterator[tuple[Any, ...]]:
        for part in split_batches(streams, _MAX_QUERY_STREAMS):
            yield from self._store.log.rows(queries.FIRST_ROW_OF_STREAMS, streams=part)

    def _forget_oldest(self, used: Iterable[str]) -> None:
        for stream in used:
            if stream in self._tables:
                self._tables.move_to_end(stream)
        while len(self._tables) > _MAX_CACHED_STREAMS:
            self._tables.popitem(last=False)


def _table_or_match(row: tuple[Any, ...]) -> tuple[str, str]:
    """Return the table that a stream's first event names, or the match that it belongs to."""
    try:
        first = envelope_from_row(row).event
    except TornEventError:
        return ALL_TABLES, ""
    match = getattr(first, "match", "")
    if isinstance(first, MatchBegun) or (isinstance(first, Beginning) and not match):
        return first.table, ""
    return ALL_TABLES, match


def _periodic_wake_up(table: str, newest: int) -> int:
    """Return the newest event that is announced to a table even if it does not concern it.

    A process that has just started so agrees with the others without reading the whole log. The
    number differs by table, so that not all phones of a room reload at the same moment.
    """
    return max(0, newest - (newest - zlib.crc32(table.encode())) % MAX_EVENTS_BACK)
