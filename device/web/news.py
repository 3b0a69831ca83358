"""Send news to all phones that listen: one thread tells each what changed at its table.

The news is a version number. It grows with every event that concerns the table, and with changes
of the box's own state. Two other messages exist: the box is going off, or its store is lost.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from device.store import Store, StoreError
from device.store.errors import UnreachableError
from device.store.table_news import TableNews

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
    """`off` while the box switches off, `lost` while its store does not answer, else empty."""

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
    said: News
    at: float
    until: float
    ear: NewsConnection | None = None


class Newsroom:
    """The phones that listen, and what each was told. Safe to share between threads."""

    def __init__(
        self, store: Store, is_off: Callable[[], bool], changes: Callable[[], int]
    ) -> None:
        """Watch a store, and `changes`, which counts changes that are not events."""
        self.concerning = TableNews(store)
        self._store, self._is_off, self._changes = store, is_off, changes
        self._listeners: set[_Listener] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def now(self, table: str) -> News:
        """Return the state of a table, or of the whole box."""
        state = "off" if self._is_off() else "" if self._store.log.answers else "lost"
        if state == "lost":
            return News(0, state)
        try:
            return News(self.concerning.newest_event(table) + self._changes(), state)
        except UnreachableError:  # the store went away meanwhile
            return News(0, "lost")

    def listen(self, table: str, hears: KeepsOpen) -> str | None:
        """Return the first message for a phone and keep sending; None if too many listen."""
        news, began = self.now(table), time.monotonic()
        listener = _Listener(table, news, began, began + MAX_LISTEN_S)
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
        newest = 0
        while self._anybody():
            try:
                newest = self._store.newer(newest, CHECK_INTERVAL_S)
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
        now = time.monotonic()
        news = {table: self.now(table) for table in {each.table for each, _ in listeners}}
        for each, ear in listeners:
            fresh = news[each.table]
            if now > each.until:
                ear.end()
            elif fresh != each.said:
                if ear.tell(fresh.as_event.encode()):
                    each.said, each.at = fresh, now
            elif now - each.at > HEARTBEAT_S and ear.tell(b": still here\n\n"):
                each.at = now
