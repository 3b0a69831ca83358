"""Where phones find the box: its address on the local network, and a free port."""

from __future__ import annotations

import errno
import socket
from contextlib import closing, suppress

LOOPBACK = "127.0.0.1"

HOTSPOT_ADDRESS = "10.42.0.1"
"""The box's in the Wi-Fi that it may make itself (`deploy/hotspot.sh`)."""

_EVERYWHERE = "0.0.0.0"  # noqa: S104

PORTS_TRIED = 20
"""How many ports after the wished-for one are tried before giving up."""


class NoPortError(Exception):
    """No port could be opened."""


ANYWHERE = "10.255.255.255"
"""An address that nobody has; asked for, a machine uses its usual network."""

GUEST = "10.42.0.2"
"""One in the box's own Wi-Fi, from which there is no way to anywhere else."""


def lan_address(towards: str = ANYWHERE) -> str:
    """Return this machine's IPv4 address on its network, or the loopback address without one.

    A machine in several networks has several: it is that by which `towards` reaches it. From
    this machine itself, it is that of the usual network, or of its own Wi-Fi alone.

    Connecting a datagram socket sends nothing: it only asks the kernel which of its addresses
    it would use.
    """
    for place in (ANYWHERE if towards.startswith("127.") else towards, GUEST):
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe, suppress(OSError):
            probe.connect((place, 9))
            return str(probe.getsockname()[0])
    return LOOPBACK


def reachable(listener: socket.socket) -> tuple[str, int]:
    """Return the address and port by which this machine itself reaches a listener."""
    host, port = listener.getsockname()
    return (LOOPBACK if host == _EVERYWHERE else host), port


def open_port(host: str, wished: int) -> socket.socket:
    """Return a socket bound to the first free port from `wished` on; raise NoPortError."""
    for port in range(wished, min(wished + PORTS_TRIED, 65536)):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen()
        except OSError as error:
            listener.close()
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise NoPortError(f"Tongbox cannot listen on {host}: {error.strerror}.") from error
        else:
            return listener
    raise NoPortError(f"No port from {wished} on is free. Choose another with --port.")
