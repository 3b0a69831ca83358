"""Switching the computer off: asked of its system, for the box may do nothing that only root may.

`deploy/polkit.rules` lets the box's user ask for that, and for nothing else.
"""

from __future__ import annotations

import logging
import threading
import time

from device.host.machine import Machine

UNIT = "tongbox.service"

_LOGIND = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")

MAY = ("busctl", "call", *_LOGIND, "CanPowerOff")
DO = ("busctl", "call", *_LOGIND, "PowerOff", "b", "false")
HEARD = 2.0
"""Seconds in which all phones have heard that the box is going, and who tapped has the page."""

PATIENCE = 60.0
"""Seconds after which a box that answers still was not switched off; systemd waits 30 for it."""

_log = logging.getLogger(__name__)


def is_the_box(machine: Machine) -> bool:
    """Whether this program is the computer's service, not one that somebody tries out on it."""
    return f"/{UNIT}" in machine.text("proc/self/cgroup")


def may_switch_off(machine: Machine) -> bool:
    """Whether the system would let the box switch it off."""
    return machine.ask(MAY) == 's "yes"'


class Switch:
    """Switches the computer off once; safe to share between threads."""

    def __init__(self, heard: float = HEARD, patience: float = PATIENCE) -> None:
        self._heard, self._patience = heard, patience
        self._tapped = threading.Event()

    @property
    def is_off(self) -> bool:
        """Whether it was tapped: the box answers for a moment still."""
        return self._tapped.is_set()

    def tap(self, machine: Machine) -> None:
        """Switch the computer off in a moment."""
        self._tapped.set()
        threading.Thread(target=self._go, args=(machine,), name="off", daemon=True).start()

    def _go(self, machine: Machine) -> None:
        time.sleep(self._heard)
        machine.ask(DO)
        time.sleep(self._patience)
        _log.error("The computer was to be switched off, and goes on")
        self._tapped.clear()
