"""Turn the events of a stream into a record, by replaying them oldest first.

Records are remembered, and those of long streams are cached in the store, so that only newer
events are replayed. Both can be forgotten at any time: only the log counts.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar, cast

from device.store.appending import MAX_APPEND_TRIES, REPLAY_ERRORS, NewEvent, append
from device.store.errors import (
    ConcurrentChangeError,
    StoreError,
    TornEventError,
    UnknownStreamError,
)
from device.store.events import (
    BOX,
    PERSON,
    ChangeRedone,
    ChangeUndone,
    CutBack,
    Envelope,
    Event,
)
from device.store.log import KindsSeen
from device.store.projection_cache import CachedRecord, ProjectionCache
from device.store.store import Store
from scorer.errors import ScorerError

Record = TypeVar("Record")

UNDO_EVENTS = ChangeUndone | ChangeRedone | CutBack
"""Events that decide which other events count."""

MAX_UNCACHED_EVENTS = 256
"""After so many replayed events the record is cached: two evenings at one table. No more are
replayed after a start, in some hundredths of a second."""

_LogEntry = Envelope[Event] | TornEventError

_log = logging.getLogger(__name__)


def _unchanged_event(envelope: Envelope[Event]) -> Envelope[Event]:
    return envelope


@dataclass(frozen=True, slots=True)
class Projection(Generic[Record]):
    """How the events of one sort of stream become a record."""

    sort: str
    """The sort's name in the catalogue. Streams of other sorts are refused."""
    begin: Callable[[Envelope[Event]], Record]
    """Makes the record of the first event."""
    apply: Callable[[Record, Envelope[Event]], Record]
    """Applies each later event, except those that were undone."""
    unknown_error: type[UnknownStreamError]
    """Raised for a stream without events, or with those of another sort."""
    finish: Callable[[Record, Sequence[Envelope[Event]]], Record] = lambda record, _: record
    """Adds what follows from all events together, undone ones included. It gets the events that
    were replayed since its last call, at least one."""
    max_remembered: int = 256
    """Number of records in memory: the hands of a long evening, some megabytes."""
    read: Callable[[Envelope[Event]], Envelope[Event]] = _unchanged_event
    """Adapts an event from the log: an older version may have kept values that are refused now."""
    cache: ProjectionCache[Record] | None = None
    """The cache for records of long streams; None if no stream gets long."""

    def projector(self, store: Store) -> Projector[Record]:
        """Return a new projector for the streams of a store; see `get_projector`."""
        return Projector(store, self)


@dataclass(frozen=True, slots=True)
class ProjectionState(Generic[Record]):
    """The result of a replay, up to the first torn event."""

    record: Record | None = None
    """The record of the events before the torn one; None if the first is torn."""
    version: int = 0
    """Number of the stream's last event, whether it counts or not; 0 for none."""
    torn_error: TornEventError | None = None
    """What is wrong with the first torn event."""
    events_since_cached: int = 0
    """Number of events replayed since a record was last cached."""


def project(
    projection: Projection[Record],
    events: Sequence[_LogEntry],
    state: ProjectionState[Record] | None = None,
) -> ProjectionState[Record]:
    """Replay all events of a stream, or those that follow on `state`.

    The latter may not undo events before `state`.
    """
    state = state or ProjectionState()
    record, torn_error = state.record, state.torn_error
    events = _without_cut(events)
    undone_numbers = _undone_numbers(_readable(events))
    seen_events: list[Envelope[Event]] = []
    for event in events:
        if record is None and not _may_begin(projection, event):
            break
        if isinstance(event, TornEventError):
            torn_error = event
            break
        try:
            if record is None:
                record = projection.begin(projection.read(event))
            elif event.seq not in undone_numbers and not isinstance(event.event, UNDO_EVENTS):
                record = projection.apply(record, projection.read(event))
        except (*REPLAY_ERRORS, ScorerError) as error:
            torn_error = TornEventError(event.seq, event.stream, event.kind, str(error))
            torn_error.__cause__ = error.with_traceback(None)
            break
        seen_events.append(event)
    if record is not None and seen_events:
        record = projection.finish(record, seen_events)
    version = events[-1].seq if events else state.version
    return ProjectionState(record, version, torn_error, state.events_since_cached + len(events))


