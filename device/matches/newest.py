"""Which match was begun last at each table: remembered, so that no request looks through all.

It is derived from the log: a request asks for what has been begun since the last, and reads that.
"""

from __future__ import annotations

import threading
from typing import cast

from device.store import Envelope, Store
from device.store.events import MatchBegun

_NAME = "newest matches"

_Begun = Envelope[MatchBegun]


class NewestMatches:
    """The newest match of each table; safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._last = 0
        self._newest: dict[str, _Begun] = {}
        self._table_of: dict[str, str] = {}

    def at(self, table: str) -> _Begun | None:
        """Return how the newest match of a table began; None where none was played."""
        with self._lock:
            self._catch_up()
            return self._newest.get(table)

    def at_each(self) -> dict[str, str]:
        """Return the ids of the newest matches by the id of their table, where any was played."""
        with self._lock:
            self._catch_up()
            return {table: each.stream for table, each in self._newest.items()}

    def table_of(self, match: str) -> str:
        """Return the id of the table of a match; empty for one that is not known."""
        with self._lock:
            self._catch_up()
            return self._table_of.get(match, "")

    def _catch_up(self) -> None:
        for each in self._store.of_kinds(MatchBegun, after=self._last):
            self._newest[each.event.table] = each
            self._table_of[each.stream] = each.event.table
            self._last = each.seq


def newest_matches(store: Store) -> NewestMatches:
    """Return what is remembered of a store: the same for all who ask."""
    return cast(NewestMatches, store.derived.setdefault(_NAME, NewestMatches(store)))
