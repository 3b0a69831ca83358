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


def _unchanged(envelope: Envelope[Event]) -> Envelope[Event]:
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
    unknown: type[UnknownStreamError]
    """Raised for a stream without events, or with those of another sort."""
    finish: Callable[[Record, Sequence[Envelope[Event]]], Record] = lambda record, _: record
    """Adds what follows from all events together, undone ones included. It gets the events that
    were replayed since its last call, at least one."""
    remembered: int = 256
    """Number of records in memory: the hands of a long evening, some megabytes."""
    read: Callable[[Envelope[Event]], Envelope[Event]] = _unchanged
    """Adapts an event from the log: an older version may have kept values that are refused now."""
    kept: ProjectionCache[Record] | None = None
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
    torn: TornEventError | None = None
    """What is wrong with the first torn event."""
    unkept: int = 0
    """Number of events replayed since a record was last cached."""


def project(
    how: Projection[Record],
    events: Sequence[_LogEntry],
    since: ProjectionState[Record] | None = None,
) -> ProjectionState[Record]:
    """Replay all events of a stream, or those that follow on `since`.

    The latter may not undo events before `since`.
    """
    since = since or ProjectionState()
    record, torn = since.record, since.torn
    events = _without_cut(events)
    undone = _undone_numbers(_readable(events))
    seen: list[Envelope[Event]] = []
    for each in events:
        if record is None and not _may_begin(how, each):
            break
        if isinstance(each, TornEventError):
            torn = each
            break
        try:
            if record is None:
                record = how.begin(how.read(each))
            elif each.seq not in undone and not isinstance(each.event, UNDO_EVENTS):
                record = how.apply(record, how.read(each))
        except (*REPLAY_ERRORS, ScorerError) as error:
            torn = TornEventError(each.seq, each.stream, each.kind, str(error))
            torn.__cause__ = error.with_traceback(None)
            break
        seen.append(each)
    if record is not None and seen:
        record = how.finish(record, seen)
    version = events[-1].seq if events else since.version
    return ProjectionState(record, version, torn, since.unkept + len(events))


def stands_alone(stream: str) -> bool:
    """Whether the events of a stream do not follow on each other, so that it is not replayed."""
    return stream == BOX or stream.startswith(PERSON)


def _may_begin(how: Projection[Record], first: _LogEntry) -> bool:
    """Whether a stream with this first event may be of the projection's sort."""
    if stands_alone(first.stream):
        return False
    return isinstance(first, TornEventError) or how.sort in first.event.streams


def _undone_numbers(events: Iterable[Envelope[Event]]) -> set[int]:
    """Return the numbers of the events that do not count."""
    undone: set[int] = set()
    for each in events:
        if isinstance(each.event, ChangeUndone):
            undone.add(each.event.seq)
        elif isinstance(each.event, ChangeRedone):
            undone.discard(each.event.seq)
    return undone


def find_redoable(events: Iterable[Envelope[Event]]) -> Envelope[Event] | None:
    """Return the event that was undone last, if nothing has happened since; else None.

    Several events undone in a row are redone in the opposite order. The events are those that
    `Projection.finish` gets.
    """
    known: dict[int, Envelope[Event]] = {}
    taken: list[int] = []
    for each in events:
        known[each.seq] = each
        if isinstance(each.event, ChangeUndone):
            taken.append(each.event.seq)
        elif isinstance(each.event, ChangeRedone):
            taken = [seq for seq in taken if seq != each.event.seq]
        else:
            taken.clear()
    return known.get(taken[-1]) if taken else None


def replay_all(how: Projection[Record], events: Sequence[_LogEntry]) -> Record:
    """Return the record of all events of a stream; raise as `Projector.get` does."""
    return _record_or_raise(how, project(how, events))


def _record_or_raise(how: Projection[Record], found: ProjectionState[Record]) -> Record:
    if found.torn:
        raise found.torn.copy()
    if found.record is None:
        raise how.unknown
    return found.record


def _without_cut(events: Sequence[_LogEntry]) -> Sequence[_LogEntry]:
    """Return the events that no later event cuts off."""
    cuts = [each for each in _readable(events) if isinstance(each.event, CutBack)]
    for cut in cuts:
        since = cast(CutBack, cut.event).since
        events = [each for each in events if not since <= each.seq < cut.seq]
    return events


