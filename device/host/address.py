"""Where phones find the box: its address on the local network, and a free port."""

from __future__ import annotations

import errno
import socket
from contextlib import closing

LOOPBACK = "127.0.0.1"

_EVERYWHERE = "0.0.0.0"  # noqa: S104

PORTS_TRIED = 20
"""How many ports after the wished-for one are tried before giving up."""


class NoPortError(Exception):
    """No port could be opened."""


ANYWHERE = "10.255.255.255"
"""An address that nobody has; asked for, a machine uses its usual network."""


def lan_address(towards: str = ANYWHERE) -> str:
    """Return this machine's IPv4 address on its network, or the loopback address without one.

    A machine in several networks has several: it is that by which `towards` reaches it. From
    this machine itself, it is that of the usual network.

    Connecting a datagram socket sends nothing: it only asks the kernel which of its addresses
    it would use.
    """
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect((ANYWHERE if towards.startswith("127.") else towards, 9))
        except OSError:
            return LOOPBACK
        return str(probe.getsockname()[0])


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
