"""What there are few of, shared out by address."""

from __future__ import annotations

import threading
from collections import Counter


class Shares:
    """Counts who has how many; safe to share between threads."""

    def __init__(self, most: int, most_of_one: int) -> None:
        """`most` in all, `most_of_one` of an address."""
        self._most, self._most_of_one = most, most_of_one
        self._taken: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def taken(self) -> int:
        """How many all have together."""
        with self._lock:
            return self._taken.total()

    def take(self, client: str, count: int = 1) -> bool:
        """Take so many more for an address; whether there are so many."""
        with self._lock:
            if self._taken[client] + count > self._most_of_one:
                return False
            if self._taken.total() + count > self._most:
                return False
            self._taken[client] += count
            return True

    def give_back(self, client: str, count: int = 1) -> None:
        """Give back what was taken."""
        with self._lock:
            self._taken[client] -= count
            if not self._taken[client]:
                del self._taken[client]