def _readable(events: Iterable[_LogEntry]) -> Iterable[Envelope[Event]]:
    return (each for each in events if isinstance(each, Envelope))


class Projector(Generic[Record]):
    """The streams of one sort in a store: reads their records and appends events to them."""

    def __init__(self, store: Store, how: Projection[Record]) -> None:
        self._store = store
        self._how = how
        self._known: OrderedDict[str, ProjectionState[Record]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, stream: str) -> Record:
        """Return the record of a stream.

        Raises TornEventError for the first torn event, and the projection's `unknown` for a stream
        that does not exist.
        """
        return _record_or_raise(self._how, self.so_far(stream))

    def so_far(self, stream: str) -> ProjectionState[Record]:
        """Return the record of a stream up to the first torn event."""
        found = self._now(stream)
        if (
            self._how.kept
            and found.unkept > MAX_UNCACHED_EVENTS
            and found.record
            and not found.torn
        ):
            made = {stream: CachedRecord(found.version, found.record)}
            self._how.kept.write(self._store.log, made)
            # A failed write is not tried again with each request.
            self._remember(stream, replace(found, unkept=0))
        return found

    def _now(self, stream: str) -> ProjectionState[Record]:
        """Return the same without caching it, for callers that are about to append."""
        found = self._project(stream)
        self._remember(stream, found)
        return found

    def _project(
        self, stream: str, up_to: int | None = None, *more: Envelope[Event]
    ) -> ProjectionState[Record]:
        """Replay a stream, or its events up to number `up_to` followed by `more`."""
        for since in self._known_of(stream):
            kept = self._store.stream(stream, after=since.version)
            fresh = [each for each in kept if up_to is None or each.seq <= up_to] + [*more]
            if not fresh:
                return since
            if not since.torn and not any(_reaches_back(each, since.version) for each in fresh):
                return project(self._how, fresh, since)
        raise AssertionError("from nothing on, nothing reaches back")

    def _known_of(self, stream: str) -> Iterator[ProjectionState[Record]]:
        """Yield known states of a stream, the newest first and an empty one last."""
        with self._lock:
            known = self._known.get(stream)
        if known:
            yield known
        made = self._how.kept and self._how.kept.read(self._store.log, [stream]).get(stream)
        if made:
            yield ProjectionState(made.record, made.version)
        yield ProjectionState()

    def _remember(self, stream: str, found: ProjectionState[Record]) -> None:
        with self._lock:
            self._known[stream] = found
            self._known.move_to_end(stream)
            while len(self._known) > self._how.remembered:
                self._known.popitem(last=False)

    def load_together(self, streams: Iterable[str]) -> Callable[[str], Record]:
        """Return a `get` for streams that are read together.

        This takes two queries, and one more for each very long stream. The records stay in memory
        as long as the returned function.
        """
        found = self._all_now(streams)
        return lambda stream: _record_or_raise(self._how, found.get(stream, ProjectionState()))

    def _all_now(self, streams: Iterable[str]) -> dict[str, ProjectionState[Record]]:
        extents = self._store.extents(dict.fromkeys(streams))
        with self._lock:
            known = {stream: self._known.get(stream, ProjectionState()) for stream in extents}
        found = {at: each for at, each in known.items() if each.version == extents[at].last}
        other = [stream for stream in extents if stream not in found]
        short = [stream for stream in other if extents[stream].events <= MAX_UNCACHED_EVENTS]
        read = self._store.of_streams(short)
        found |= {stream: project(self._how, events) for stream, events in read.items()}
        for stream, each in found.items():
            self._remember(stream, each)
        return found | {each: self.so_far(each) for each in other if each not in read}

    def change(
        self,
        stream: str,
        event: Event,
        check: Callable[[Record], None] = lambda _: None,
        *,
        seen: KindsSeen | None = None,
    ) -> int:
        """Append an event after a check of the current record; return its number.

        `check` may refuse by raising. If another event comes first, the check is repeated; with
        `seen`, as in NewEvent, the caller decides again. Raises EventRefusedError, ScorerError, and
        as `get` does.
        """
        new = NewEvent(self._how.sort, stream, event, seen=seen)
        return self._add(new, lambda now: check(_record_or_raise(self._how, now)))

    def add(self, stream: str, event: Event, *, news: bool = True) -> int:
        """Append an event, the first or a later one, without a check; return its number.

        `news` is that of NewEvent. Raises as `change` does.
        """
        return self._add(NewEvent(self._how.sort, stream, event, news=news), lambda _: None)

    def _add(self, new: NewEvent, check: Callable[[ProjectionState[Record]], None]) -> int:
        for _ in range(MAX_APPEND_TRIES):
            now = self._now(new.stream)
            check(now)
            try:
                return self._append(new, now)
            except ConcurrentChangeError:
                if new.seen:
                    raise
                _log.info("%s has moved on; %s is decided anew", new.stream, new.event.kind)
        raise ConcurrentChangeError(new.stream)

    def add_after(
        self, stream: str, after: int, event: Event, seen: KindsSeen | None = None
    ) -> int:
        """Append an event to a stream whose last is number `after`; return its number.

        `after` is 0 for the first event, and `seen` is that of NewEvent. Raises
        ConcurrentChangeError if the stream has a later event, and as `change` does.
        """
        now: ProjectionState[Record] = self._now(stream) if after else ProjectionState()
        if now.version != after:
            raise ConcurrentChangeError(stream)
        return self._append(NewEvent(self._how.sort, stream, event, seen=seen), now)

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

    def _append(self, new: NewEvent, now: ProjectionState[Record]) -> int:
        new = replace(new, after=now.version)
        added = append(self._store, new, lambda event: self._replay(now, event))
        if not isinstance(added.event, UNDO_EVENTS):
            self._remember(new.stream, project(self._how, [added], now))
        return added.seq

    def _replay(self, now: ProjectionState[Record], event: Envelope[Event]) -> None:
        """Replay the stream with one more event; raise what is wrong with it."""
        if now.torn and not isinstance(event.event, CutBack):
            raise now.torn.copy()
        if now.version and now.record is None:
            raise self._how.unknown
        if isinstance(event.event, UNDO_EVENTS):
            found = self._project(event.stream, now.version, event)
        else:
            # Old events may be adapted when they are read; a new one must be valid as it is.
            found = project(replace(self._how, read=_unchanged), [event], now)
        if found.torn:
            raise found.torn.__cause__ or found.torn
        _record_or_raise(self._how, found)

    def cut_back(self, stream: str, since: int, by: str = "") -> None:
        """Cut off the events from the torn one, number `since`, on; they stay in the log.

        Does nothing if that has been done already, or if no event would be left.
        """
        now = self.so_far(stream)
        if now.record is not None and now.torn and now.torn.seq == since:
            self._append(NewEvent(self._how.sort, stream, CutBack(since, by)), now)


