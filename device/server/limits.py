"""What one address may have of the box, and all of them together."""

from __future__ import annotations

import resource
from dataclasses import dataclass, replace

_FILES_OF_ONE = 6
"""Open files for a connection at most: three by HTTPS, and its bodies put by."""

_FILES_BESIDES = 200
"""Open files for all else: the log, the camera, photographs, the program's own."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds; times in seconds, sizes in bytes."""

    connections: int = 640
    """In all: sixty phones with the six that a browser keeps, and several greedy ones. When these
    are taken, the address that has the most loses the one that was quiet for longest."""
    connections_of_one: int = 64
    """Of one address, behind which several phones may be."""
    listeners: int = 320
    """Connections on which phones listen for news, at most half of all there are: sixty tables with
    four phones each, and some that look on. They cost no thread, but none of them makes room."""
    listeners_of_one: int = 24
    """Those of one address: each phone has its own on a Wi-Fi, but for those behind a router."""
    threads: int = 8
    """Requests that are answered at once."""
    threads_of_one: int = 2
    """Those of one address: what else it asks waits, and everybody else's goes first. Threads share
    one processor with that which hears all phones, so more would be no faster."""

    idle: float = 20.0
    """A connection on which nothing is asked is kept for so long; browsers open another."""
    headers: float = 20.0
    """From the first byte of a request to the end of its headers."""
    stall: float = 30.0
    """While a body is on its way, a phone at the edge of the Wi-Fi may be silent for so long."""
    arriving: float = 300.0
    """For all of a request: 12 MB by a weak Wi-Fi take a minute."""

    header_bytes: int = 2**15
    body_read: int = 2**29
    """Of a body that is too large, so much is taken and thrown away before the phone is told:
    a browser reads the answer once it has sent everything."""
    parked: int = 80 * 2**20
    """Bodies that lie on the box at a time; its page writes each a second time as it reads it."""
    parked_of_one: int = 50 * 2**20
    """Those of one address: two of the largest photographs."""
    unsent: int = 2**17
    """What waits for a slow phone while more is made, three live pictures or so: it then gets fewer
    of them rather than old ones."""
    unsent_of_one: int = 2**25
    """What waits for one address in all. Who asks on and takes nothing is cut off."""


def within_open_files(limits: Limits) -> Limits:
    """Return the limits, with no more connections than the system lets this process have.

    It is asked first for as many as all would need; a process usually begins with a fraction.
    """
    wanted = limits.connections * _FILES_OF_ONE + _FILES_BESIDES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return limits
    return replace(limits, connections=max(1, (soft - _FILES_BESIDES) // _FILES_OF_ONE))
