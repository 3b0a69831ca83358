"""Set the computer's clock, and count time since its start.

A Raspberry Pi without internet starts with the time at which it was switched off. Its clock is set
through the system, as `deploy/polkit.rules` allows. The system refuses to set the time while its
time service runs, so the service is stopped meanwhile and started again.

The uptime never jumps, so it serves for everything that lasts minutes.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

from device.host.machine import Machine

_SYNC_SERVICE = "systemd-timesyncd.service"
_TIMEDATED = (
    "org.freedesktop.timedate1", "/org/freedesktop/timedate1", "org.freedesktop.timedate1"
)  # fmt: skip

IS_SYNC_ACTIVE_COMMAND = ("systemctl", "is-active", _SYNC_SERVICE)
STOP_SYNC_COMMAND = ("systemctl", "--no-ask-password", "stop", _SYNC_SERVICE)
START_SYNC_COMMAND = ("systemctl", "--no-ask-password", "start", _SYNC_SERVICE)
SET_TIME_COMMAND = ("busctl", "call", *_TIMEDATED, "SetTime", "xbb")

MAX_CLOCK_ERROR = timedelta(minutes=1)
"""How far the clock may be off after it was set, since the commands take seconds."""


def set_clock(machine: Machine, at: datetime) -> bool:
    """Set the computer's clock; return whether it now shows that time."""
    waits = machine.ask(IS_SYNC_ACTIVE_COMMAND) == "active"
    if waits:
        machine.ask(STOP_SYNC_COMMAND)
    try:
        machine.ask((*SET_TIME_COMMAND, str(int(at.timestamp() * 1_000_000)), "false", "false"))
    finally:
        if waits:
            machine.ask(START_SYNC_COMMAND)
    return abs(machine.now() - at) < MAX_CLOCK_ERROR


_BOOT_ID_FILE = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Uptime:
    """A moment since a computer's start."""

    boot: str
    """Id of the start, unique over all computers; empty if unknown."""
    seconds: float
    """Seconds since then, including sleep."""


def read_uptime() -> Uptime:
    """Return how long this computer has been running."""
    boot = _read_boot_id()
    return Uptime(boot, time.clock_gettime(time.CLOCK_BOOTTIME) if boot else 0.0)


@cache
def _read_boot_id() -> str:
    try:
        return _BOOT_ID_FILE.read_text("ascii").strip()
    except (OSError, UnicodeError):  # another system than Linux
        return ""
