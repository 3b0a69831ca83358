"""Count time since the computer's start: a clock that nobody sets, for what lasts minutes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Uptime:
    """A moment since a computer's start."""

    boot: str
    """Id of the start, unique over all computers; empty if unknown."""
    seconds: float
    """Seconds since then, including sleep."""


def uptime() -> Uptime:
    """Return how long this computer has been running."""
    boot = _boot()
    return Uptime(boot, time.clock_gettime(time.CLOCK_BOOTTIME) if boot else 0.0)


@cache
def _boot() -> str:
    try:
        return _BOOT_ID.read_text("ascii").strip()
    except (OSError, UnicodeError):  # another system than Linux
        return ""
