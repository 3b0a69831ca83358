"""Which players have a phone at the table: what the phones themselves say, while the box is on.

It is not written down: each phone keeps whose it is, and says so again with everything it asks for.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

MOST = 200
"""Matches of which it is known: of all that are being played, and the last that were."""


class Phones:
    """The players of matches whose phone has asked for something in it."""

    def __init__(self) -> None:
        self._numbers: OrderedDict[str, frozenset[int]] = OrderedDict()
        self._lock = threading.Lock()

    def come(self, match: str, number: int) -> None:
        """Note that the phone of the player of that number is here."""
        with self._lock:
            self._numbers[match] = self._numbers.get(match, frozenset()) | {number}
            self._numbers.move_to_end(match)
            while len(self._numbers) > MOST:
                self._numbers.popitem(last=False)

    def leave(self, match: str, number: int) -> None:
        """Note that a phone is no longer that player's; another of the same player comes again."""
        with self._lock:
            if match in self._numbers:
                self._numbers[match] -= {number}

    def at(self, match: str) -> frozenset[int]:
        """Return the numbers of the players of a match that have a phone."""
        with self._lock:
            return self._numbers.get(match, frozenset())
