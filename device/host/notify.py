"""Talk to systemd: report readiness and life signs (sd_notify), and switch the computer off.

The box may do nothing that only root may. `deploy/polkit.rules` lets its user ask the system to
switch off.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing

HEALTH = "/health"
"""The page with the health of the box (`device.web.setup`)."""


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


def ready(alive: Callable[[float], bool]) -> None:
    """Report that the box is ready, and from now on send life signs while `alive` is true.

    `alive` gets the number of seconds in which it must answer.
    """
    notify("READY=1")
    limit = int(os.environ.get("WATCHDOG_USEC", "0")) / 1e6
    if limit and os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid()):
        # A third of the limit: two life signs may be late before systemd restarts the box.
        feeder = threading.Thread(target=_feed, args=(alive, limit / 3), name="watchdog")
        feeder.daemon = True
        feeder.start()


def answers(host: str, port: int, seconds: float) -> bool:
    """Whether the box answers on its own port in time, and reports that it is alive.

    The HTTP status does not matter: a restart would not help a full card.
    """
    try:
        with closing(http.client.HTTPConnection(host, port, timeout=seconds)) as connection:
            connection.request("GET", HEALTH)
            said = json.loads(connection.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError):
        return False
    return isinstance(said, dict) and bool(said.get("alive", said.get("status") == "ok"))


def _feed(alive: Callable[[float], bool], seconds: float) -> None:
    while True:
        asked = time.monotonic()
        if alive(seconds):
            notify("WATCHDOG=1")
        time.sleep(max(0.0, seconds - (time.monotonic() - asked)))
