"""Watch the health of the box, for programs (`/health`) and for the first page.

Whether the box can store events is found out by trying, not only by looking. Requests for the first
page never wait for the checks.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Literal

from device.cameras.cameras import Cameras
from device.damage import DamageReport, examine
from device.doctor.finding import Finding
from device.doctor.machine_checks import (
    check_clock_year,
    check_disk,
    check_power_by_files,
    check_running_camera,
    check_table_camera,
    check_temperature,
)
from device.hands.repository import HandRepository
from device.host.machine import Machine
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
    reasons = [
        f"torn {report.sort_of(each)}: entry {each.seq} ({each.kind[:_MAX_KIND_CHARACTERS]})"
        for each in report.torn_events[:MAX_REASONS_NAMED]
    ]
    if len(report.torn_events) > MAX_REASONS_NAMED:
        reasons.append(f"{len(report.torn_events) - MAX_REASONS_NAMED} more entries make no sense")
    if report.salvage:
        reasons += explain_troubles(["log salvaged"])
    if report.missing:
        reasons.append(f"missing photographs: {len(report.missing)} files of which the log speaks")
    return reasons


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
        self._problems: tuple[str, ...] = ()
        self._valid_until = -1.0

    def troubles(self, hands: HandRepository) -> tuple[str, ...]:
        """Return what is wrong, the worst first; empty if all is well."""
        with self._lock:
            if self._clock() >= self._valid_until:
                self._problems = tuple(dict.fromkeys(_look_at_storage(hands)))
                self._valid_until = self._clock() + RESULT_LIFETIME_S
            return self._problems


def _look_at_storage(hands: HandRepository) -> list[str]:
    problems: list[str] = []
    store = hands.store
    try:
        hands.newest_photo_event()
        store.try_write()
    except StoreError as error:
        problems.insert(0, name_trouble(error))
    try:
        if shutil.disk_usage(store.folder).free < RESERVED_BYTES:
            problems.append("no room")
    except OSError:
        problems.append("no store")
    return problems


LOOK_INTERVAL_S = 10.0
"""Seconds between two looks. A look reads a few of the kernel's files and starts no program."""

URGENT_FINDINGS = (
    ("disk", "full"),
    ("temperature", "too-hot"),
    ("power", "low"),
    ("camera", "lost"),
    ("camera", "table-lost"),
    ("disk", "unknown"),
    ("temperature", "hot"),
    ("disk", "low"),
    ("power", "was-low"),
    ("power", "slowed"),
    ("clock", "old"),
)
"""The findings to show, by check and state, the most urgent first. No others are shown."""


class CareWatch:
    """The urgent findings of the last look; safe to share between threads."""

    def __init__(self, machine: Machine | None = None, cameras: Cameras | None = None) -> None:
        """Watch a machine and the cameras of a running box; without a machine, nothing."""
        self._machine = machine
        self._cameras = cameras or Cameras()
        self._findings: tuple[Finding, ...] = ()
        self._changes = 0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="care", daemon=True)

    @property
    def list_findings(self) -> tuple[Finding, ...]:
        """The urgent findings, the most urgent first; never waits."""
        return self._findings

    @property
    def changes(self) -> int:
        """How often the findings have changed, so that phones are notified."""
        return self._changes

    def look(self) -> None:
        """Run the checks now."""
        before, self._findings = self._findings, self._needs()
        if _kinds(before) != _kinds(self._findings):
            self._changes += 1

    def _needs(self) -> tuple[Finding, ...]:
        if self._machine is None:
            return ()
        checks = (check_disk, check_temperature, check_power_by_files, check_clock_year)
        findings = [check(self._machine) for check in checks]
        camera = self._cameras.box
        findings.append(check_running_camera(camera.status if camera else None))
        findings += [
            check_table_camera(own, status) for own, status in self._cameras.list_table_webcams()
        ]
        urgent_findings = [
            finding for finding in findings if (finding.check, finding.state) in URGENT_FINDINGS
        ]
        return tuple(
            sorted(
                urgent_findings,
                key=lambda finding: URGENT_FINDINGS.index((finding.check, finding.state)),
            )
        )

    def __enter__(self) -> CareWatch:
        """Start to look at intervals."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop looking."""
        self._is_over.set()
        self._thread.join()

    def _watch(self) -> None:
        self.look()
        while not self._is_over.wait(LOOK_INTERVAL_S):
            self.look()


def _kinds(findings: tuple[Finding, ...]) -> tuple[tuple[object, ...], ...]:
    return tuple((each.check, each.state, each.values.get("table")) for each in findings)
