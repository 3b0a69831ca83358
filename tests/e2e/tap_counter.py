"""A player whose taps are counted: what costs more than was promised fails."""

from __future__ import annotations

from tests.e2e.engines import Browser
from tests.e2e.player import Player


class CountingPlayer(Player):
    """Does what a player does, and counts how often he taps."""

    def __init__(self, browser: Browser) -> None:
        super().__init__(browser)
        self.taps = 0

    def tap(self, selector: str) -> None:
        super().tap(selector)
        self.taps += 1

    def count_since(self, before: int) -> int:
        """Return how many taps there were since the count was `before`."""
        return self.taps - before
