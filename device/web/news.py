"""Send news to all phones that listen: one thread tells each what changed at its table.

The news is a version number. It grows with every event that concerns the table, and with changes
of the box's own state. Three other messages exist: the box is going off, it restarts with a backup,
or its store is lost.

Phones reload when something happened at their own table, not for a correction at another one. Which
table an event concerns is derived from the log, so that all processes which share a log agree.
"""

from __future__ import annotations

import logging
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from device.store import Store, StoreError, queries
from device.store.errors import TornEventError, UnreachableError
from device.store.events import Beginning, MatchBegun
from device.store.queries import envelope_from_row, split_batches

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
        self._seen_seq = 0
        self._newest_by_table: dict[str, int] = {}
        self._tables: OrderedDict[str, str] = OrderedDict()

    def newest_event(self, table: str) -> int:
        """Return the number of the newest event that concerns a table, or `ALL_TABLES`."""
        with self._lock:
            newest_seq = self._store.newer(-1, 0)
            if newest_seq > self._seen_seq:
                self._catch_up(newest_seq)
            if table == ALL_TABLES:
                return newest_seq
            concerns = (
                self._newest_by_table.get(table, 0),
                self._newest_by_table.get(ALL_TABLES, 0),
            )
            return max(_periodic_wake_up(table, newest_seq), *concerns)

    def table_of(self, stream: str) -> str:
        """Return the table of a hand or a match; `ALL_TABLES` for any other stream."""
        with self._lock:
            return self._tables_of([stream])[stream]

    def _catch_up(self, newest_seq: int) -> None:
        first_seq = max(self._seen_seq, newest_seq - MAX_EVENTS_BACK)
        rows = self._store.log.rows(queries.rows_after(first_seq, newest_seq - first_seq))
        tables = self._tables_of([stream for _, stream, *_ in rows])
        for seq, stream, *_ in rows:
            self._newest_by_table[tables[stream]] = seq
        self._seen_seq = max(self._seen_seq, newest_seq, *(row[0] for row in rows))

    def _tables_of(self, streams: Iterable[str]) -> dict[str, str]:
        """Return the table of each stream, or `ALL_TABLES`, with few queries."""
        stream_ids = list(dict.fromkeys(streams))
        follows: dict[str, str] = {}
        wanted_streams = stream_ids
        for _ in range(_MAX_LINKS):
            wanted_streams = [each for each in wanted_streams if each not in self._tables]
            if not wanted_streams:
                break
            first = {row[1]: _table_or_match(row) for row in self._first_rows(wanted_streams)}
            self._tables |= {stream: table for stream, (table, match) in first.items() if not match}
            follows |= {stream: match for stream, (_, match) in first.items() if match}
            wanted_streams = [match for _, match in first.values() if match]
        for stream in follows:
            end = stream
            for _ in range(_MAX_LINKS):
                end = follows.get(end, end)
            self._tables[stream] = self._tables.get(end, ALL_TABLES)
        tables_by_stream = {stream: self._tables.get(stream, ALL_TABLES) for stream in stream_ids}
        self._forget_oldest(tables_by_stream)
        return tables_by_stream

    def _first_rows(self, streams: Iterable[str]) -> Iterator[tuple[Any, ...]]:
        for part in split_batches(streams, _MAX_QUERY_STREAMS):
            yield from self._store.log.rows(queries.FIRST_ROW_OF_STREAMS, streams=part)

    def _forget_oldest(self, used_streams: Iterable[str]) -> None:
        for stream in used_streams:
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


def _periodic_wake_up(table: str, newest_seq: int) -> int:
    """Return the newest event that is announced to a table even if it does not concern it.

    A process that has just started so agrees with the others without reading the whole log. The
    number differs by table, so that not all phones of a room reload at the same moment.
    """
    return max(0, newest_seq - (newest_seq - zlib.crc32(table.encode())) % MAX_EVENTS_BACK)


HEARTBEAT_S = 10.0
"""Seconds without news after which a message is sent anyway. So the box notices that a phone has
gone, and the phone notices that the box has gone."""

