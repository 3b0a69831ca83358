"""Who has which wind: each player East, South, West and North as equally as may be.

Where nobody has played yet, each wind comes to a player as often as any other, or once more: that
is always possible (an equitable edge colouring of a bipartite graph; de Werra, 1971). Two winds at
a time are made equal, by changing them about along a row of players from one who has too many of
the first to one who has too many of the second.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

from device.club.tournament.meetings import SEATS

Counts = Mapping[int, Mapping[int, int]]
"""How often each player sat in each seat; 0 is East."""


class _Winds:
    """Tables of players, in the order of their seats, and how often each has had each seat."""

    def __init__(self, tables: list[list[int]], before: Counts) -> None:
        self.tables = tables
        self.sat: dict[int, list[int]] = {}
        self._at: dict[int, list[int]] = {}
        for number, table in enumerate(tables):
            for player in table:
                counts = before.get(player, {})
                self.sat.setdefault(player, [counts.get(seat, 0) for seat in range(SEATS)])
                self._at.setdefault(player, []).append(number)

    def begin(self) -> None:
        """Give each table in turn the order that suits its players best so far."""
        for number, table in enumerate(self.tables):
            order = min(permutations(table), key=self._crowding)
            self.tables[number] = list(order)
            for seat, player in enumerate(order):
                self.sat[player][seat] += 1

    def _crowding(self, order: tuple[int, ...]) -> int:
        return sum(self.sat[player][seat] for seat, player in enumerate(order))

    def level(self, one: int, two: int) -> bool:
        """Make two winds equal for one player who has too many of the first; False for nobody."""
        for player in self.sat:
            if self._too_many(player, one, two) >= 2 and (way := self._way(player, one, two)):
                for table in way:
                    self._turn(table, one, two)
                return True
        return False

    def _too_many(self, player: int, one: int, two: int) -> int:
        return self.sat[player][one] - self.sat[player][two]

    def _way(self, start: int, one: int, two: int) -> list[int]:
        """Return the tables along which to change two winds about, that all be more equal."""
        most = self._too_many(start, one, two)
        came: dict[int, tuple[int, int]] = {}
        ahead = deque([start])
        while ahead:
            player = ahead.popleft()
            for number in self._at[player]:
                table = self.tables[number]
                other = table[two]
                if table[one] != player or other in came or other == start:
                    continue
                came[other] = player, number
                if self._too_many(other, one, two) <= most - 3:
                    return self._back(came, other, start)
                ahead.append(other)
        return []

    def _back(self, came: Mapping[int, tuple[int, int]], player: int, start: int) -> list[int]:
        tables = []
        while player != start:
            player, number = came[player]
            tables.append(number)
        return tables

    def _turn(self, number: int, one: int, two: int) -> None:
        table = self.tables[number]
        for player, gains, loses in ((table[one], two, one), (table[two], one, two)):
            self.sat[player][gains] += 1
            self.sat[player][loses] -= 1
        table[one], table[two] = table[two], table[one]


def with_winds(
    rounds: Sequence[Sequence[Sequence[int]]], before: Counts
) -> list[list[tuple[int, ...]]]:
    """Return the tables of each round with their players in the order East, South, West, North."""
    winds = _Winds([list(table) for each in rounds for table in each], before)
    winds.begin()
    pairs = [pair for two in combinations(range(SEATS), 2) for pair in (two, two[::-1])]
    while any(winds.level(one, two) for one, two in pairs):
        pass
    tables = iter(winds.tables)
    return [[tuple(next(tables)) for _ in each] for each in rounds]
