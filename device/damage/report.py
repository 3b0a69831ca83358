"""Report what is damaged, in the same way to `/health`, the doctor and the pages; repair a stream.

The log is examined once, and later only what was added. A stream is shown up to its first torn
event, and accepts no more events. Players may cut it off there. The events that no longer count
stay in the log, and can be exported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from device.damage.examination import Examination
from device.store import Store, TornEventError
from device.store.events import LogSalvaged
from device.store.integrity import is_marked

ANSWER_WITHIN_S = 0.5
"""How long a caller waits. The examination of a log of years goes on in the background."""

_NAME = "examination"


@dataclass(frozen=True, slots=True)
class DamageReport:
    """Everything that is damaged in a store."""

    torn: tuple[TornEventError, ...] = ()
    """Torn events, oldest first; of a replayed stream only the first."""
    sorts: Mapping[int, str] = field(default_factory=dict)
    """The sort of each torn event's stream, by the event's number; `record` if unknown."""
    headless: frozenset[str] = frozenset()
    """Streams whose first event is missing, so that nothing of them can be shown."""
    salvaged: LogSalvaged | None = None
    """The last salvage of the log, if nobody has read about it yet."""
    missing: frozenset[str] = frozenset()
    """Names of missing photographs."""
    torn_log: bool = False
    """The log's file was found damaged while the box runs. The next start salvages it."""
    complete: bool = True
    """The whole log was examined."""

    def sort_of(self, torn: TornEventError) -> str:
        """Return the sort of stream that an event belongs to, by its name in the catalogue."""
        return self.sorts[torn.seq]

    @property
    def troubles(self) -> tuple[str, ...]:
        """What is wrong with records, each once, in fixed words for programs."""
        found = [f"torn {self.sort_of(each)}" for each in self.torn]
        if self.salvaged:
            found.append("log salvaged")
        if self.missing:
            found.append("missing photographs")
        return tuple(dict.fromkeys(found))


def examine(store: Store, seconds: float = ANSWER_WITHIN_S) -> DamageReport:
    """Return the damage found within `seconds`; raise StoreError."""
    examination = _examination(store)
    if examination.complete:
        examination.go_on()
    else:
        examination.begin().wait(seconds)
        if examination.error:
            raise examination.error
    return _report(store, examination)


def examine_all(store: Store) -> DamageReport:
    """Examine everything and return the damage; raise StoreError."""
    examination = _examination(store)
    examination.go_on()
    return _report(store, examination)


def damages(store: Store) -> Iterator[TornEventError]:
    """Examine everything and yield the torn events; raise StoreError."""
    yield from examine_all(store).torn


def _examination(store: Store) -> Examination:
    """Return the one examination of a store."""
    return cast(Examination, store.derived.setdefault(_NAME, Examination(store)))


def _report(store: Store, examination: Examination) -> DamageReport:
    torn = examination.torn
    return DamageReport(
        torn,
        {each.seq: examination.sort_of(each) for each in torn},
        examination.headless,
        examination.salvaged,
        examination.missing,
        is_marked(store.folder),
        examination.complete,
    )
