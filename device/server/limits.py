"""The limits of the server for one address and for all together, and the shares within them."""

from __future__ import annotations

import resource
import threading
from collections import Counter
from dataclasses import dataclass, field, replace

_FILES_PER_CONNECTION = 6
"""Open files that a connection needs: three with HTTPS, and its buffered bodies."""

_MIN_OTHER_FILES = 200
"""Open files for everything else: the log, the camera, photographs, the program's own."""


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """The limits; times in seconds, sizes in bytes."""

    connections: int = 640
    """All connections: sixty phones with six each, as browsers keep, and several greedy ones. When
    all are taken, the address with the most connections loses the one that was quiet longest."""
    connections_per_address: int = 64
    """Connections of one address, behind which there may be several phones."""
    listeners: int = 320
    """Connections that listen for news, at most half of all: sixty tables with four phones each,
    and some spectators. They need no thread, but are never closed to make room."""
    listeners_per_address: int = 24
    """Listeners of one address. On a Wi-Fi each phone has its own, unless it is behind a router."""
    threads: int = 8
    """Requests answered at the same time."""
    threads_per_address: int = 2
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
    max_parked_bytes: int = 80 * 2**20
    """Bodies that are buffered at the same time. The page writes each a second time as it reads."""
    parked_per_address: int = 50 * 2**20
    """Buffered bodies of one address: two of the largest photographs."""
    max_unsent_bytes: int = 2**17
    """Data that may wait for a slow phone while more is made, about three live pictures. The phone
    then gets fewer pictures instead of old ones."""
    unsent_per_address: int = 2**25
    """Data that may wait for one address in all. A phone that asks and does not read is cut off."""


def within_open_files(limits: ServerLimits) -> ServerLimits:
    """Return the limits, reduced to the open files that the system allows this process.

    The process first asks for as many files as all connections need.
    """
    wanted_files = limits.connections * _FILES_PER_CONNECTION + _MIN_OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted_files:
        soft = wanted_files if hard == resource.RLIM_INFINITY else min(wanted_files, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= wanted_files:
        return limits
    return replace(limits, connections=max(1, (soft - _MIN_OTHER_FILES) // _FILES_PER_CONNECTION))


class AddressShares:
    """Counts the share of each address; safe to share between threads."""

    def __init__(self, limit: int, limit_of_one: int) -> None:
        """Allow `limit` in all, and `limit_of_one` for each address."""
        self._limit, self._limit_of_one = limit, limit_of_one
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def total_taken(self) -> int:
        """The sum of all shares."""
        with self._lock:
            return self._counts.total()

    def take(self, client: str, count: int = 1) -> bool:
        """Add to an address's share; return whether that was within the limits."""
        with self._lock:
            if self._counts[client] + count > self._limit_of_one:
                return False
            if self._counts.total() + count > self._limit:
                return False
            self._counts[client] += count
            return True

    def give_back(self, client: str, count: int = 1) -> None:
        """Reduce an address's share."""
        with self._lock:
            self._counts[client] -= count
            if not self._counts[client]:
                del self._counts[client]


MAX_STREAMS = 12
"""Live pictures at the same time, on all phones. Each occupies one server thread."""

MAX_STREAMS_PER_CAMERA = 4
"""Live pictures of one camera: one for each player."""

MAX_STREAMS_PER_PHONE = 2
"""Live pictures on one phone."""

MAX_JUDGED_FRAMES = 4
"""Frames of phones' own cameras judged at the same time, at most one per phone. Further phones
must ask again."""


@dataclass(frozen=True, slots=True)
class CameraShares:
    """The shares of live pictures and judged frames; one for each app."""

    frames: AddressShares = field(default_factory=lambda: AddressShares(MAX_JUDGED_FRAMES, 1))
    """Frames being judged, by phone."""
    phone_streams: AddressShares = field(
        default_factory=lambda: AddressShares(MAX_STREAMS, MAX_STREAMS_PER_PHONE)
    )
    """Live pictures, by phone."""
    camera_streams: AddressShares = field(
        default_factory=lambda: AddressShares(MAX_STREAMS, MAX_STREAMS_PER_CAMERA)
    )
    """Live pictures, by the camera's title."""

    def take_stream(self, camera: str, phone: str) -> bool:
        """Take a share of a live picture; return whether there was one."""
        if not self.camera_streams.take(camera):
            return False
        if self.phone_streams.take(phone):
            return True
        self.camera_streams.give_back(camera)
        return False

    def release_stream(self, camera: str, phone: str) -> None:
        """Give the share of a live picture back."""
        self.camera_streams.give_back(camera)
        self.phone_streams.give_back(phone)
