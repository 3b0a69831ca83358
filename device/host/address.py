"""Find the box's address on the local network, and a free port."""

from __future__ import annotations

import errno
import socket
from contextlib import closing, suppress

LOOPBACK_ADDRESS = "127.0.0.1"

HOTSPOT_ADDRESS = "10.42.0.1"
"""The box's address in its own Wi-Fi (`deploy/hotspot.sh`)."""

_ALL_INTERFACES = "0.0.0.0"  # noqa: S104

MAX_PORTS_TRIED = 20
"""How many ports from the preferred one on are tried."""


class NoPortError(Exception):
    """No port could be opened."""


UNROUTED_ADDRESS = "10.255.255.255"
"""An unused address; a machine reaches it through its usual network."""

HOTSPOT_GUEST_ADDRESS = "10.42.0.2"
"""An address in the box's own Wi-Fi, which has no route to other networks."""


def find_lan_address(towards: str = UNROUTED_ADDRESS) -> str:
    """Return this machine's IPv4 address on its network, or the loopback address without one.

    In several networks, it is the address by which `towards` reaches this machine. For this
    machine itself, it is that of the usual network, or else of its own Wi-Fi.

    Connecting a datagram socket sends nothing: it only asks the kernel which address it would use.
    """
    for place in (
        UNROUTED_ADDRESS if towards.startswith("127.") else towards,
        HOTSPOT_GUEST_ADDRESS,
    ):
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe, suppress(OSError):
            probe.connect((place, 9))
            return str(probe.getsockname()[0])
    return LOOPBACK_ADDRESS


def local_address_of(listener: socket.socket) -> tuple[str, int]:
    """Return the address and port of a listener as seen from this machine."""
    host, port = listener.getsockname()
    return (LOOPBACK_ADDRESS if host == _ALL_INTERFACES else host), port


def open_port(host: str, wished: int) -> socket.socket:
    """Return a socket bound to the first free port from `wished` on; raise NoPortError."""
    for port in range(wished, min(wished + MAX_PORTS_TRIED, 65536)):
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