def _reaches_back(event: _LogEntry, version: int) -> bool:
    """Whether an event undoes, redoes or cuts off events up to a version."""
    match event:
        case Envelope(event=ChangeUndone(seq=seq) | ChangeRedone(seq=seq) | CutBack(since=seq)):
            return seq <= version
    return False


def get_projector(store: Store, how: Projection[Record]) -> Projector[Record]:
    """Return a store's projector for one sort of stream, always the same object."""
    return store.caches.get(how.projector)


def split_whole_and_torn(
    get: Callable[[str], Record], streams: Iterable[str]
) -> tuple[tuple[Record, ...], tuple[TornEventError, ...]]:
    """Return the records of all whole streams, and the errors of the torn ones."""
    whole: list[Record] = []
    torn: list[TornEventError] = []
    for stream in streams:
        try:
            whole.append(get(stream))
        except TornEventError as error:
            _log.error("Left out: %s", error)
            torn.append(error)
        except UnknownStreamError:
            _log.error("Left out: %s has events of another sort", stream)
    return tuple(whole), tuple(torn)


def get_if_whole(get: Callable[[str], Record], stream: str) -> Record | None:
    """Return the record of a stream; if it is torn, log that and return None.

    So one torn stream hides no other when many are read.
    """
    try:
        return get(stream)
    except (StoreError, UnknownStreamError) as error:
        _log.error("Left out: %s: %r", stream, error)
        return None
