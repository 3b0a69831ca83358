"""Talk to systemd: report readiness and life signs (sd_notify), and switch the computer off.

The box may do nothing that only root may. `deploy/polkit.rules` lets its user ask the system to
switch off.
"""

from __future__ import annotations

import http.client
import json
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing

from device.host.machine import Machine

HEALTH_PATH = "/health"
"""The page with the health of the box (`device.web.maintenance`)."""


def notify(state: str) -> None:
    """Send a state such as "READY=1"; do nothing if no systemd asked for it."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    # "@" stands for the zero byte at the beginning of an abstract socket name.
    name = "\0" + address[1:] if address.startswith("@") else address
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as sender:
        sender.connect(name)
        sender.sendall(state.encode())


def notify_ready(alive: Callable[[float], bool]) -> None:
    """Report that the box is ready, and from now on send life signs while `alive` is true.

    `alive` gets the number of seconds in which it must answer.
    """
    notify("READY=1")
    limit = int(os.environ.get("WATCHDOG_USEC", "0")) / 1e6
    if limit and os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid()):
        # A third of the limit: two life signs may be late before systemd restarts the box.
        feeder = threading.Thread(target=_feed_watchdog, args=(alive, limit / 3), name="watchdog")
        feeder.daemon = True
        feeder.start()


def is_answering(host: str, port: int, seconds: float) -> bool:
    """Whether the box answers on its own port in time, and reports that it is alive.

    The HTTP status does not matter: a restart would not help a full card.
    """
    try:
        with closing(http.client.HTTPConnection(host, port, timeout=seconds)) as connection:
            connection.request("GET", HEALTH_PATH)
            answer = json.loads(connection.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError):
        return False
    return isinstance(answer, dict) and bool(answer.get("alive", answer.get("status") == "ok"))


def _feed_watchdog(alive: Callable[[float], bool], seconds: float) -> None:
    while True:
        start = time.monotonic()
        if alive(seconds):
            notify("WATCHDOG=1")
        time.sleep(max(0.0, seconds - (time.monotonic() - start)))


SERVICE_UNIT = "tongbox.service"

_LOGIND = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")

CAN_POWER_OFF_COMMAND = ("busctl", "call", *_LOGIND, "CanPowerOff")
POWER_OFF_COMMAND = ("busctl", "call", *_LOGIND, "PowerOff", "b", "false")
POWER_OFF_DELAY_S = 2.0
"""Seconds until all phones have been notified, and the one that asked has its page."""

POWER_OFF_TIMEOUT_S = 60.0
"""Seconds after which a box that still runs was not switched off; systemd waits 30 for it."""

_log = logging.getLogger(__name__)


def is_box_service(machine: Machine) -> bool:
    """Whether this program runs as the computer's service, and not as a trial on it."""
    return f"/{SERVICE_UNIT}" in machine.text("proc/self/cgroup")


def can_switch_off(machine: Machine) -> bool:
    """Whether the system allows the box to switch it off."""
    return machine.ask(CAN_POWER_OFF_COMMAND) == 's "yes"'


class PowerSwitch:
    """Switches the computer off once; safe to share between threads."""

    def __init__(
        self, delay: float = POWER_OFF_DELAY_S, patience: float = POWER_OFF_TIMEOUT_S
    ) -> None:
        self._delay, self._patience = delay, patience
        self._is_tapped = threading.Event()

    @property
    def is_off(self) -> bool:
        """Whether switching off was requested. The box still answers for a moment."""
        return self._is_tapped.is_set()

    def tap(self, machine: Machine) -> None:
        """Switch the computer off after a short delay."""
        self._is_tapped.set()
        threading.Thread(target=self._go, args=(machine,), name="off", daemon=True).start()

    def _go(self, machine: Machine) -> None:
        time.sleep(self._delay)
        machine.ask(POWER_OFF_COMMAND)
        time.sleep(self._patience)
        _log.error("The computer did not switch off")
        self._is_tapped.clear()


RESTART_DELAY_S = 2.5
"""Seconds until every phone knows, also one that only polls (as `news.js` does)."""


class ProgramRestart:
    """Ends this program, which then runs again: as a service, in a container, or from a shell."""

    def __init__(self, delay: float = RESTART_DELAY_S) -> None:
        self._delay = delay
        self._is_wanted = threading.Event()
        self.stop_serving: Callable[[], None] = lambda: None
        """Ends the server, so that its program closes everything."""

    def request(self) -> None:
        """End the program after a short delay."""
        self._is_wanted.set()
        timer = threading.Timer(self._delay, lambda: self.stop_serving())
        timer.daemon = True
        timer.start()

    def run_again(self) -> None:
        """Run the program anew if that was requested; call this once it has closed everything.

        The process and its number stay, so whatever started it notices nothing.
        """
        if self._is_wanted.is_set():
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606
