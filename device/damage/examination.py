"""Examine a log for torn events and missing photographs, and then whatever is added to it."""

from __future__ import annotations

import logging
import math
import threading
import time
from contextlib import suppress
from itertools import chain, islice
from typing import Any

from device.club import ClubError
from device.club.register import Register, apply
from device.club.season import SEASONS
from device.club.tables import CLUB_TABLES
from device.club.tournament.replay import TOURNAMENTS
from device.hands.replay import HANDS
from device.matches.replay import MATCHES
from device.matches.seats import PHONES
from device.matches.table_photo import TABLE_PHOTOS
from device.rulesets.repository import CUSTOM_RULESETS
from device.settings import check_box_event
from device.store import Envelope, Event, Store, StoreError, TornEventError
from device.store.appending import REPLAY_ERRORS
from device.store.events import (
    BOX,
    KINDS,
    PERSON,
    Beginning,
    LogSalvaged,
    MatchBegun,
    PhonePlayerChosen,
    PhotoAdded,
    PhotoRetaken,
    PhotosRemoved,
    PhotoTaken,
    PracticeDealBegun,
    PracticeEvent,
    RulesetSaved,
    SalvageRead,
    SeasonBegun,
    SetPhotoAdded,
    SetPhotographed,
    TableCreated,
    TablePhotographed,
    TableRetaken,
    TournamentBegun,
)
from device.store.pictures import PHOTOS_FOLDER, Pictures
from device.store.projection import Projection, get_projector, stands_alone
from device.tilesets.registrations import REGISTRATIONS
from device.tutoring.practice_deals import PRACTICE_DEALS
from device.tutoring.progress import PRACTICE

_SORTS_AND_BEGINNINGS: tuple[tuple[Projection[Any], type[Event]], ...] = (
    (HANDS, Beginning),
    (MATCHES, MatchBegun),
    (PHONES, PhonePlayerChosen),
    (TABLE_PHOTOS, TablePhotographed),
    (REGISTRATIONS, SetPhotographed),
    (TOURNAMENTS, TournamentBegun),
    (SEASONS, SeasonBegun),
    (CLUB_TABLES, TableCreated),
    (CUSTOM_RULESETS, RulesetSaved),
    (PRACTICE, PracticeEvent),
    (PRACTICE_DEALS, PracticeDealBegun),
)
"""The sorts of streams that are replayed, with the event that each begins with. The events of all
other streams stand by themselves."""

PROJECTIONS = tuple(how for how, _ in _SORTS_AND_BEGINNINGS)

_BEGINNINGS = {how.sort: beginning for how, beginning in _SORTS_AND_BEGINNINGS}

MAX_STEP_ROWS, MAX_STEP_STREAMS = 1000, 50
"""Events to read, and streams to replay, between two looks at the clock."""

MAX_STEP_S, STEP_PAUSE_S = 0.2, 0.1
"""Seconds of work beside everything else, and seconds of rest between."""

THREAD_NAME = "examination"

_log = logging.getLogger(__name__)

_Row = Envelope[Event] | TornEventError


