"""Set the computer's clock, and count time since its start.

A Raspberry Pi without internet starts with the time at which it was switched off. Its clock is set
through the system, as `deploy/polkit.rules` allows. The system refuses to set the time while its
time service runs, so the service is stopped meanwhile and started again.

The uptime never jumps, so it serves for everything that lasts minutes.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from device.host.machine import Machine

_SERVICE = "systemd-timesyncd.service"
_TIMEDATED = (
    "org.freedesktop.timedate1", "/org/freedesktop/timedate1", "org.freedesktop.timedate1"
)  # fmt: skip

WAITS = ("systemctl", "is-active", _SERVICE)
STOP = ("systemctl", "--no-ask-password", "stop", _SERVICE)
START = ("systemctl", "--no-ask-password", "start", _SERVICE)
SET = ("busctl", "call", *_TIMEDATED, "SetTime", "xbb")

CLOSE = timedelta(minutes=1)
"""How far the clock may be off after it was set, since the commands take seconds."""


def set_clock(machine: Machine, at: datetime) -> bool:
    """Set the computer's clock; return whether it now shows that time."""
    waits = machine.ask(WAITS) == "active"
    if waits:
        machine.ask(STOP)
    try:
        machine.ask((*SET, str(int(at.timestamp() * 1_000_000)), "false", "false"))
    finally:
        if waits:
            machine.ask(START)
    return abs(machine.now() - at) < CLOSE
