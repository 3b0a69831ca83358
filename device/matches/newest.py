"""The newest match of each table, cached so that no request searches the log."""

from __future__ import annotations

import threading
from typing import cast

from device.store import Envelope, Store
from device.store.events import MatchBegun

_NAME = "newest matches"

_Begun = Envelope[MatchBegun]


class NewestMatches:
    """The newest match of each table, updated from the log; safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._last = 0
        self._newest: dict[str, _Begun] = {}
        self._table_of: dict[str, str] = {}

    def at(self, table: str) -> _Begun | None:
        """Return the first event of a table's newest match; None if there is none."""
        with self._lock:
            self._catch_up()
            return self._newest.get(table)

    def at_each(self) -> dict[str, str]:
        """Return the ids of the newest matches by table id."""
        with self._lock:
            self._catch_up()
            return {table: each.stream for table, each in self._newest.items()}

    def table_of(self, match: str) -> str:
        """Return the table id of a match; empty for an unknown match."""
        with self._lock:
            self._catch_up()
            return self._table_of.get(match, "")

    def _catch_up(self) -> None:
        for each in self._store.of_kinds(MatchBegun, after=self._last):
            self._newest[each.event.table] = each
            self._table_of[each.stream] = each.event.table
            self._last = each.seq


def newest_matches(store: Store) -> NewestMatches:
    """Return the store's shared cache."""
    return cast(NewestMatches, store.derived.setdefault(_NAME, NewestMatches(store)))
