"""Examine a log for torn events and missing photographs, and then whatever is added to it."""

from __future__ import annotations

import logging
import math
import threading
import time
from itertools import chain, islice
from typing import Any

from device.club import ClubError
from device.club.people import Register, apply
from device.club.season import SEASONS
from device.club.tables import CLUB_TABLES
from device.club.tournament.replay import TOURNAMENTS
from device.damage.photographs import WantedPhotographs
from device.hands.replay import HANDS
from device.matches.phones import PHONES
from device.matches.replay import MATCHES
from device.matches.table_photo import TABLE_PHOTOS
from device.settings.settings import check_alone
from device.store import Envelope, Event, Store, StoreError, TornEventError
from device.store.appending import UNFIT
from device.store.events import (
    BOX,
    KINDS,
    PERSON,
    Beginning,
    LogSalvaged,
    MatchBegun,
    PhoneSaid,
    PracticeEvent,
    SalvageRead,
    SeasonBegun,
    SetPhotographed,
    TableLaid,
    TablePhotographed,
    TournamentBegun,
)
from device.store.replaying import Projection, projector
from device.tilesets.registrations import REGISTRATIONS
from device.tutoring.progress import PRACTISED

_SORTS: tuple[tuple[Projection[Any], type[Event]], ...] = (
    (HANDS, Beginning),
    (MATCHES, MatchBegun),
    (PHONES, PhoneSaid),
    (TABLE_PHOTOS, TablePhotographed),
    (REGISTRATIONS, SetPhotographed),
    (TOURNAMENTS, TournamentBegun),
    (SEASONS, SeasonBegun),
    (CLUB_TABLES, TableLaid),
    (PRACTISED, PracticeEvent),
)
"""The sorts of streams that are replayed, with the event that each begins with. The events of all
other streams stand by themselves."""

PROJECTIONS = tuple(how for how, _ in _SORTS)

_BEGINNINGS = {how.sort: beginning for how, beginning in _SORTS}

ROWS_AT_ONCE, STREAMS_AT_ONCE = 1000, 50
"""Events to read, and streams to replay, between two looks at the clock."""

STEP_S, REST_S = 0.2, 0.1
"""Seconds of work beside everything else, and seconds of rest between."""

THREAD = "examination"

_log = logging.getLogger(__name__)

_Row = Envelope[Event] | TornEventError