def stands_alone(stream: str) -> bool:
    """Whether the events of a stream do not follow on each other, so that it is not replayed."""
    return stream == BOX or stream.startswith(PERSON)


def _may_begin(projection: Projection[Record], first: _LogEntry) -> bool:
    """Whether a stream with this first event may be of the projection's sort."""
    if stands_alone(first.stream):
        return False
    return isinstance(first, TornEventError) or projection.sort in first.event.streams


def _undone_numbers(events: Iterable[Envelope[Event]]) -> set[int]:
    """Return the numbers of the events that do not count."""
    undone_numbers: set[int] = set()
    for event in events:
        if isinstance(event.event, ChangeUndone):
            undone_numbers.add(event.event.seq)
        elif isinstance(event.event, ChangeRedone):
            undone_numbers.discard(event.event.seq)
    return undone_numbers


def find_redoable(events: Iterable[Envelope[Event]]) -> Envelope[Event] | None:
    """Return the event that was undone last, if nothing has happened since; else None.

    Several events undone in a row are redone in the opposite order. The events are those that
    `Projection.finish` gets.
    """
    events_by_number: dict[int, Envelope[Event]] = {}
    redoable_numbers: list[int] = []
    for event in events:
        events_by_number[event.seq] = event
        if isinstance(event.event, ChangeUndone):
            redoable_numbers.append(event.event.seq)
        elif isinstance(event.event, ChangeRedone):
            redoable_numbers = [seq for seq in redoable_numbers if seq != event.event.seq]
        else:
            redoable_numbers.clear()
    return events_by_number.get(redoable_numbers[-1]) if redoable_numbers else None


def replay_all(projection: Projection[Record], events: Sequence[_LogEntry]) -> Record:
    """Return the record of all events of a stream; raise as `Projector.get` does."""
    return _record_or_raise(projection, project(projection, events))


def _record_or_raise(projection: Projection[Record], state: ProjectionState[Record]) -> Record:
    if state.torn_error:
        raise state.torn_error.copy()
    if state.record is None:
        raise projection.unknown_error
    return state.record


def _without_cut(events: Sequence[_LogEntry]) -> Sequence[_LogEntry]:
    """Return the events that no later event cuts off."""
    cuts = [each for each in _readable(events) if isinstance(each.event, CutBack)]
    for cut in cuts:
        first_cut = cast(CutBack, cut.event).since
        events = [each for each in events if not first_cut <= each.seq < cut.seq]
    return events


def _readable(events: Iterable[_LogEntry]) -> Iterable[Envelope[Event]]:
    return (each for each in events if isinstance(each, Envelope))