CHECK_INTERVAL_S = 1.0
"""Seconds between two checks for changes that are not events."""

GATHER_S = 0.05
"""Seconds to wait for further events before phones are told: one tap may be several events."""

MAX_LISTEN_S = 15 * 60.0
"""Seconds after which a phone must ask again. Its browser does so by itself."""

_log = logging.getLogger(__name__)


class News(NamedTuple):
    """The state of a table."""

    version: int
    state: str
    """`off` while the box switches off, `restart` while a restored backup is put in place, `lost`
    while its store does not answer, else empty."""

    @property
    def as_event(self) -> str:
        """The server-sent event: the state if there is one, else the version."""
        state = self.state
        return f"event: {state}\ndata: yes\n\n" if state else f"data: {self.version}\n\n"


class NewsConnection(Protocol):
    """The connection of a phone that listens (`device.server.connection.NewsListener`)."""

    def tell(self, words: bytes) -> bool:
        """Send some bytes; return whether that worked."""

    def end(self) -> None:
        """Close the stream."""


KeepsOpen = Callable[[Callable[[], None]], NewsConnection | None]
"""Keeps a response open for further messages; see `device.server.connection.LISTEN_KEY`."""


@dataclass(eq=False, slots=True)
class _Listener:
    table: str
    last_news: News
    sent_at: float
    listens_until: float
    ear: NewsConnection | None = None


class Newsroom:
    """The phones that listen, and what each was told. Safe to share between threads."""

    def __init__(
        self, store: Store, box_state: Callable[[], str], changes: Callable[[], int]
    ) -> None:
        """Watch a store, and `changes`, which counts changes that are not events.

        `box_state` is `off`, `restart` or empty.
        """
        self.concerning = TableNews(store)
        self._store, self._box_state, self._changes = store, box_state, changes
        self._listeners: set[_Listener] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def read_news(self, table: str) -> News:
        """Return the state of a table, or of the whole box."""
        state = self._box_state() or ("" if self._store.log.answers else "lost")
        if state == "lost":
            return News(0, state)
        try:
            return News(self.concerning.newest_event(table) + self._changes(), state)
        except UnreachableError:  # the store went away meanwhile
            return News(0, "lost")

    def listen(self, table: str, hears: KeepsOpen) -> str | None:
        """Return the first message for a phone and keep sending; None if too many listen."""
        news, start_time = self.read_news(table), time.monotonic()
        listener = _Listener(table, news, start_time, start_time + MAX_LISTEN_S)
        with self._lock:
            self._listeners.add(listener)
        listener.ear = hears(lambda: self._leave(listener))
        if listener.ear is None:
            self._leave(listener)
            return None
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="news", daemon=True)
                self._thread.start()
        return f"retry: 1000\n\n{news.as_event}"

    def _leave(self, listener: _Listener) -> None:
        with self._lock:
            self._listeners.discard(listener)

    def _run(self) -> None:
        """Tell all listeners, as long as there are any."""
        newest_seq = 0
        while self._anybody():
            try:
                newest_seq = self._store.newer(newest_seq, CHECK_INTERVAL_S)
                time.sleep(GATHER_S)
                self._tell_all()
            except StoreError as error:
                _log.error("No news could be told: %s", error)
                time.sleep(CHECK_INTERVAL_S)

    def _anybody(self) -> bool:
        with self._lock:
            if not self._listeners:
                self._thread = None
            return self._thread is not None

    def _tell_all(self) -> None:
        with self._lock:
            listeners = [(each, each.ear) for each in self._listeners if each.ear]
        current_time = time.monotonic()
        news = {table: self.read_news(table) for table in {each.table for each, _ in listeners}}
        for listener, ear in listeners:
            fresh = news[listener.table]
            if current_time > listener.listens_until:
                ear.end()
            elif fresh != listener.last_news:
                if ear.tell(fresh.as_event.encode()):
                    listener.last_news, listener.sent_at = fresh, current_time
            elif current_time - listener.sent_at > HEARTBEAT_S and ear.tell(b": still here\n\n"):
                listener.sent_at = current_time
