"""Say what is damaged, everywhere alike: `/health`, the doctor, the first page and `/damaged/`.

The log is looked over once, and then only what was added to it.
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
"""Seconds for which whoever asks waits; a log of years is looked over beside what the box does."""

_NAME = "examination"


@dataclass(frozen=True, slots=True)
class DamageReport:
    """What is damaged in a store."""

    torn: tuple[TornEventError, ...] = ()
    """Events that make no sense, the oldest first; the first of a stream whose events follow on
    each other."""
    sorts: Mapping[int, str] = field(default_factory=dict)
    """Of the stream of each, by the event's number; `record` where that is unknown."""
    headless: frozenset[str] = frozenset()
    """Streams whose beginning is gone: of these there is nothing to show."""
    salvaged: LogSalvaged | None = None
    """The log was damaged, and nobody has read so yet."""
    missing: frozenset[str] = frozenset()
    """Names of photographs that are not there."""
    torn_log: bool = False
    """The log's file was found to be damaged while the box runs; the next start salvages it."""
    complete: bool = True
    """All of the log was looked over."""

    def sort_of(self, torn: TornEventError) -> str:
        """Return to which sort of stream an event belongs, as the catalogue has it."""
        return self.sorts[torn.seq]

    @property
    def troubles(self) -> tuple[str, ...]:
        """What is wrong with records, as programs are told it, each once."""
        found = [f"torn {self.sort_of(each)}" for each in self.torn]
        if self.salvaged:
            found.append("log salvaged")
        if self.missing:
            found.append("missing photographs")
        return tuple(dict.fromkeys(found))


def examine(store: Store, seconds: float = ANSWER_WITHIN_S) -> DamageReport:
    """Return what is known to be damaged after at most `seconds`; raise StoreError."""
    examination = _examination(store)
    if examination.complete:
        examination.go_on()
    else:
        examination.begin().wait(seconds)
        if examination.error:
            raise examination.error
    return _report(store, examination)


def examine_all(store: Store) -> DamageReport:
    """Return what is damaged once all was looked over; raise StoreError."""
    examination = _examination(store)
    examination.go_on()
    return _report(store, examination)


def damages(store: Store) -> Iterator[TornEventError]:
    """Yield every event that makes no sense, once all was looked over; raise StoreError."""
    yield from examine_all(store).torn


def _examination(store: Store) -> Examination:
    """Return what is known of a store: the same for all who ask."""
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