class Projector(Generic[Record]):
    """The streams of one sort in a store: reads their records and appends events to them."""

    def __init__(self, store: Store, projection: Projection[Record]) -> None:
        self._store = store
        self._projection = projection
        self._states: OrderedDict[str, ProjectionState[Record]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, stream: str) -> Record:
        """Return the record of a stream.

        Raises TornEventError for the first torn event, and the projection's `unknown` for a stream
        that does not exist.
        """
        return _record_or_raise(self._projection, self.state_of(stream))

    def state_of(self, stream: str) -> ProjectionState[Record]:
        """Return the record of a stream up to the first torn event."""
        state = self._current_state(stream)
        if (
            self._projection.cache
            and state.events_since_cached > MAX_UNCACHED_EVENTS
            and state.record
            and not state.torn_error
        ):
            records = {stream: CachedRecord(state.version, state.record)}
            self._projection.cache.write(self._store.log, records)
            # A failed write is not tried again with each request.
            self._remember(stream, replace(state, events_since_cached=0))
        return state

    def _current_state(self, stream: str) -> ProjectionState[Record]:
        """Return the same without caching it, for callers that are about to append."""
        state = self._project(stream)
        self._remember(stream, state)
        return state

    def _project(
        self, stream: str, last_number: int | None = None, *extra_events: Envelope[Event]
    ) -> ProjectionState[Record]:
        """Replay a stream, or its events up to number `last_number` followed by `extra_events`."""
        for known_state in self._known_states(stream):
            new_events = self._store.stream(stream, after=known_state.version)
            fresh = [
                each for each in new_events if last_number is None or each.seq <= last_number
            ] + [*extra_events]
            if not fresh:
                return known_state
            if not known_state.torn_error and not any(
                _reaches_back(each, known_state.version) for each in fresh
            ):
                return project(self._projection, fresh, known_state)
        raise AssertionError("from nothing on, nothing reaches back")

    def _known_states(self, stream: str) -> Iterator[ProjectionState[Record]]:
        """Yield known states of a stream, the newest first and an empty one last."""
        with self._lock:
            state = self._states.get(stream)
        if state:
            yield state
        cached_record = self._projection.cache and self._projection.cache.read(
            self._store.log, [stream]
        ).get(stream)
        if cached_record:
            yield ProjectionState(cached_record.record, cached_record.version)
        yield ProjectionState()

    def _remember(self, stream: str, state: ProjectionState[Record]) -> None:
        with self._lock:
            self._states[stream] = state
            self._states.move_to_end(stream)
            while len(self._states) > self._projection.max_remembered:
                self._states.popitem(last=False)

    def load_together(self, streams: Iterable[str]) -> Callable[[str], Record]:
        """Return a `get` for streams that are read together.

        This takes two queries, and one more for each very long stream. The records stay in memory
        as long as the returned function.
        """
        states = self._all_now(streams)
        return lambda stream: _record_or_raise(
            self._projection, states.get(stream, ProjectionState())
        )

    def _all_now(self, streams: Iterable[str]) -> dict[str, ProjectionState[Record]]:
        extents = self._store.extents(dict.fromkeys(streams))
        with self._lock:
            known_states = {
                stream: self._states.get(stream, ProjectionState()) for stream in extents
            }
        states = {at: each for at, each in known_states.items() if each.version == extents[at].last}
        other = [stream for stream in extents if stream not in states]
        short = [stream for stream in other if extents[stream].events <= MAX_UNCACHED_EVENTS]
        read = self._store.of_streams(short)
        states |= {stream: project(self._projection, events) for stream, events in read.items()}
        for stream, each in states.items():
            self._remember(stream, each)
        return states | {each: self.state_of(each) for each in other if each not in read}

    def change(
        self,
        stream: str,
        event: Event,
        check: Callable[[Record], None] = lambda _: None,
        *,
        kinds_seen: KindsSeen | None = None,
    ) -> int:
        """Append an event after a check of the current record; return its number.

        `check` may refuse by raising. If another event comes first, the check is repeated; with
        `kinds_seen`, as in NewEvent, the caller decides again. Raises EventRefusedError,
        ScorerError, and as `get` does.
        """
        new = NewEvent(self._projection.sort, stream, event, kinds_seen=kinds_seen)
        return self._add(new, lambda state: check(_record_or_raise(self._projection, state)))

    def add(self, stream: str, event: Event, *, news: bool = True) -> int:
        """Append an event, the first or a later one, without a check; return its number.

        `news` is that of NewEvent. Raises as `change` does.
        """
        return self._add(NewEvent(self._projection.sort, stream, event, news=news), lambda _: None)

    def _add(self, new: NewEvent, check: Callable[[ProjectionState[Record]], None]) -> int:
        for _ in range(MAX_APPEND_TRIES):
            state = self._current_state(new.stream)
            check(state)
            try:
                return self._append(new, state)
            except ConcurrentChangeError:
                if new.kinds_seen:
                    raise
                _log.info("%s has changed; deciding %s again", new.stream, new.event.kind)
        raise ConcurrentChangeError(new.stream)

    def add_after(
        self,
        stream: str,
        after: int,
        event: Event,
        kinds_seen: KindsSeen | None = None,
        *,
        news: bool = True,
    ) -> int:
        """Append an event to a stream whose last is number `after`; return its number.

        `after` is 0 for the first event; `kinds_seen` and `news` are those of NewEvent. Raises
        ConcurrentChangeError if the stream has a later event, and as `change` does.
        """
        state: ProjectionState[Record] = self._current_state(stream) if after else ProjectionState()
        if state.version != after:
            raise ConcurrentChangeError(stream)
        new = NewEvent(self._projection.sort, stream, event, kinds_seen=kinds_seen, news=news)
        return self._append(new, state)

    def begin_once(self, stream: str, event: Event) -> bool:
        """Append the first event of a stream; return False if the stream began so before.

        Raises ConcurrentChangeError if it began otherwise, and as `change` does.
        """
        try:
            self.add_after(stream, 0, event)
        except ConcurrentChangeError:
            first = self._store.stream(stream)[0]
            if isinstance(first, TornEventError) or first.event != event:
                raise
            return False
        return True

    def _append(self, new: NewEvent, state: ProjectionState[Record]) -> int:
        new = replace(new, after=state.version)
        new_state: ProjectionState[Record] = ProjectionState()

        def try_event(event: Envelope[Event]) -> None:
            nonlocal new_state
            new_state = self._replay(state, event)

        new_event = append(self._store, new, try_event)
        if not isinstance(new_event.event, UNDO_EVENTS):
            if new_state.version != new_event.seq:  # another process has added an event
                new_state = project(self._projection, [new_event], state)
            self._remember(new.stream, new_state)
        return new_event.seq

    def _replay(
        self, state: ProjectionState[Record], event: Envelope[Event]
    ) -> ProjectionState[Record]:
        """Replay the stream with one more event, and return that; raise what is wrong with it."""
        if state.torn_error and not isinstance(event.event, CutBack):
            raise state.torn_error.copy()
        if state.version and state.record is None:
            raise self._projection.unknown_error
        if isinstance(event.event, UNDO_EVENTS):
            new_state = self._project(event.stream, state.version, event)
        else:
            # Old events may be adapted when they are read; a new one must be valid as it is.
            new_state = project(replace(self._projection, read=_unchanged_event), [event], state)
        if new_state.torn_error:
            raise new_state.torn_error.__cause__ or new_state.torn_error
        _record_or_raise(self._projection, new_state)
        return new_state

    def cut_back(self, stream: str, first_cut: int, player: str = "") -> None:
        """Cut off the events from the torn one, number `first_cut`, on; they stay in the log.

        Does nothing if that has been done already, or if no event would be left.
        """
        state = self.state_of(stream)
        if state.record is not None and state.torn_error and state.torn_error.seq == first_cut:
            self._append(NewEvent(self._projection.sort, stream, CutBack(first_cut, player)), state)