class Examination:
    """What is wrong with a store, as far as its log was examined; safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._beginning = threading.Lock()
        self._is_over = threading.Event()
        self._is_over.set()
        self._read = 0
        self._sorts: dict[str, Projection[Any] | None] = {}
        self._changed_streams: dict[str, Projection[Any]] = {}
        self._torn_by_stream: dict[str, tuple[TornEventError, ...]] = {}
        self._people = Register()
        self._photographs = WantedPhotographs(store.pictures)
        self.salvage: LogSalvaged | None = None
        """The last salvage of the log, until somebody has read about it."""
        self.complete = False
        """The whole log was examined once."""
        self.error: StoreError | None = None
        """Why the examination failed."""
        self.torn_events: tuple[TornEventError, ...] = ()
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
            if self._is_over.is_set():
                self._is_over = threading.Event()
                self.error = None
                threading.Thread(target=self._run, name=THREAD_NAME, daemon=True).start()
            return self._is_over

    def _run(self) -> None:
        try:
            while not self._step(MAX_STEP_S):
                time.sleep(STEP_PAUSE_S)
        except StoreError as error:
            _log.error("Cannot examine the log: %s", error)
            self.error = error
        finally:
            self._is_over.set()

    def _step(self, seconds: float) -> bool:
        """Work for that long; return whether everything was examined."""
        with self._lock:
            complete = self._look(time.monotonic() + seconds)
            torn_events = chain.from_iterable(self._torn_by_stream.values())
            self.torn_events = tuple(sorted(torn_events, key=lambda torn_event: torn_event.seq))
            if complete:
                self.missing = self._photographs.missing()
                self.complete = True
            return complete

    def sort_of(self, torn_event: TornEventError) -> str:
        """Return the sort of stream that an event belongs to, by its name in the catalogue."""
        if projection := self._sorts.get(torn_event.stream):
            return projection.sort
        if torn_event.stream == BOX:
            return "box"
        kind = KINDS.get(torn_event.kind)
        return kind.streams[0] if kind else "record"

    def _look(self, ends: float) -> bool:
        """Return whether everything was examined before the time was up."""
        while rows := self._store.events_after(self._read, MAX_STEP_ROWS):
            for row in rows:
                self._note(row)
            self._read = rows[-1].seq
            if time.monotonic() > ends:
                return False
        while self._changed_streams:
            projection = next(iter(self._changed_streams.values()))
            streams_alike = (
                stream for stream, of in self._changed_streams.items() if of is projection
            )
            streams = tuple(islice(streams_alike, MAX_STEP_STREAMS))
            self._torn_by_stream |= self._replay(projection, streams)
            for stream in streams:
                del self._changed_streams[stream]
            if time.monotonic() > ends:
                return False
        return True

    def _note(self, row: _Row) -> None:
        """Note an event's stream for the replay; check at once an event that stands by itself."""
        stream = row.stream
        if stream not in self._sorts:
            self._sorts[stream] = projection = _projection_of(row)
            if isinstance(row, Envelope) and projection and not _begins(projection, row.event):
                self.headless |= {stream}
        if replays := self._sorts[stream]:
            self._changed_streams[stream] = replays
        elif torn_event := self._check_alone(row):
            before = self._torn_by_stream.get(stream, ())
            # If the first event is torn, no later one can be checked.
            self._torn_by_stream[stream] = (
                (*before, torn_event) if stands_alone(stream) else (before or (torn_event,))
            )
        if isinstance(row, Envelope):
            self._photographs.note(row.event)
            if isinstance(row.event, LogSalvaged):
                self.salvage = row.event
            elif isinstance(row.event, SalvageRead):
                self.salvage = None

    def _check_alone(self, row: _Row) -> TornEventError | None:
        """Return what is wrong with an event that stands by itself, or None."""
        if isinstance(row, TornEventError):
            return row
        try:
            if row.stream.startswith(PERSON):
                self._people = apply(self._people, row)
            elif row.stream == BOX and BOX in row.event.streams:
                check_box_event(row)
            else:
                raise ValueError("nothing of the kind happens to it")
        except (*REPLAY_ERRORS, ClubError) as error:
            return TornEventError(row.seq, row.stream, row.kind, str(error))
        return None

    def _replay(
        self, projection: Projection[Any], streams: tuple[str, ...]
    ) -> dict[str, tuple[TornEventError, ...]]:
        """Return the first torn event of each stream."""
        get = get_projector(self._store, projection).load_together(streams)
        torn_by_stream: dict[str, tuple[TornEventError, ...]] = dict.fromkeys(streams, ())
        for stream in streams:
            try:
                get(stream)
            except TornEventError as error:
                torn_by_stream[stream] = (error,)
        return torn_by_stream


def _begins(projection: Projection[Any], event: Event) -> bool:
    return isinstance(event, _BEGINNINGS[projection.sort])


def _projection_of(first: _Row) -> Projection[Any] | None:
    """Return the projection for a stream's first event; None if its events stand alone."""
    if isinstance(first, TornEventError) or stands_alone(first.stream):
        return None
    return next((how for how in PROJECTIONS if how.sort in first.event.streams), None)


PHOTOGRAPH_EVENTS = (
    PhotoTaken,
    PhotoAdded,
    PhotoRetaken,
    SetPhotographed,
    SetPhotoAdded,
    TablePhotographed,
    TableRetaken,
)

RELIST_INTERVAL_S = 30.0
"""Seconds until photographs in a database are listed again, if none was added."""

FOLDER_TICK_NS = 10**8
"""Nanoseconds in which a folder may change twice and show one time: more than a kernel's tick."""


class WantedPhotographs:
    """The photographs that a log names, collected from its first event on."""

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self._names: set[str] = set()
        self._notes = 0
        self._listed_at: tuple[int, float] | None = None
        self._missing: frozenset[str] = frozenset()

    def note(self, event: Event) -> None:
        """Note the photographs that an event names or removes."""
        if isinstance(event, PhotosRemoved):
            self._names.difference_update(event.names)
        elif isinstance(event, PHOTOGRAPH_EVENTS):
            photo = event.photo
            self._names.update({photo.original, photo.display, photo.thumbnail} - {""})
            self._notes += 1

    def missing(self) -> frozenset[str]:
        """Return the names of missing photographs. The folder is listed only after a change."""
        state = (self._notes, self._folder_time())
        if state != self._listed_at:
            self._missing = frozenset(self._names - self._pictures.photographs())
            # A folder that was just changed may change again without showing it.
            is_settled = abs(time.time_ns() - state[1]) > FOLDER_TICK_NS
            self._listed_at = state if is_settled else None
        return self._missing & self._names

    def _folder_time(self) -> float:
        """Return when the folder was changed; without a folder, a number that changes with time."""
        folder = self._pictures.folder
        if folder is None:
            return time.monotonic() // RELIST_INTERVAL_S
        with suppress(OSError):
            return (folder / PHOTOS_FOLDER).stat().st_mtime_ns
        return 0
