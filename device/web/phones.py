"""Which players have a phone at the table: what the phones themselves say, while the box is on.

It is not written down: each phone keeps whose it is, and says so again with everything it asks for.
"""

from __future__ import annotations

import threading


class Phones:
    """The players of the match being played whose phone has asked for something in it."""

    def __init__(self) -> None:
        self._match = ""
        self._numbers: frozenset[int] = frozenset()
        self._lock = threading.Lock()

    def come(self, match: str, number: int) -> None:
        """Note that the phone of the player of that number is here."""
        with self._lock:
            before = self._numbers if self._match == match else frozenset()
            self._match, self._numbers = match, before | {number}

    def leave(self, match: str, number: int) -> None:
        """Note that a phone is no longer that player's; another of the same player comes again."""
        with self._lock:
            if self._match == match:
                self._numbers -= {number}

    def at(self, match: str) -> frozenset[int]:
        """Return the numbers of the players of a match that have a phone."""
        with self._lock:
            return self._numbers if self._match == match else frozenset()
