"""Report the health of the box to programs that watch it (`/health`).

Whether the box can store events is found out by trying, not only by looking.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from device.damage import DamageReport, examine
from device.hands.repository import HandRepository
from device.store import DiskFullError, StoreError, TornLogError, UnwritableError
from device.store.errors import LoginRefusedError, UnreachableError
from device.store.store import RESERVED_BYTES

ANSWER_TIMEOUT_S = 3.0
"""How long a program waits after a start. Programs expect an answer within ten seconds."""

MAX_REASONS_NAMED = 20
"""Damaged events that are named one by one."""

_MAX_KIND_CHARACTERS = 40
"""Limit of a damaged event's kind, which may be any text."""

REASONS = {
    "no worker": "no photograph is read any more; start the program anew",
    "torn log": "the log's file is damaged; the next start salvages it",
    "no write": "nothing can be written to the data folder",
    "no room": "the disk is nearly full, and no photograph is kept any more",
    "no database": "the database does not answer, or lets nobody in",
    "no store": "the log cannot be read",
    "log salvaged": "the log was damaged; the first page says what is missing, until it is read",
}
"""The meaning of each trouble of the box itself."""


@dataclass(frozen=True, slots=True)
class HealthReport:
    """The health of the box."""

    alive: bool
    """The program works, so a restart would not help."""
    troubles: tuple[str, ...]
    """What is wrong, the worst first, in fixed words for programs."""
    reasons: tuple[str, ...]
    """The same for people. It contains no names, because it is shown without a PIN."""
    complete: bool
    """The whole log was examined since the start."""
    is_able: bool
    """The box can read, keep and show what is played now."""

    @property
    def status(self) -> Literal["ok", "degraded"]:
        """`ok`, or `degraded` if there is any trouble."""
        return "degraded" if self.troubles else "ok"


def check_health(watch: StorageWatch, hands: HandRepository, *, alive: bool) -> HealthReport:
    """Return the health of the box; never raises for errors of its store."""
    unable = [*(() if alive else ("no worker",)), *watch.troubles(hands)]
    report = DamageReport(complete=False)
    try:
        report = examine(hands.store, ANSWER_TIMEOUT_S)
    except StoreError as error:
        unable.append(name_trouble(error))
    if report.torn_log:
        unable.insert(0, "torn log")
    unable = list(dict.fromkeys(unable))
    return HealthReport(
        alive=alive,
        troubles=(*unable, *report.troubles),
        reasons=(*explain_troubles(unable), *_reasons(report)),
        complete=report.complete,
        is_able=not unable,
    )


def explain_troubles(troubles: Sequence[str]) -> tuple[str, ...]:
    """Return the troubles with their meanings."""
    return tuple(f"{each}: {REASONS[each]}" for each in troubles)


def _reasons(report: DamageReport) -> list[str]:
    said = [
        f"torn {report.sort_of(each)}: entry {each.seq} ({each.kind[:_MAX_KIND_CHARACTERS]})"
        for each in report.torn[:MAX_REASONS_NAMED]
    ]
    if len(report.torn) > MAX_REASONS_NAMED:
        said.append(f"{len(report.torn) - MAX_REASONS_NAMED} more entries make no sense")
    if report.salvaged:
        said += explain_troubles(["log salvaged"])
    if report.missing:
        said.append(f"missing photographs: {len(report.missing)} files of which the log speaks")
    return said


RESULT_LIFETIME_S = 30.0
"""How long a result is valid. Every try writes to the card, and cards wear out."""

TROUBLES: dict[type[StoreError], str] = {
    DiskFullError: "no room",
    UnwritableError: "no write",
    TornLogError: "torn log",
    UnreachableError: "no database",
    LoginRefusedError: "no database",
}
"""The name of each error for programs; any other error is `no store`."""


def name_trouble(error: StoreError) -> str:
    """Return the name of an error for programs."""
    return TROUBLES.get(type(error), "no store")


class StorageWatch:
    """Tries whether the store accepts writes, but not more often than necessary."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._found: tuple[str, ...] = ()
        self._until = -1.0

    def troubles(self, hands: HandRepository) -> tuple[str, ...]:
        """Return what is wrong, the worst first; empty if all is well."""
        with self._lock:
            if self._clock() >= self._until:
                self._found = tuple(dict.fromkeys(_look_at_storage(hands)))
                self._until = self._clock() + RESULT_LIFETIME_S
            return self._found


def _look_at_storage(hands: HandRepository) -> list[str]:
    found: list[str] = []
    store = hands.store
    try:
        hands.newest_photo_event()
        store.try_write()
    except StoreError as error:
        found.insert(0, name_trouble(error))
    try:
        if shutil.disk_usage(store.folder).free < RESERVED_BYTES:
            found.append("no room")
    except OSError:
        found.append("no store")
    return found
