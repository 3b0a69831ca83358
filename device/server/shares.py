"""Share a limited resource between addresses."""

from __future__ import annotations

import threading
from collections import Counter


class Shares:
    """Counts the share of each address; safe to share between threads."""

    def __init__(self, most: int, most_of_one: int) -> None:
        """Allow `most` in all, and `most_of_one` for each address."""
        self._most, self._most_of_one = most, most_of_one
        self._taken: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def taken(self) -> int:
        """The sum of all shares."""
        with self._lock:
            return self._taken.total()

    def take(self, client: str, count: int = 1) -> bool:
        """Add to an address's share; return whether that was within the limits."""
        with self._lock:
            if self._taken[client] + count > self._most_of_one:
                return False
            if self._taken.total() + count > self._most:
                return False
            self._taken[client] += count
            return True

    def give_back(self, client: str, count: int = 1) -> None:
        """Reduce an address's share."""
        with self._lock:
            self._taken[client] -= count
            if not self._taken[client]:
                del self._taken[client]
