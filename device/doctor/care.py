"""Watch for problems that need somebody, for the first page; requests never wait for the checks."""

from __future__ import annotations

import threading
from types import TracebackType

from device.cameras.cameras import Cameras
from device.doctor.finding import Finding
from device.doctor.machine_checks import (
    check_clock_year,
    check_disk,
    check_power_by_files,
    check_running_camera,
    check_table_camera,
    check_temperature,
)
from device.host.machine import Machine

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
        self._found: tuple[Finding, ...] = ()
        self._changes = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="care", daemon=True)

    @property
    def list_findings(self) -> tuple[Finding, ...]:
        """The urgent findings, the most urgent first; never waits."""
        return self._found

    @property
    def changes(self) -> int:
        """How often the findings have changed, so that phones are notified."""
        return self._changes

    def look(self) -> None:
        """Run the checks now."""
        before, self._found = self._found, self._needs()
        if _kinds(before) != _kinds(self._found):
            self._changes += 1

    def _needs(self) -> tuple[Finding, ...]:
        if self._machine is None:
            return ()
        checks = (check_disk, check_temperature, check_power_by_files, check_clock_year)
        found = [check(self._machine) for check in checks]
        camera = self._cameras.box
        found.append(check_running_camera(camera.status if camera else None))
        found += [
            check_table_camera(own, status) for own, status in self._cameras.list_table_webcams()
        ]
        told = [each for each in found if (each.check, each.state) in URGENT_FINDINGS]
        return tuple(sorted(told, key=lambda each: URGENT_FINDINGS.index((each.check, each.state))))

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
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        self.look()
        while not self._over.wait(LOOK_INTERVAL_S):
            self.look()


def _kinds(found: tuple[Finding, ...]) -> tuple[tuple[object, ...], ...]:
    return tuple((each.check, each.state, each.values.get("table")) for each in found)
