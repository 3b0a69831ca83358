"""Tell systemd that the box is ready, and that it lives (sd_notify, a datagram to a socket)."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing


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


def ready(alive: Callable[[], bool]) -> None:
    """Say that the box is ready; from now on say that it lives, for as long as `alive` says so."""
    notify("READY=1")
    limit = int(os.environ.get("WATCHDOG_USEC", "0")) / 1e6
    if limit and os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid()):
        # A third of the limit: two signs of life may be late before systemd starts the box anew.
        feeder = threading.Thread(target=_feed, args=(alive, limit / 3), name="watchdog")
        feeder.daemon = True
        feeder.start()


def _feed(alive: Callable[[], bool], seconds: float) -> None:
    while alive():
        notify("WATCHDOG=1")
        time.sleep(seconds)
