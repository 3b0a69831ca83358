"""The limits of the server for one address and for all together, and the shares within them."""

from __future__ import annotations

import resource
from dataclasses import dataclass, replace

_FILES_OF_ONE = 6
"""Open files that a connection needs: three with HTTPS, and its buffered bodies."""

_FILES_BESIDES = 200
"""Open files for everything else: the log, the camera, photographs, the program's own."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits; times in seconds, sizes in bytes."""

    connections: int = 640
    """All connections: sixty phones with six each, as browsers keep, and several greedy ones. When
    all are taken, the address with the most connections loses the one that was quiet longest."""
    connections_of_one: int = 64
    """Connections of one address, behind which there may be several phones."""
    listeners: int = 320
    """Connections that listen for news, at most half of all: sixty tables with four phones each,
    and some spectators. They need no thread, but are never closed to make room."""
    listeners_of_one: int = 24
    """Listeners of one address. On a Wi-Fi each phone has its own, unless it is behind a router."""
    threads: int = 8
    """Requests answered at the same time."""
    threads_of_one: int = 2
    """Requests of one address answered at the same time. Its others wait behind everybody else's.
    All threads share one processor, so more of them would not be faster."""

    idle: float = 20.0
    """How long a connection without a request is kept. Browsers then open another."""
    headers: float = 20.0
    """From the first byte of a request to the end of its headers."""
    stall: float = 30.0
    """How long a phone may be silent within a body, as at the edge of the Wi-Fi."""
    arriving: float = 300.0
    """For a complete request: 12 MB over a weak Wi-Fi take a minute."""

    header_bytes: int = 2**15
    body_read: int = 2**29
    """How much of a body that is too large is read and discarded before the phone gets its answer:
    browsers read the answer only after they have sent everything."""
    parked: int = 80 * 2**20
    """Bodies that are buffered at the same time. The page writes each a second time as it reads."""
    parked_of_one: int = 50 * 2**20
    """Buffered bodies of one address: two of the largest photographs."""
    unsent: int = 2**17
    """Data that may wait for a slow phone while more is made, about three live pictures. The phone
    then gets fewer pictures instead of old ones."""
    unsent_of_one: int = 2**25
    """Data that may wait for one address in all. A phone that asks and does not read is cut off."""


def within_open_files(limits: Limits) -> Limits:
    """Return the limits, reduced to the open files that the system allows this process.

    The process first asks for as many files as all connections need.
    """
    wanted = limits.connections * _FILES_OF_ONE + _FILES_BESIDES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return limits
    return replace(limits, connections=max(1, (soft - _FILES_BESIDES) // _FILES_OF_ONE))
