"""Assign winds so that each player gets every wind equally often."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

from device.club.tournament.meetings import SEATS

Counts = Mapping[int, Mapping[int, int]]
"""How often each player sat in each seat; 0 is East."""


class _Winds:
    """Balances the winds of tables of players.

    If nobody has played before, every player can get each wind equally often, or once more. That is
    an equitable edge colouring of a bipartite graph (de Werra, 1971). Two winds at a time are
    balanced: they are swapped along a chain of players, from one with too many of the first to one
    with too many of the second.
    """

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
        """Choose for each table in turn the seat order that suits its players best so far."""
        for number, table in enumerate(self.tables):
            order = min(permutations(table), key=self._times_sat)
            self.tables[number] = list(order)
            for seat, player in enumerate(order):
                self.sat[player][seat] += 1

    def _times_sat(self, order: tuple[int, ...]) -> int:
        return sum(self.sat[player][seat] for seat, player in enumerate(order))

    def level(self, one: int, two: int) -> bool:
        """Balance two winds for one player with too many of the first; False if nobody has."""
        for player in self.sat:
            if self._excess(player, one, two) >= 2 and (way := self._find_chain(player, one, two)):
                for table in way:
                    self._swap_winds(table, one, two)
                return True
        return False

    def _excess(self, player: int, one: int, two: int) -> int:
        return self.sat[player][one] - self.sat[player][two]

    def _find_chain(self, start: int, one: int, two: int) -> list[int]:
        """Return the tables at which to swap two winds so that all players are more balanced."""
        most = self._excess(start, one, two)
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
                if self._excess(other, one, two) <= most - 3:
                    return self._trace_tables(came, other, start)
                ahead.append(other)
        return []

    def _trace_tables(
        self, came: Mapping[int, tuple[int, int]], player: int, start: int
    ) -> list[int]:
        tables = []
        while player != start:
            player, number = came[player]
            tables.append(number)
        return tables

    def _swap_winds(self, number: int, one: int, two: int) -> None:
        table = self.tables[number]
        for player, gains, loses in ((table[one], two, one), (table[two], one, two)):
            self.sat[player][gains] += 1
            self.sat[player][loses] -= 1
        table[one], table[two] = table[two], table[one]


def with_winds(
    rounds: Sequence[Sequence[Sequence[int]]], before: Counts
) -> list[list[tuple[int, ...]]]:
    """Return each round's tables with players in the order East, South, West, North."""
    winds = _Winds([list(table) for each in rounds for table in each], before)
    winds.begin()
    pairs = [pair for two in combinations(range(SEATS), 2) for pair in (two, two[::-1])]
    while any(winds.level(one, two) for one, two in pairs):
        pass
    tables = iter(winds.tables)
    return [[tuple(next(tables)) for _ in each] for each in rounds]