def _reaches_back(event: _LogEntry, version: int) -> bool:
    """Whether an event undoes, redoes or cuts off events up to a version."""
    match event:
        case Envelope(event=ChangeUndone(seq=seq) | ChangeRedone(seq=seq) | CutBack(since=seq)):
            return seq <= version
    return False


def get_projector(store: Store, projection: Projection[Record]) -> Projector[Record]:
    """Return a store's projector for one sort of stream, always the same object."""
    return store.caches.get(projection.projector)


def split_whole_and_torn(
    get: Callable[[str], Record], streams: Iterable[str]
) -> tuple[tuple[Record, ...], tuple[TornEventError, ...]]:
    """Return the records of all whole streams, and the errors of the torn ones."""
    whole_records: list[Record] = []
    torn_errors: list[TornEventError] = []
    for stream in streams:
        try:
            whole_records.append(get(stream))
        except TornEventError as error:
            _log.error("Left out: %s", error)
            torn_errors.append(error)
        except UnknownStreamError:
            _log.error("Left out: %s has events of another sort", stream)
    return tuple(whole_records), tuple(torn_errors)


def get_if_whole(get: Callable[[str], Record], stream: str) -> Record | None:
    """Return the record of a stream; if it is torn, log that and return None.

    So one torn stream hides no other when many are read.
    """
    try:
        return get(stream)
    except (StoreError, UnknownStreamError) as error:
        _log.error("Left out: %s: %r", stream, error)
        return None
