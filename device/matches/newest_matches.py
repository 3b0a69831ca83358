"""The newest match of each table, and those of them that are running; both follow the log."""

from __future__ import annotations

import threading

from device.matches.match import Match
from device.matches.replay import MATCHES
from device.store import Envelope, Store
from device.store.events import MatchBegun
from device.store.projection import get_if_whole, get_projector
from device.store.queries import StreamExtent

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

    def newest_ids(self) -> dict[str, str]:
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


class RunningMatches:
    """The running matches of all tables; one without new events is not looked up again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._newest = store.caches.get(NewestMatches)
        self._projector = get_projector(store, MATCHES)
        self._known: dict[str, tuple[StreamExtent, Match | None]] = {}
        """Each table's newest match by its id, with the extent of its events; None if damaged."""

    def all(self) -> tuple[Match, ...]:
        """Return the running matches, table by table."""
        newest, known = self._newest.newest_ids().values(), self._known
        extents = self._store.extents(newest)
        news = [match for match in extents if known.get(match, (None,))[0] != extents[match]]
        get = self._projector.load_together(news)
        known |= {match: (extents[match], get_if_whole(get, match)) for match in news}
        for over in known.keys() - set(newest):
            known.pop(over, None)
        found = [known[match][1] for match in newest if match in known]
        return tuple(match for match in found if match and not match.ended)
