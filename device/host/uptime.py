"""How long the computer has been running: a clock that nobody sets, for what lasts minutes.

A Raspberry Pi begins with the time at which it was switched off, and jumps by hours once it hears
of the right one. What it counts since its start jumps never.
"""

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
    """Of which start, of which computer; empty where that cannot be said."""
    seconds: float
    """Since then, those asleep included."""


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