class Examination:
    """What is wrong with a store, as far as its log was examined; safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._beginning = threading.Lock()
        self._ended = threading.Event()
        self._ended.set()
        self._read = 0
        self._sorts: dict[str, Projection[Any] | None] = {}
        self._touched: dict[str, Projection[Any]] = {}
        self._torn: dict[str, tuple[TornEventError, ...]] = {}
        self._people = Register()
        self._photographs = WantedPhotographs(store.pictures)
        self.salvaged: LogSalvaged | None = None
        """The last salvage of the log, until somebody has read about it."""
        self.complete = False
        """The whole log was examined once."""
        self.error: StoreError | None = None
        """Why the examination failed."""
        self.torn: tuple[TornEventError, ...] = ()
        """The torn events, oldest first."""
        self.headless: frozenset[str] = frozenset()
        """Streams whose first event is missing, so that nothing of them can be shown."""
        self.missing: frozenset[str] = frozenset()
        """Names of photographs that the log names and the store does not have."""

    def go_on(self) -> None:
        """Examine everything that was not examined yet; raise StoreError."""
        while not self._step(math.inf):
            pass

    def begin(self) -> threading.Event:
        """Examine the log in a thread; return an event that is set at its end."""
        with self._beginning:
            if self._ended.is_set():
                self._ended = threading.Event()
                self.error = None
                threading.Thread(target=self._run, name=THREAD, daemon=True).start()
            return self._ended

    def _run(self) -> None:
        try:
            while not self._step(STEP_S):
                time.sleep(REST_S)
        except StoreError as error:
            _log.error("The log cannot be looked over: %s", error)
            self.error = error
        finally:
            self._ended.set()

    def _step(self, seconds: float) -> bool:
        """Work for that long; return whether everything was examined."""
        with self._lock:
            complete = self._look(time.monotonic() + seconds)
            found = chain.from_iterable(self._torn.values())
            self.torn = tuple(sorted(found, key=lambda each: each.seq))
            if complete:
                self.missing = self._photographs.missing()
                self.complete = True
            return complete

    def sort_of(self, torn: TornEventError) -> str:
        """Return the sort of stream that an event belongs to, by its name in the catalogue."""
        if how := self._sorts.get(torn.stream):
            return how.sort
        if torn.stream == BOX:
            return "box"
        kind = KINDS.get(torn.kind)
        return kind.streams[0] if kind else "record"

    def _look(self, ends: float) -> bool:
        """Return whether everything was examined before the time was up."""
        while rows := self._store.after(self._read, ROWS_AT_ONCE):
            for row in rows:
                self._note(row)
            self._read = rows[-1].seq
            if time.monotonic() > ends:
                return False
        while self._touched:
            how = next(iter(self._touched.values()))
            alike = (stream for stream, of in self._touched.items() if of is how)
            streams = tuple(islice(alike, STREAMS_AT_ONCE))
            self._torn |= self._replayed(how, streams)
            for stream in streams:
                del self._touched[stream]
            if time.monotonic() > ends:
                return False
        return True

    def _note(self, row: _Row) -> None:
        """Note an event's stream for the replay; check at once an event that stands by itself."""
        stream = row.stream
        if stream not in self._sorts:
            self._sorts[stream] = how = _projection_of(row)
            if isinstance(row, Envelope) and how and not _begins(how, row.event):
                self.headless |= {stream}
        if replays := self._sorts[stream]:
            self._touched[stream] = replays
        elif torn := self._torn_alone(row):
            before = self._torn.get(stream, ())
            # If the first event is torn, no later one can be checked.
            self._torn[stream] = (*before, torn) if _stand_alone(stream) else (before or (torn,))
        if isinstance(row, Envelope):
            self._photographs.note(row.event)
            if isinstance(row.event, LogSalvaged):
                self.salvaged = row.event
            elif isinstance(row.event, SalvageRead):
                self.salvaged = None

    def _torn_alone(self, row: _Row) -> TornEventError | None:
        """Return what is wrong with an event that stands by itself, or None."""
        if isinstance(row, TornEventError):
            return row
        try:
            if row.stream.startswith(PERSON):
                self._people = apply(self._people, row)
            elif row.stream == BOX and BOX in row.event.streams:
                check_alone(row)
            else:
                raise ValueError("nothing of the kind happens to it")
        except (*UNFIT, ClubError) as error:
            return TornEventError(row.seq, row.stream, row.kind, str(error))
        return None

    def _replayed(
        self, how: Projection[Any], streams: tuple[str, ...]
    ) -> dict[str, tuple[TornEventError, ...]]:
        """Return the first torn event of each stream."""
        get = projector(self._store, how).together(streams)
        found: dict[str, tuple[TornEventError, ...]] = dict.fromkeys(streams, ())
        for stream in streams:
            try:
                get(stream)
            except TornEventError as error:
                found[stream] = (error,)
        return found


def _stand_alone(stream: str) -> bool:
    """Whether the events of a stream do not follow on each other."""
    return stream == BOX or stream.startswith(PERSON)


def _begins(how: Projection[Any], event: Event) -> bool:
    return isinstance(event, _BEGINNINGS[how.sort])


def _projection_of(first: _Row) -> Projection[Any] | None:
    """Return the projection for a stream's first event; None if its events stand alone."""
    if isinstance(first, TornEventError) or _stand_alone(first.stream):
        return None
    return next((how for how in PROJECTIONS if how.sort in first.event.streams), None)
