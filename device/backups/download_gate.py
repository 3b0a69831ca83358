"""Let one phone at a time download a backup, for each makes a copy of the log.

A phone that has stopped reading, such as one that left the Wi-Fi, keeps nobody out.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator

STALLED_AFTER_S = 3.0
"""Time without a piece read after which another phone may begin."""

MAX_DOWNLOADS = 3
"""Downloads at a time, with those of phones that have stopped reading."""


class DownloadGate:
    """Knows the downloads under way; safe to share between threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._downloads: set[Download] = set()

    def begin(self) -> Download | None:
        """Begin a download; return None while another phone reads one."""
        with self._lock:
            is_busy = any(each.idle_s < STALLED_AFTER_S for each in self._downloads)
            if is_busy or len(self._downloads) >= MAX_DOWNLOADS:
                return None
            download = Download(self._clock, self._downloads.discard)
            self._downloads.add(download)
            return download


class Download:
    """One phone's download."""

    def __init__(self, clock: Callable[[], float], forget: Callable[[Download], None]) -> None:
        self._clock, self._forget = clock, forget
        self._read_at = clock()

    @property
    def idle_s(self) -> float:
        """Seconds since the phone took the last piece."""
        return self._clock() - self._read_at

    def watch(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the pieces, and note when each is asked for."""
        for piece in pieces:
            self._read_at = self._clock()
            yield piece

    def end(self) -> None:
        """End the download, whether or not it is complete."""
        self._forget(self)
