"""News for all phones: one thread tells each that listens what is new at its table.

What is said is a number that grows with every event that concerns the table, and with what becomes
of the box; or that the box goes off, or that its store does not answer.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from device.store import Store, StoreError
from device.store.concerning import Concerning
from device.store.errors import UnreachableError

HEARTBEAT = 10.0
"""Seconds after which something is said though there is no news: a phone that is gone is noticed,
and a phone notices that the box is gone."""

TICK = 1.0
"""Seconds between two looks for what no event tells of."""

TOGETHER = 0.05
"""Seconds for which is gathered what is told at once: a tap may be several events."""

LISTEN_LIMIT = 15 * 60.0
"""Seconds after which a phone has to ask anew; its browser does so by itself."""

_log = logging.getLogger(__name__)


class News(NamedTuple):
    """How things are at a table."""

    version: int
    state: str
    """`off` while the box goes, `lost` while its store does not answer, nothing else."""

    @property
    def told(self) -> str:
        """One of the stream's messages: the state there is, and else what is the newest."""
        state = self.state
        return f"event: {state}\ndata: yes\n\n" if state else f"data: {self.version}\n\n"


class Hearer(Protocol):
    """A phone that listens (`device.server.connection.Ear`)."""

    def tell(self, words: bytes) -> bool:
        """Say something; return whether it could be said."""

    def end(self) -> None:
        """Say that this was all."""


Hears = Callable[[Callable[[], None]], Hearer | None]
"""Has an answer go on; see `device.server.connection.HEARS`."""


@dataclass(eq=False, slots=True)
class _Listener:
    table: str
    said: News
    at: float
    until: float
    ear: Hearer | None = None


class Newsroom:
    """Who listens, and what each was told; safe to share between threads."""

    def __init__(
        self, store: Store, is_off: Callable[[], bool], changes: Callable[[], int]
    ) -> None:
        """Tell of a store, and of `changes`: how often something came of which no event tells."""
        self.concerning = Concerning(store)
        self._store, self._is_off, self._changes = store, is_off, changes
        self._listeners: set[_Listener] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def now(self, table: str) -> News:
        """Return how things are at a table, or everywhere."""
        state = "off" if self._is_off() else "" if self._store.log.answers else "lost"
        if state == "lost":
            return News(0, state)
        try:
            return News(self.concerning.newest(table) + self._changes(), state)
        except UnreachableError:  # it stopped while it was asked
            return News(0, "lost")

    def listen(self, table: str, hears: Hears) -> str | None:
        """Return what a phone is told first, and go on telling it; None for one too many."""
        news, began = self.now(table), time.monotonic()
        listener = _Listener(table, news, began, began + LISTEN_LIMIT)
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
        return f"retry: 1000\n\n{news.told}"

    def _leave(self, listener: _Listener) -> None:
        with self._lock:
            self._listeners.discard(listener)

    def _run(self) -> None:
        """Tell all who listen, as long as anybody does."""
        newest = 0
        while self._anybody():
            try:
                newest = self._store.newer(newest, TICK)
                time.sleep(TOGETHER)
                self._tell_all()
            except StoreError as error:
                _log.error("No news could be told: %s", error)
                time.sleep(TICK)

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
                if ear.tell(fresh.told.encode()):
                    each.said, each.at = fresh, now
            elif now - each.at > HEARTBEAT and ear.tell(b": still here\n\n"):
                each.at = now
