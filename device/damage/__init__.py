"""Report what is damaged, in the same way to `/health`, the doctor and the pages; repair a stream.

The log is examined once, and later only what was added. A stream is shown up to its first torn
event, and accepts no more events. Players may cut it off there. The events that no longer count
stay in the log, and can be exported.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from device.damage.examination import PROJECTIONS, Examination
from device.matches.replay import MATCHES
from device.store import Store, TornEventError
from device.store.events import LogSalvaged
from device.store.integrity import is_marked_torn
from device.store.projection import get_projector
from scorer.message import Message, message

ANSWER_TIMEOUT_S = 0.5
"""How long a caller waits. The examination of a log of years goes on in the background."""


@dataclass(frozen=True, slots=True)
class DamageReport:
    """Everything that is damaged in a store."""

    torn_events: tuple[TornEventError, ...] = ()
    """Torn events, oldest first; of a replayed stream only the first."""
    sorts: Mapping[int, str] = field(default_factory=dict)
    """The sort of each torn event's stream, by the event's number; `record` if unknown."""
    headless: frozenset[str] = frozenset()
    """Streams whose first event is missing, so that nothing of them can be shown."""
    salvage: LogSalvaged | None = None
    """The last salvage of the log, if nobody has read about it yet."""
    missing: frozenset[str] = frozenset()
    """Names of missing photographs."""
    torn_log: bool = False
    """The log's file was found damaged while the box runs. The next start salvages it."""
    complete: bool = True
    """The whole log was examined."""

    def sort_of(self, torn_event: TornEventError) -> str:
        """Return the sort of stream that an event belongs to, by its name in the catalogue."""
        return self.sorts[torn_event.seq]

    @property
    def troubles(self) -> tuple[str, ...]:
        """What is wrong with records, each once, in fixed words for programs."""
        troubles = [f"torn {self.sort_of(each)}" for each in self.torn_events]
        if self.salvage:
            troubles.append("log salvaged")
        if self.missing:
            troubles.append("missing photographs")
        return tuple(dict.fromkeys(troubles))


def examine(store: Store, seconds: float = ANSWER_TIMEOUT_S) -> DamageReport:
    """Return the damage found within `seconds`; raise StoreError."""
    examination = store.caches.get(Examination)
    if examination.complete:
        examination.go_on()
    else:
        examination.begin().wait(seconds)
        if examination.error:
            raise examination.error.with_traceback(None)
    return _report(store, examination)


def examine_all(store: Store) -> DamageReport:
    """Examine everything and return the damage; raise StoreError."""
    examination = store.caches.get(Examination)
    examination.go_on()
    return _report(store, examination)


def _report(store: Store, examination: Examination) -> DamageReport:
    torn_events = examination.torn_events
    return DamageReport(
        torn_events,
        {each.seq: examination.sort_of(each) for each in torn_events},
        examination.headless,
        examination.salvage,
        examination.missing,
        is_marked_torn(store.folder),
        examination.complete,
    )


def name_sort(sort: str) -> Message:
    """Return what a stream of this sort, of the catalogue or `record`, is for players."""
    return message(f"damaged.of.{sort.replace(' ', '-')}")


@dataclass(frozen=True, slots=True)
class Damage:
    """What is wrong with one stream."""

    sort: str
    """The stream's sort, by its name in the catalogue; empty if nothing is left to go on from."""
    torn_event: TornEventError
    """Its first torn event."""
    lost_count: int
    """Number of events that do not count: the torn one and all after it."""
    match: str = ""
    """Id of the match that the stream is or belongs to; empty for none."""
    stands_alone: bool = False
    """Only the torn event does not count, because the events of the stream stand by themselves."""


def find_damage(store: Store, stream: str) -> Damage | None:
    """Return what is wrong with a stream; None if it is whole or missing."""
    for projection in PROJECTIONS:
        record = get_projector(store, projection).state_of(stream)
        if record.torn_error:
            sort = projection.sort if record.record is not None else ""
            lost_count = len(store.stream(stream, after=record.torn_error.seq - 1))
            match = stream if projection is MATCHES else getattr(record.record, "match", "")
            return Damage(sort, record.torn_error, lost_count, match)
    torn_event = next((each for each in examine(store).torn_events if each.stream == stream), None)
    return Damage("", torn_event, lost_count=1, stands_alone=True) if torn_event else None


def cut_back(store: Store, stream: str, first_torn: int, player: str = "") -> None:
    """Cut a stream off at its first torn event, number `first_torn`, so that it can go on.

    Does nothing if that has been done already. Raises ConcurrentChangeError.
    """
    for how in PROJECTIONS:
        get_projector(store, how).cut_back(stream, first_torn, player)


def export_stream(store: Store, stream: str) -> str:
    """Return all events of a stream as the log has them, one JSON object per line."""
    lines = (
        {"seq": seq, "stream": of, "kind": kind, "json": text, "at": at}
        for seq, of, kind, text, at in store.raw_rows(stream)
    )
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
