"""Switch the computer off through systemd, as `deploy/polkit.rules` allows."""

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
"""Seconds until all phones have been notified, and the one that asked has its page."""

PATIENCE = 60.0
"""Seconds after which a box that still runs was not switched off; systemd waits 30 for it."""

_log = logging.getLogger(__name__)


def is_the_box(machine: Machine) -> bool:
    """Whether this program runs as the computer's service, and not as a trial on it."""
    return f"/{UNIT}" in machine.text("proc/self/cgroup")


def may_switch_off(machine: Machine) -> bool:
    """Whether the system allows the box to switch it off."""
    return machine.ask(MAY) == 's "yes"'


class Switch:
    """Switches the computer off once; safe to share between threads."""

    def __init__(self, heard: float = HEARD, patience: float = PATIENCE) -> None:
        self._heard, self._patience = heard, patience
        self._tapped = threading.Event()

    @property
    def is_off(self) -> bool:
        """Whether switching off was requested. The box still answers for a moment."""
        return self._tapped.is_set()

    def tap(self, machine: Machine) -> None:
        """Switch the computer off after a short delay."""
        self._tapped.set()
        threading.Thread(target=self._go, args=(machine,), name="off", daemon=True).start()

    def _go(self, machine: Machine) -> None:
        time.sleep(self._heard)
        machine.ask(DO)
        time.sleep(self._patience)
        _log.error("The computer was to be switched off, and goes on")
        self._tapped.clear()
