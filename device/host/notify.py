"""Tell systemd that the box is ready, and that it lives (sd_notify, a datagram to a socket)."""

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
"""Where the box says how it is (`device.web.setup`)."""


def notify(state: str) -> None:
    """Send a state such as "READY=1"; do nothing where no systemd asked for it."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    # "@" stands for the zero byte that begins a name in Linux's abstract space.
    name = "\0" + address[1:] if address.startswith("@") else address
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as sender:
        sender.connect(name)
        sender.sendall(state.encode())


def ready(alive: Callable[[float], bool]) -> None:
    """Say that the box is ready; from now on say that it lives, as often as `alive` says so.

    It is asked for an answer within so many seconds.
    """
    notify("READY=1")
    limit = int(os.environ.get("WATCHDOG_USEC", "0")) / 1e6
    if limit and os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid()):
        # A third of the limit: two signs of life may be late before systemd starts the box anew.
        feeder = threading.Thread(target=_feed, args=(alive, limit / 3), name="watchdog")
        feeder.daemon = True
        feeder.start()


def answers(host: str, port: int, seconds: float) -> bool:
    """Whether the box answers its own port in time, as it does a phone, and says that it lives.

    With what status is no matter: where the card is full, nothing is mended by a new start.
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
