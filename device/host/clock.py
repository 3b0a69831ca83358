"""Setting the computer's clock, which a Raspberry Pi without internet begins anew at every start.

It is asked of its system, as switching off is: `deploy/polkit.rules` lets the box's user. While the
system waits for a time server it takes no time from anybody, so that it waits not for this moment;
what is set up to happen at the next start stays as it is.
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
"""What a clock may be off that was set: asking takes seconds."""


def set_clock(machine: Machine, at: datetime) -> bool:
    """Let the computer's clock show this moment; return whether it does."""
    waits = machine.ask(WAITS) == "active"
    if waits:
        machine.ask(STOP)
    try:
        machine.ask((*SET, str(int(at.timestamp() * 1_000_000)), "false", "false"))
    finally:
        if waits:
            machine.ask(START)
    return abs(machine.now() - at) < CLOSE
