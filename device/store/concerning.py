"""Which of several tables an event concerns, and what the newest is that concerns each.

Phones at a table look again when something has happened there, not for each tile that is put right
at the other end of the room. All of it follows from the log alone, so that processes that share one
say the same.
"""

from __future__ import annotations

import threading
import zlib
from collections import OrderedDict

from device.store import selecting
from device.store.envelopes import envelope
from device.store.errors import TornEventError
from device.store.events import Beginning, MatchBegun
from device.store.store import Store

EVERYWHERE = "*"
"""In place of a table's id: what concerns all tables, or a page that shows more than one."""

BACK = 1024
"""Events that are looked through for the newest of a table, at most. One event in so many is told
to a table though it does not concern it, which looks once too often then: see `_told_anyhow`."""

_STREAMS = 4096
"""Streams of which it is remembered whose they are: those of a long evening at sixty tables."""

_LINKS = 3
"""From a photograph of the whole table to its match, or a hand's to its, and one to spare."""


class Concerning:
    """The newest event that concerns a table; safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._seen = 0
        self._newest: dict[str, int] = {}
        self._tables: OrderedDict[str, str] = OrderedDict()

    def newest(self, table: str) -> int:
        """Return the number of the newest event that concerns a table, or `EVERYWHERE`."""
        with self._lock:
            newest = self._store.newer(-1, 0)
            if newest > self._seen:
                self._catch_up(newest)
            if table == EVERYWHERE:
                return newest
            concerns = (self._newest.get(table, 0), self._newest.get(EVERYWHERE, 0))
            return max(_told_anyhow(table, newest), *concerns)

    def table_of(self, stream: str) -> str:
        """Return the table at which a hand or a match is, or `EVERYWHERE` for all else."""
        with self._lock:
            return self._table_of(stream)

    def _catch_up(self, newest: int) -> None:
        since = max(self._seen, newest - BACK)
        for seq, stream, *_ in self._store.log.rows(selecting.after(since, newest - since)):
            self._newest[self._table_of(stream)] = seq
            self._seen = max(self._seen, seq)
        self._seen = max(self._seen, newest)

    def _table_of(self, stream: str, links: int = _LINKS) -> str:
        if stream in self._tables:
            self._tables.move_to_end(stream)
            return self._tables[stream]
        rows = self._store.log.rows(selecting.OF_STREAM.limit(1), stream=stream, after=0)
        if not rows or not links:
            return EVERYWHERE
        try:
            first = envelope(rows[0]).event
        except TornEventError:
            return EVERYWHERE
        match = getattr(first, "match", "")
        if isinstance(first, MatchBegun) or (isinstance(first, Beginning) and not match):
            table = first.table
        else:
            table = self._table_of(match, links - 1) if match else EVERYWHERE
        self._tables[stream] = table
        if len(self._tables) > _STREAMS:
            self._tables.popitem(last=False)
        return table


def _told_anyhow(table: str, newest: int) -> int:
    """Return the newest event of which a table is told whether or not it concerns it.

    So a process that has just begun to look says what all others say, without the whole log. Each
    table has another, for all phones of a room that look at the same moment wait for each other.
    """
    return max(0, newest - (newest - zlib.crc32(table.encode())) % BACK)
